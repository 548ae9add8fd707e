// JSON as receipts are written: read without leniency, and written in the form of RFC 8785. Two programs must not read one
// receipt differently, so what could be read in two ways is refused.

export type Value = null | boolean | number | string | Value[] | Members;
export type Members = Map<string, Value>;

/** Why a text is refused. */
export class Refusal extends Error {
  override name = 'Refusal';

  constructor(
    readonly fault: 'malformed' | 'duplicate_key',
    message: string,
  ) {
    super(message);
  }
}

/** Lists and objects within each other beyond this are refused. */
const DEEPEST = 64;
const SHORT: Record<string, string> = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const ESCAPES: Record<string, string> = { '"': '\\"', '\\': '\\\\', '\b': '\\b', '\t': '\\t', '\n': '\\n', '\f': '\\f', '\r': '\\r' };

/** Reads a text. Linear in its length. */
export function parse(text: string): Value {
  const reader = new Reader(text);
  const value = reader.value(0);
  reader.end();
  return value;
}

/** The canonical form: members in the order of the UTF-16 units of their names, no white space. */
export function canonical(value: Value): string {
  if (value instanceof Map) {
    const names = [...value.keys()].sort((a, b) => (a < b ? -1 : 1));
    return `{${names.map((name) => `${quoted(name)}:${canonical(value.get(name) ?? null)}`).join(',')}}`;
  }
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  return typeof value === 'string' ? quoted(value) : String(value);
}

function quoted(text: string): string {
  // The characters that RFC 8785 escapes, and no others.
  const escaped = text.replace(/["\\\u0000-\u001f]/g, (one) => ESCAPES[one] ?? `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `"${escaped}"`;
}

class Reader {
  #at = 0;

  constructor(private readonly text: string) {}

  value(depth: number): Value {
    if (depth > DEEPEST) this.#refuse('it is nested too deeply');
    this.#skip();
    const next = this.text[this.#at];
    if (next === '{') return this.#object(depth);
    if (next === '[') return this.#list(depth);
    if (next === '"') return this.#string();
    for (const [word, value] of [['true', true], ['false', false], ['null', null]] as const) {
      if (this.text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    return this.#number();
  }

  end(): void {
    this.#skip();
    if (this.#at < this.text.length) this.#refuse('something follows after its end');
  }

  #object(depth: number): Members {
    const members: Members = new Map();
    this.#at++;
    if (this.#taken('}')) return members;
    for (;;) {
      this.#skip();
      if (this.text[this.#at] !== '"') this.#refuse('a member’s name is expected');
      const name = this.#string();
      if (members.has(name)) throw new Refusal('duplicate_key', `the member \`${name.slice(0, 60)}\` stands twice`);
      if (!this.#taken(':')) this.#refuse('a colon is expected');
      members.set(name, this.value(depth + 1));
      if (this.#taken('}')) return members;
      if (!this.#taken(',')) this.#refuse('a comma or the end of the object is expected');
    }
  }

  #list(depth: number): Value[] {
    const items: Value[] = [];
    this.#at++;
    if (this.#taken(']')) return items;
    for (;;) {
      items.push(this.value(depth + 1));
      if (this.#taken(']')) return items;
      if (!this.#taken(',')) this.#refuse('a comma or the end of the list is expected');
    }
  }

  #string(): string {
    let text = '';
    this.#at++;
    for (;;) {
      const from = this.#at;
      while (this.#at < this.text.length && this.text[this.#at] !== '"' && this.text[this.#at] !== '\\') {
        if (this.text.charCodeAt(this.#at) < 0x20) this.#refuse('a text has a control character');
        this.#at++;
      }
      text += this.text.slice(from, this.#at);
      if (this.#at >= this.text.length) this.#refuse('a text does not end');
      if (this.text[this.#at++] === '"') break;
      text += this.#escape();
    }
    // A half of a pair has no UTF-8 form, so that nothing could have been hashed.
    if (/[\ud800-\udfff]/u.test(text)) this.#refuse('a text has half a character');
    return text;
  }

  #escape(): string {
    const letter = this.text[this.#at++] ?? '';
    if (letter !== 'u') return SHORT[letter] ?? this.#refuse('an escape is unknown');
    const digits = this.text.slice(this.#at, this.#at + 4);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) this.#refuse('an escape is incomplete');
    this.#at += 4;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  #number(): number {
    const found = /^-?[0-9][0-9.eE+-]*/.exec(this.text.slice(this.#at, this.#at + 40))?.[0];
    if (found === undefined) this.#refuse('it is not JSON');
    if (!/^(0|-?[1-9][0-9]*)$/.test(found) || !Number.isSafeInteger(Number(found))) this.#refuse(`the number ${found} is not allowed`);
    this.#at += found.length;
    return Number(found);
  }

  #taken(sign: string): boolean {
    this.#skip();
    if (this.text[this.#at] !== sign) return false;
    this.#at++;
    return true;
  }

  #skip(): void {
    while (' \t\n\r'.includes(this.text[this.#at] ?? 'x')) this.#at++;
  }

  #refuse(why: string): never {
    throw new Refusal('malformed', `${why} (at character ${this.#at + 1})`);
  }
}
