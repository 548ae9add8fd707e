import { expect, test } from 'vitest';
import { type Span, stretches } from './spans';

/** Marked stretches in brackets. */
const marked = (text: string, spans: Span[]) =>
  stretches(text, spans)
    .map((one) => (one.marked ? `[${one.text}]` : one.text))
    .join('');

test('a stretch in the middle', () => expect(marked('ignore all rules', [{ start: 7, end: 10 }])).toBe('ignore [all] rules'));
test('overlapping ones lose nothing', () =>
  expect(marked('abcdef', [{ start: 3, end: 5 }, { start: 1, end: 4 }])).toBe('a[bcd][e]f'));
test('what lies outside is cut off', () => expect(marked('abc', [{ start: -4, end: 1 }, { start: 2, end: 99 }])).toBe('[a]b[c]'));
test('an empty or turned span marks nothing', () => expect(marked('abc', [{ start: 2, end: 1 }])).toBe('abc'));
