// What a Cedar text does, as far as its words tell: its parts with their names and effects. Whether it is right is the
// server's business.

import type { Schema } from '$shared/api/client';

export interface Part {
  /** The name that its author gave it, if any. */
  id: string | undefined;
  effect: Schema<'Verdict'>;
  /** Counted from one. */
  line: number;
}

const TOKEN = /\/\/[^\n]*|@([A-Za-z_]\w*)\s*\(\s*"((?:\\.|[^"\\])*)"\s*\)|"(?:\\.|[^"\\])*"|\b(permit|forbid)\b(?=\s*\()/g;
const DECISIONS: Record<string, Schema<'Verdict'>> = { require_approval: 'require_approval', redact: 'redact', quarantine: 'quarantine' };

/** The parts of a text, in order. */
export function parts(text: string): Part[] {
  const found: Part[] = [];
  let said: Record<string, string> = {};
  let start: number | undefined;
  for (const match of text.matchAll(TOKEN)) {
    const [, name, value, effect] = match;
    if (name !== undefined) {
      start ??= match.index;
      said[name] = value ?? '';
    } else if (effect !== undefined) {
      const line = lineAt(text, start ?? match.index);
      found.push({ id: said['id'], effect: effect === 'forbid' ? 'deny' : (DECISIONS[said['decision'] ?? ''] ?? 'allow'), line });
      said = {};
      start = undefined;
    }
  }
  return found;
}

/** How often each effect occurs, the strictest first. */
export function effects(text: string): { effect: Schema<'Verdict'>; many: number }[] {
  const order: Schema<'Verdict'>[] = ['deny', 'quarantine', 'require_approval', 'redact', 'allow'];
  const all = parts(text);
  return order.map((effect) => ({ effect, many: all.filter((part) => part.effect === effect).length })).filter(({ many }) => many > 0);
}

/** The line on which a part begins; 1 when nothing has that name. */
export function lineOf(text: string, id: string): number {
  return parts(text).find((part) => part.id === id)?.line ?? 1;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
