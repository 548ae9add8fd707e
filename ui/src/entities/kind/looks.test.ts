import { expect, test } from 'vitest';
import { EDGE_KINDS, edgeLook, NODE_KINDS, nodeLook } from './looks';

test('no two kinds of one colour share their letters', () => {
  const looks = NODE_KINDS.map((kind) => `${nodeLook(kind).color} ${nodeLook(kind).letter}`);
  expect(new Set(looks).size).toBe(looks.length);
});
test('colours are written as the renderer reads them', () => {
  for (const look of [...NODE_KINDS.map(nodeLook), ...EDGE_KINDS.map(edgeLook), nodeLook('NewKind'), edgeLook('NEW_KIND')]) {
    expect(look.color).toMatch(/^#[0-9a-f]{6}$/);
  }
});
test('a kind that nobody listed is told in its own words', () => expect(edgeLook('NEW_KIND').label).toBe('new kind'));
