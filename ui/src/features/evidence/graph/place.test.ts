import { expect, test } from 'vitest';
import type { Evidence } from './model';
import { placed } from './place';

function graph(decisions: number): Evidence {
  const at = (time: number) => String(time).padStart(6, '0');
  const nodes = [{ id: 'agent:a', group: 'agent', label: 'a', timestamp: '0' }, { id: 'policy:p', group: 'policy', label: 'p', timestamp: '0' }];
  const edges: { from: string; to: string; label: string; timestamp: string }[] = [];
  for (let one = 0; one < decisions; one++) {
    nodes.push({ id: `tool_call:${one}`, group: 'tool_call', label: 'x', timestamp: at(one) }, { id: `decision:${one}`, group: 'decision', label: 'deny', timestamp: at(one) });
    edges.push(
      { from: `tool_call:${one}`, to: `decision:${one}`, label: 'decided', timestamp: at(one) },
      { from: `tool_call:${one}`, to: 'agent:a', label: 'triggered_by', timestamp: at(one) },
      { from: `decision:${one}`, to: 'policy:p', label: 'linked_to', timestamp: at(one) },
    );
  }
  return { nodes, edges, truncated: false, total_decisions: decisions, next_cursor: null } as unknown as Evidence;
}

test('a call and its decision share a row, later ones are lower', () => {
  const places = placed(graph(3));
  expect(places.get('tool_call:1')?.y).toBe(places.get('decision:1')?.y);
  expect(places.get('decision:2')?.y).toBeLessThan(places.get('decision:1')?.y ?? 0);
});
test('what rows share stands in their middle, in line with none', () => {
  const places = placed(graph(3));
  const y = (id: string) => places.get(id)?.y ?? 0;
  expect(y('policy:p')).toBeGreaterThan(y('decision:1'));
  expect(y('policy:p')).toBeLessThan(y('decision:0'));
});
test('in a tall picture causes are above what came of them', () => {
  const places = placed(graph(1), 'tall');
  const y = ['agent:a', 'tool_call:0', 'decision:0', 'policy:p'].map((id) => places.get(id)?.y ?? 1);
  expect(y).toEqual([...y].sort((a, b) => b - a));
  expect(places.get('agent:a')?.x).toBe(places.get('decision:0')?.x);
});
test('causes are left of what came of them', () => {
  const places = placed(graph(1));
  const x = ['agent:a', 'tool_call:0', 'decision:0', 'policy:p'].map((id) => places.get(id)?.x ?? -1);
  expect(x).toEqual([...x].sort((a, b) => a - b));
  expect(new Set(x).size).toBe(4);
});
test('no two things have one place, however many there are', () => {
  const places = [...placed(graph(2000)).values()].map(({ x, y }) => `${x} ${y}`);
  expect(new Set(places).size).toBe(places.length);
});
