import { expect, test } from 'vitest';
import { json, svg } from './export';
import type { GraphEdge, GraphNode } from './types';

const long = `read ${'very '.repeat(20)}long <b>&"`;
const nodes: GraphNode[] = [
  { id: 'a', kind: 'MCPTool', label: 'read very…', name: long, facts: { severity: 'high', risk_score: 71 }, sign: '★' },
  { id: 'b', kind: 'Host', label: 'b' },
];
const edges: GraphEdge[] = [
  { from: 'a', to: 'b', kind: 'RUNS_ON', name: 'a RUNS_ON b', facts: { weight: 0.2 } },
  { from: 'a', to: 'a', kind: 'POISONED_DESCRIPTION', composite: true },
];
const places = new Map([
  ['a', { x: 0, y: 0 }],
  ['b', { x: 100, y: 50 }],
]);
const palette = { ground: '#000000', label: '#ffffff', edge: '#888888', faded: '#222222', accent: '#00ff00' };
const style = {
  node: () => ({ color: '#123456', letter: 'T', label: 'tool' }),
  edge: (kind: string) => ({ color: '#888888', label: kind }),
};

test('JSON has whole names, what is known, what was asked besides, and places', () => {
  const told = JSON.parse(json({ nodes, edges, places, more: new Map([['a', { properties: { description: 'x' } }]]) }));
  expect(told.nodes).toEqual([
    { id: 'a', kind: 'MCPTool', name: long, severity: 'high', risk_score: 71, properties: { description: 'x' }, sign: '★', x: 0, y: 0 },
    { id: 'b', kind: 'Host', name: 'b', x: 100, y: 50 },
  ]);
  expect(told.edges).toEqual([
    { source: 'a', kind: 'RUNS_ON', target: 'b', composite: false, name: 'a RUNS_ON b', weight: 0.2 },
    { source: 'a', kind: 'POISONED_DESCRIPTION', target: 'a', composite: true },
  ]);
});

test('SVG has whole names, escaped, and every edge, also one from a thing to itself', () => {
  const picture = svg({ nodes, edges, places }, style, palette);
  expect(picture).toContain('long &#60;b&#62;&#38;&#34;</text>');
  expect(picture.match(/<path d="M[^"]+" fill="none"/g)).toHaveLength(2);
  expect(picture).toContain('<title>POISONED_DESCRIPTION</title>');
});
