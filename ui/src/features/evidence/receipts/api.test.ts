import { expect, test } from 'vitest';
import { between, MOST_IN_RANGE } from './api';

async function check(first: number, last: number, wanted: [from: number, limit: number][]) {
  const asked: [number, number][] = [];
  await between(first, last, async (from, limit) => {
    asked.push([from, limit]);
    return '[]';
  });
  expect(asked).toEqual(wanted);
}

test('a short stretch is asked for at once', () => check(5, 9, [[5, 5]]));
test('a long stretch comes in pages without a gap', () => check(1, 2001, [[1, 1000], [1001, 1000], [2001, 1]]));
test('of too many receipts the newest are asked for', async () => {
  const asked: number[] = [];
  await between(0, 50_000, async (from) => (asked.push(from), '[]'));
  expect([asked[0], asked.length]).toEqual([50_000 - MOST_IN_RANGE + 1, MOST_IN_RANGE / 1000]);
});
