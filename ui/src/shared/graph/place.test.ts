import { describe, expect, test } from 'vitest';
import { bundles } from './bundle';
import { svg } from './export';
import { taskOf } from './force';
import { layered } from './layered';
import { added, around, bounds, LENGTH, seeds, towards } from './place';
import { packed, parts, scaled, spread } from './tidy';
import type { GraphEdge, GraphNode } from './types';

const nodes = (...ids: string[]): GraphNode[] => ids.map((id) => ({ id, kind: 'k', label: id }));
const edges = (...pairs: string[]): GraphEdge[] =>
  pairs.map((pair) => {
    const [from = '', to = ''] = pair.split('>');
    return { from, to, kind: 'e' };
  });
const distance = (a: { x: number; y: number } | undefined, b: { x: number; y: number } | undefined) =>
  Math.hypot((a?.x ?? NaN) - (b?.x ?? NaN), (a?.y ?? NaN) - (b?.y ?? NaN));

describe('seeds', () => {
  const graph = [nodes('a', 'b', 'c', 'd', 'alone'), edges('a>b', 'a>c', 'd>a')] as const;
  test('every node has a place of its own', () => {
    const places = [...seeds(...graph).values()].map(({ x, y }) => `${x.toFixed(3)},${y.toFixed(3)}`);
    expect(new Set(places).size).toBe(5);
  });
  test('the order of the input does not matter', () => {
    const turned = seeds([...graph[0]].reverse(), graph[1]);
    for (const [id, place] of seeds(...graph)) expect(distance(turned.get(id), place)).toBeLessThan(1e-6);
  });
  test('edges to what is not there are no harm', () => expect(seeds(nodes('a'), edges('a>gone')).size).toBe(1));
  test('50,000 nodes on one are placed', () => {
    const many = Array.from({ length: 50_000 }, (_, at) => `n${at}`);
    expect(seeds(nodes(...many), edges(...many.slice(1).map((id) => `n0>${id}`))).size).toBe(50_000);
  });
});

describe('added', () => {
  const known = new Map([
    ['a', { x: 0, y: 0 }],
    ['b', { x: 100, y: 0 }],
  ]);
  test('what has a place is not touched', () => expect([...added(nodes('a', 'b'), edges('a>b'), known).keys()]).toEqual([]));
  test('a neighbour comes beside its parent, away from the rest', () => {
    const place = added(nodes('a', 'b', 'c'), edges('a>b', 'a>c'), known).get('c');
    expect(distance(place, { x: 0, y: 0 })).toBeCloseTo(LENGTH);
    expect(place?.x).toBeLessThan(0);
  });
  test('a chain grows outwards', () => expect(added(nodes('a', 'c', 'd'), edges('a>c', 'c>d'), known).size).toBe(2));
  test('what hangs on nothing is put below', () => expect(added(nodes('a', 'x'), [], known).get('x')?.y).toBeLessThan(0));
});

test('many around one come in rings', () => {
  const ids = Array.from({ length: 60 }, (_, at) => `n${at}`);
  const far = [...around({ x: 0, y: 0 }, ids, []).values()].map((place) => Math.round(distance(place, { x: 0, y: 0 }) / LENGTH));
  expect(Math.max(...far)).toBeGreaterThan(1);
});

test('an arrow key leads to what lies in its direction', () => {
  const others = [
    { id: 'right', x: 10, y: 1 },
    { id: 'up', x: 1, y: 10 },
  ];
  expect(towards({ x: 0, y: 0 }, { x: 1, y: 0 }, others)).toBe('right');
  expect(towards({ x: 0, y: 0 }, { x: 0, y: 1 }, others)).toBe('up');
  expect(towards({ x: 0, y: 0 }, { x: -1, y: 0 }, others)).toBeUndefined();
});

test('a path lies from left to right', () => {
  const places = layered(nodes('c', 'a', 'b'), edges('a>b', 'b>c', 'a>gone', 'b>b'));
  const x = (id: string) => places.get(id)?.x ?? NaN;
  expect(x('a')).toBeLessThan(x('b'));
  expect(x('b')).toBeLessThan(x('c'));
});

test('edges between the same ends are one bundle', () => {
  const found = bundles([...edges('a>b', 'b>a', 'a>b')]);
  expect([...found.values()].map((bundle) => bundle.edges.length)).toEqual([2, 1]);
});

test('the force layout is given numbers for what is there', () => {
  const task = taskOf(nodes('a', 'b'), edges('a>b', 'a>gone', 'b>b'), new Map([['b', { x: 3, y: 4 }]]), 100);
  expect([...task.links]).toEqual([0, 1]);
  expect([...task.places]).toEqual([0, 0, 3, 4]);
  expect(Math.hypot(...scaled(task.places, task.links, LENGTH))).toBeCloseTo(LENGTH);
});

describe('tidying up', () => {
  const sizes = (count: number) => new Float32Array(count).fill(10);
  const least = (places: Float32Array) => {
    let found = Infinity;
    for (let a = 0; a < places.length; a += 2) {
      for (let b = a + 2; b < places.length; b += 2) {
        found = Math.min(found, Math.hypot((places[a] ?? 0) - (places[b] ?? 0), (places[a + 1] ?? 0) - (places[b + 1] ?? 0)));
      }
    }
    return found;
  };
  test('nodes in one place are spread until none overlaps', () =>
    expect(least(spread(new Float32Array(40), sizes(20), 1000))).toBeGreaterThan(20));
  test('parts are found, largest first', () => expect(parts(5, Uint32Array.from([3, 4, 1, 2, 2, 3]))).toEqual([[1, 2, 3, 4], [0]]));
  test('parts are set beside each other', () => {
    const places = packed(Float32Array.from([0, 0, 50, 0, 0, 0, 50, 0, 7, 7]), sizes(5), Uint32Array.from([0, 1, 2, 3]));
    expect(least(places)).toBeGreaterThanOrEqual(46);
  });
});

test('nothing at all has a box', () => expect(bounds([])).toEqual({ x: [0, 0], y: [0, 0] }));

test('hostile labels are text in an exported picture', () => {
  const style = { node: () => ({ color: '#111111', letter: '<', label: '' }), edge: () => ({ color: '#222222', label: '"><script>' }) };
  const palette = { ground: '#ffffff', label: '#000000', edge: '#000000', faded: '#000000', accent: '#000000' };
  const picture = { nodes: [{ id: 'a', kind: 'k', label: '</text><script>alert(1)</script>' }, { id: 'b', kind: 'k', label: '' }], edges: edges('a>b') };
  const text = svg({ ...picture, places: new Map([['a', { x: 0, y: 0 }], ['b', { x: 9, y: 0 }]]) }, style, palette);
  expect(text).not.toContain('<script');
});
