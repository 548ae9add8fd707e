import { expect, test } from 'vitest';
import type { Comparison, Counts } from '$entities/estate/diff';
import { isSame, ofChange, shownOf, tallies, wanted } from './tally';

const none: Counts = {
  nodes_added: 0,
  nodes_removed: 0,
  nodes_changed: 0,
  edges_added: 0,
  edges_removed: 0,
  edges_changed: 0,
  findings_new: 0,
  findings_fixed: 0,
  findings_changed: 0,
  findings_persisting: 0,
  findings_reopened: 0,
  rug_pulls: 0,
};

test('every count but what persists has a place', () => {
  const counts = Object.fromEntries(Object.keys(none).map((name, at) => [name, 2 ** at])) as Counts;
  const told = Object.values(tallies(counts)).flat();
  expect(told.reduce((sum, one) => sum + one.value, 0)).toBe(2 ** 12 - 1 - counts.findings_persisting);
});
test('the first list that holds something is shown', () => {
  expect(shownOf('', tallies(none))).toBe('findings');
  expect(shownOf('', tallies({ ...none, edges_added: 1 }))).toBe('edges');
  expect(shownOf('nonsense', tallies({ ...none, rug_pulls: 1 }))).toBe('rewritten');
});
test('the list that is asked for is shown even if it is empty', () => expect(shownOf('things', tallies(none))).toBe('things'));
test('a list knows how many it should hold', () => {
  const { things } = tallies({ ...none, nodes_added: 3, nodes_changed: 4 });
  expect([wanted(things, ''), wanted(things, 'added'), wanted(things, 'removed')]).toEqual([7, 3, 0]);
});
test('entries are told apart by their change', () => {
  const entries = [{ change: 'added' }, { change: 'removed' }];
  expect([ofChange(entries, '').length, ofChange(entries, 'removed')]).toEqual([2, [{ change: 'removed' }]]);
});
test('what only persists is no difference', () => {
  const comparison = (counts: Counts) => ({ counts }) as Comparison;
  expect([isSame(comparison({ ...none, findings_persisting: 9 })), isSame(comparison({ ...none, findings_fixed: 1 }))]).toEqual([true, false]);
});
