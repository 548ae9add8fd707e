import { describe, expect, test } from 'vitest';
import type { EstateEdge, EstateNode } from '$entities/estate/types';
import { edgeName, parseEdge } from '$entities/estate/edge';
import { drawnNode, drawnPaths, named, nodesOf } from './draw';
import { isSeen, lensOf, LENSES } from './lenses';
import { counted, type View, visible } from './visible';

const node = (id: string, kind: EstateNode['kind'], more: Partial<EstateNode> = {}): EstateNode => ({
  id,
  kind,
  name: id,
  risk_score: null,
  severity: null,
  degree: 1,
  owned: false,
  crown_jewel: false,
  origins: ['laptop'],
  first_seen: null,
  last_seen: null,
  ...more,
});
const edge = (text: string, composite = false): EstateEdge => {
  const [source = '', kind, target = ''] = text.split(' ');
  return { source, kind: kind as EstateEdge['kind'], target, composite, weight: 0.1, confidence: 1, origins: [] };
};

const graph = {
  nodes: [
    node('agent', 'AgentInstance'),
    node('server', 'MCPServer', { severity: 'high' }),
    node('read', 'MCPTool', { severity: 'critical' }),
    node('write', 'MCPTool'),
    node('secrets', 'MCPResource', { origins: ['ci'] }),
    node('alone', 'Host'),
  ],
  edges: [
    edge('agent TRUSTS_SERVER server'),
    edge('server PROVIDES_TOOL read'),
    edge('server PROVIDES_TOOL write'),
    edge('server PROVIDES_RESOURCE secrets'),
    edge('read HAS_ACCESS_TO secrets', true),
    edge('agent CAN_REACH secrets', true),
    edge('write POISONED_DESCRIPTION write', true),
  ],
};

function check(view: Partial<View>) {
  const whole: View = { lens: lensOf('topology'), kinds: [], severity: '', origins: [], fold: 'off', turned: new Set(), keep: new Set(), ...view };
  const shown = visible(graph, whole);
  return { ...shown, ids: shown.nodes.map((one) => one.id), names: shown.edges.map(edgeName) };
}

describe('lenses', () => {
  test('topology shows things without edges too', () => expect(check({}).ids).toContain('alone'));
  test('another lens shows only what its edges touch, and counts the rest', () => {
    const shown = check({ lens: lensOf('attack') });
    expect(shown.ids).toEqual(['agent', 'read', 'secrets']);
    expect(shown.lone).toBe(3);
  });
  test('an edge from a thing to itself is shown', () => expect(check({ lens: lensOf('poisoning') }).names).toEqual(['write POISONED_DESCRIPTION write']));
  test('the unknown one is the first', () => expect(lensOf('nonsense')).toBe(LENSES[0]));
  test('cross-protocol asks for the families at both ends', () => {
    expect(isSeen(lensOf('cross'), 'X', 'A2AAgent', 'MCPServer')).toBe(true);
    expect(isSeen(lensOf('cross'), 'X', 'MCPServer', 'MCPTool')).toBe(false);
  });
});

describe('filters', () => {
  test('by kind', () => expect(check({ kinds: ['MCPTool'] }).ids).toEqual(['read', 'write']));
  test('by severity, at least', () => expect(check({ severity: 'high' }).ids).toEqual(['server', 'read']));
  test('by machine', () => expect(check({ origins: ['ci'] }).ids).toEqual(['secrets']));
  test('what is left out is counted', () => expect(check({ severity: 'high' }).filtered).toBe(4));
  test('what is selected is never left out', () => expect(check({ kinds: ['Host'], keep: new Set(['read']) }).ids).toEqual(['read', 'alone']));
});

describe('parts', () => {
  test('what is hidden is left out and counted', () => {
    const shown = check({ hidden: new Set(['read']) });
    expect([shown.ids.includes('read'), shown.filtered]).toEqual([false, 1]);
  });
  test('a neighbourhood has what is connected, also to what it holds', () => {
    expect(check({ near: 'agent' }).ids).toEqual(['agent', 'server']);
    expect(check({ near: 'server' }).ids).toEqual(['agent', 'server', 'read', 'write', 'secrets']);
  });
  test('a neighbourhood of what is not there is everything', () => expect(check({ near: 'nobody' }).ids).toHaveLength(6));
});

describe('folding', () => {
  test('what a server holds is folded into it and counted there', () => {
    const shown = check({ fold: 'on' });
    expect(shown.ids).toEqual(['agent', 'server', 'alone']);
    expect([shown.folded, shown.nodes[1]?.folded, shown.nodes[1]?.holds]).toEqual([3, 3, 3]);
  });
  test('edges of what is folded lead to its holder', () => {
    const shown = check({ fold: 'on', lens: lensOf('all') });
    expect(shown.names).toContain('agent CAN_REACH server');
    expect(shown.edges.find((one) => one.kind === 'CAN_REACH')?.lifted).toBe(true);
  });
  test('no edge leads from a holder to itself because of folding', () =>
    expect(check({ fold: 'on', lens: lensOf('all') }).names.some((name) => name.startsWith('server') && name.endsWith('server'))).toBe(false));
  test('one holder is unfolded by hand', () => expect(check({ fold: 'on', turned: new Set(['server']) }).ids).toHaveLength(6));
  test('one holder is folded by hand', () => expect(check({ turned: new Set(['server']) }).ids).toHaveLength(3));
  test('what is selected is not folded', () => expect(check({ fold: 'on', keep: new Set(['read']) }).ids).toContain('read'));
  test('a small graph is not folded by itself', () => expect(check({ fold: 'auto' }).isFolded).toBe(false));
  test('nothing is lost: shown, folded, lone and filtered are all', () => {
    for (const lens of LENSES) {
      for (const fold of ['on', 'off'] as const) {
        const shown = check({ lens, fold, severity: 'high' });
        expect(shown.nodes.length + shown.folded + shown.lone + shown.filtered).toBe(graph.nodes.length);
      }
    }
  });
});

test('kinds are counted, most first', () => expect(counted(graph.nodes, (one) => [one.kind])[0]).toEqual({ id: 'MCPTool', count: 2 }));

describe('drawing', () => {
  const ref = (id: string) => ({ id, kind: 'Host' as const, name: id });
  const step = (from: string, to: string, reversed = false) => ({ source: ref(from), target: ref(to), kind: 'RUNS_ON', reversed, weight: 0.1, confidence: 1, composite: false });
  const paths = [{ steps: [step('a', 'b'), step('b', 'c', true)] }, { steps: [step('a', 'b')] }];
  test('paths that share hops are drawn once', () => {
    const drawn = drawnPaths(paths, new Set());
    expect([drawn.nodes.length, drawn.edges.length]).toEqual([3, 2]);
  });
  test('a hop against an edge names the edge as it is', () => {
    expect(edgeName(named(step('b', 'c', true)))).toBe('c RUNS_ON b');
    expect(drawnPaths(paths, new Set(['c RUNS_ON b'])).edges.map((one) => one.cut)).toEqual([false, true]);
  });
  test('a path’s nodes', () => expect([...nodesOf(paths[0] as (typeof paths)[0])]).toEqual(['a', 'b', 'c']));
  test('marks and what is folded are signs', () =>
    expect(drawnNode({ ...node('x', 'Host', { owned: true, crown_jewel: true }), folded: 3, holds: 3 }).sign).toBe('★⚑+3'));
  test('a hostile name is one short inert line', () =>
    expect(drawnNode({ ...node('x', 'Host', { name: `a\u202e\n${'b'.repeat(1000)}` }), folded: 0, holds: 0 }).label).toMatch(/^a\[U\+202E\] b+…$/));
});

test('edges are named and found again', () => {
  expect(parseEdge(edgeName({ source: 'sha256:1', kind: 'K', target: 'sha256:2' }))).toEqual({ source: 'sha256:1', kind: 'K', target: 'sha256:2' });
  const strange = { source: 'a b\n%41 <c>', kind: 'K', target: '100 %' };
  expect(edgeName(strange).split(' ')).toHaveLength(3);
  expect(parseEdge(edgeName(strange))).toEqual(strange);
  expect(parseEdge('% K b')).toBeUndefined();
  expect([parseEdge(''), parseEdge('a b'), parseEdge('a b c d')]).toEqual([undefined, undefined, undefined]);
});
