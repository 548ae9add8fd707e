// The stretches of a tried text that rules point at.

import type { Span } from '$shared/text/spans';
import type { Match } from './api';

/** What is pointed out: the spans of one rule, or of all. Each says which rule it is of. */
export function marks(matches: readonly Match[], only: string | undefined): Span[] {
  return matches
    .filter((match) => only === undefined || match.rule === only)
    .flatMap((match) => match.spans.map(({ start, end }) => ({ start, end, title: match.rule })));
}

/** The line and column of a place, both from one. */
export function placeIn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { line, column: offset - before.lastIndexOf('\n') };
}
