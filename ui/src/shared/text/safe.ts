// Text that a scanned system wrote, made fit to show: what can't be seen or turns the reading order is spelled out.

/** How much of a text is shown before somebody asks for the rest. */
export const SHOWN = 400;

/** A stretch of text, or one character that is spelled out. */
export interface Piece {
  text: string;
  /** The character's code point, as `U+202E`, when it is not shown as itself. */
  code?: string;
}

// Control characters besides tab and line feed, bidirectional controls, zero-width and invisible ones, tags, variation
// selectors beyond the common one, line and paragraph separators, byte order mark, and lone surrogates.
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]|[\ud800-\udfff]/gu;

/** Cuts a text into what is shown as it is and what is spelled out. Linear in its length. */
export function pieces(text: string): Piece[] {
  const found: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > from) found.push({ text: text.slice(from, match.index) });
    found.push({ text: match[0], code: codeOf(match[0]) });
    from = match.index + match[0].length;
  }
  if (from < text.length) found.push({ text: text.slice(from) });
  return found;
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The text on one line, hidden characters spelled out, for places that take only a string: titles, graph labels. */
export function plain(text: unknown, most = 80): string {
  const given = asText(text);
  const flat = given.slice(0, most * 4).replace(/\s+/g, ' ').trim();
  const shown = pieces(flat)
    .map((piece) => (piece.code ? `[${piece.code}]` : piece.text))
    .join('');
  return shown.length > most || given.length > most * 4 ? `${cut(shown, most - 1)}…` : shown;
}

/** At most `most` UTF-16 units, never half a character. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most);
}

/** Any value of the API as text. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Any value as text; an object or list, also one in a text, as JSON over several lines. */
export function laidOut(value: unknown): string {
  const text = asText(value);
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** A number with its noun: `1 finding`, `12 findings`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}
