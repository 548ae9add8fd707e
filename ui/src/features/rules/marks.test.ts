import { expect, test } from 'vitest';
import type { Match } from './api';
import { marks, placeIn } from './marks';

const match = (rule: string, ...spans: [number, number][]): Match => ({
  rule,
  name: rule,
  severity: 'high',
  reason: '',
  targets: [],
  has_more: false,
  spans: spans.map(([start, end]) => ({ start, end, excerpt: '' })),
});
const matches = [match('a', [0, 3], [9, 12]), match('b', [2, 5])];

test('all rules are pointed out', () => expect(marks(matches, undefined)).toHaveLength(3));
test('one rule is pointed out alone', () => expect(marks(matches, 'b')).toEqual([{ start: 2, end: 5, title: 'b' }]));
test('places are told as editors tell them', () => {
  const text = 'one\ntwo\n\nfour';
  expect([0, 4, 6, 8, 9].map((offset) => Object.values(placeIn(text, offset)).join(':'))).toEqual(['1:1', '2:1', '2:3', '3:1', '4:1']);
});
