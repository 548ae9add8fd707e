import { describe, expect, test } from 'vitest';
import { duration, parse, relative } from './time';

const NOW = new Date('2026-11-16T12:00:00Z');
const check = (time: string, words: string) => expect(relative(new Date(time), NOW)).toBe(words);

describe('relative', () => {
  test('a moment ago', () => check('2026-11-16T11:59:40Z', 'just now'));
  test('a clock that is a little ahead', () => check('2026-11-16T12:00:03Z', 'just now'));
  test('between a moment and a minute', () => check('2026-11-16T11:59:10Z', '1 minute ago'));
  test('minutes', () => check('2026-11-16T11:55:00Z', '5 minutes ago'));
  test('hours ahead', () => check('2026-11-16T14:00:00Z', 'in 2 hours'));
  test('yesterday', () => check('2026-11-15T11:00:00Z', 'yesterday'));
  test('years', () => check('2023-11-16T12:00:00Z', '3 years ago'));
});

test('what is no time is none', () => expect([parse('soon'), parse(''), parse(null)]).toEqual([undefined, undefined, undefined]));
test('lengths of time', () => expect([duration(4.4), duration(2500), duration(120_000)]).toEqual(['4 ms', '2.5 s', '2 min']));
