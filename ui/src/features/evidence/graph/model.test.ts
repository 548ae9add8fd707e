import { describe, expect, test } from 'vitest';
import { around, cutTo, drawn, type Evidence, idOf, joined, newest, timeline } from './model';

const node = (id: string, label: string, timestamp: string, metadata: unknown = null) => ({ id, group: id.split(':')[0], label, timestamp, metadata });
const graph = {
  nodes: [
    node('agent:a', 'Coder', '1'),
    node('run:r', 'r', '2'),
    node('tool_call:d', 'github.merge', '3'),
    node('decision:d', 'deny', '3', { risk_score: 75, reason: 'no' }),
    node('approval:p', 'created', '2.5'),
    node('receipt:c', 'abcdef0123456789', '3'),
    node('policy:x', 'x', '3'),
    node('mcp_server:sha256:1', 'files', '3'),
  ],
  edges: [
    { from: 'run:r', to: 'agent:a', label: 'triggered_by', timestamp: '2' },
    { from: 'tool_call:d', to: 'decision:d', label: 'decided', timestamp: '3' },
    { from: 'decision:d', to: 'policy:x', label: 'linked_to', timestamp: '3' },
  ],
  truncated: false,
  total_decisions: 1,
  next_cursor: null,
} as Evidence;
const groups = (of: Evidence) => of.nodes.map((one) => one.group).join(' ');

describe('depth', () => {
  test('1 is who called what and what was decided', () => expect(groups(cutTo(graph, 1))).toBe('agent run tool_call decision'));
  test('2 adds who was asked, the proof and the server', () =>
    expect(groups(cutTo(graph, 2))).toBe('agent run tool_call decision approval receipt mcp_server'));
  test('3 is everything', () => expect(cutTo(graph, 3).nodes).toHaveLength(8));
  test('edges to what is gone are gone', () => expect(cutTo(graph, 2).edges).toHaveLength(2));
});

test('parts that overlap are put together once', () => {
  const more = { ...graph, nodes: [...graph.nodes.slice(0, 2), node('run:s', 's', '9')] } as Evidence;
  const both = joined(graph, more);
  expect([both.nodes.length, both.edges.length]).toEqual([9, 3]);
});

test('time tells what happened, with the call beside the verdict', () =>
  expect(timeline(graph)).toEqual([
    { node: 'approval:p', time: '2.5', group: 'approval', text: 'created' },
    { node: 'decision:d', time: '3', group: 'decision', text: 'github.merge', verdict: 'deny', risk: 75, reason: 'no' },
  ]));

test('ids may have colons themselves', () => expect(idOf('mcp_server:sha256:1')).toBe('sha256:1'));
test('what was stopped has a ring', () => expect(drawn(graph).nodes[3]?.ring).toBe('#E03131'));
test('around a node is what it is joined to', () => expect([...around(graph, 'decision:d')].sort()).toEqual(['decision:d', 'policy:x', 'tool_call:d']));

describe('only the newest', () => {
  const more = {
    ...graph,
    nodes: [...graph.nodes, node('tool_call:e', 'y', '4'), node('decision:e', 'allow', '4'), node('receipt:f', 'f', '4')],
    edges: [...graph.edges, { from: 'decision:e', to: 'receipt:f', label: 'produced', timestamp: '4' }, { from: 'tool_call:e', to: 'decision:e', label: 'decided', timestamp: '4' }],
  } as Evidence;
  test('are drawn, with what hangs on them', () =>
    expect(newest(more, 1).nodes.map((one) => one.id)).toEqual(['agent:a', 'tool_call:e', 'decision:e', 'receipt:f']));
  test('and what is chosen', () => expect(newest(more, 1, 'decision:d').nodes.map((one) => one.id)).toContain('policy:x'));
  test('unless there are few', () => expect(newest(more, 2)).toBe(more));
});
