import { expect, test } from 'vitest';
import { picture, type PathStep } from './picture';

const node = (id: string) => ({ id, kind: 'MCPServer' as const, name: id });
const step = (from: string, to: string, reversed = false): PathStep => ({
  source: node(from),
  target: node(to),
  kind: 'RUNS_ON',
  reversed,
  weight: 0.1,
  confidence: 1,
  composite: false,
});

test('every place is there once, in the order of the way', () =>
  expect(picture([step('a', 'b'), step('b', 'c')]).nodes.map((one) => one.id)).toEqual(['a', 'b', 'c']));
test('an edge that is walked backwards keeps its direction', () =>
  expect(picture([step('a', 'b', true)]).edges[0]).toMatchObject({ from: 'b', to: 'a' }));
test('a way that comes back to where it was draws no place twice', () =>
  expect(picture([step('a', 'b'), step('b', 'a', true)]).nodes).toHaveLength(2));
test('both ends are larger than what lies between', () =>
  expect(picture([step('a', 'b'), step('b', 'c')]).nodes.map((one) => one.importance)).toEqual([0.8, 0.35, 0.8]));
