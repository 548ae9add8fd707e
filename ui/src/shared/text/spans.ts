// Stretches of a text that are pointed out.

/** From `start` up to but not including `end`, in UTF-16 units. */
export interface Span {
  start: number;
  end: number;
  title?: string;
}

export interface Stretch {
  text: string;
  marked: boolean;
  title?: string;
}

/** The text cut where marks begin and end. Spans may overlap and come in any order; what lies outside is cut off. */
export function stretches(text: string, spans: readonly Span[]): Stretch[] {
  const ordered = spans
    .map((span) => ({ ...span, start: Math.max(0, span.start), end: Math.min(text.length, span.end) }))
    .filter((span) => span.start < span.end)
    .sort((a, b) => a.start - b.start || b.end - a.end);
  const found: Stretch[] = [];
  let at = 0;
  for (const span of ordered) {
    if (span.end <= at) continue;
    const start = Math.max(at, span.start);
    if (start > at) found.push({ text: text.slice(at, start), marked: false });
    found.push({ text: text.slice(start, span.end), marked: true, ...(span.title ? { title: span.title } : {}) });
    at = span.end;
  }
  if (at < text.length) found.push({ text: text.slice(at), marked: false });
  return found;
}
