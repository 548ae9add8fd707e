import { expect, test } from 'vitest';
import type { Comparison } from '$entities/estate/diff';
import { drawnChanges, withGone } from './changes';

const ref = (id: string) => ({ id, kind: 'Host', name: id });
const comparison = {
  counts: {},
  truncated: false,
  nodes: [
    { change: 'added', node: ref('new'), properties: [] },
    { change: 'removed', node: ref('old'), properties: [] },
    { change: 'changed', node: ref('other'), properties: [] },
  ],
  edges: [
    { change: 'removed', kind: 'RUNS_ON', source: ref('server'), target: ref('old'), properties: [] },
    { change: 'added', kind: 'RUNS_ON', source: ref('server'), target: ref('new'), properties: [] },
  ],
} as unknown as Comparison;
const changes = drawnChanges('monday', 'now', comparison);

test('what came, changed and went has its sign', () =>
  expect(Object.fromEntries(changes.signs)).toEqual({ new: '+', old: '−', other: '~', server: '~' }));
test('what went is drawn beside what is there', () => {
  const { nodes, edges } = withGone({ nodes: [], edges: [] }, changes);
  expect([nodes.map((node) => node.id), edges.map((edge) => edge.target)]).toEqual([['old'], ['old']]);
  expect([...changes.goneEdges]).toEqual(['server RUNS_ON old']);
});
test('what is still there is not drawn twice', () => {
  const once = withGone({ nodes: [], edges: [] }, changes);
  expect(withGone(once, changes)).toEqual(once);
});
