// What came, changed and went between two points, in the explorer's terms. What went is drawn, as gone, where it hung.

import { type Comparison, compare, MOST_CHANGES } from '$entities/estate/diff';
import type { EstateEdge, EstateNode, NodeRef, Subgraph } from '$entities/estate/types';
import { edgeName } from '$entities/estate/edge';
import { get } from '$shared/api/client';

export type Sign = '+' | '~' | '−';

/** A comparison, as far as it is drawn. */
export interface Changes {
  since: string;
  until: string;
  signs: ReadonlyMap<string, Sign>;
  /** Things and edges that are no more. */
  gone: Pick<Subgraph, 'nodes' | 'edges'>;
  goneEdges: ReadonlySet<string>;
  counts: Comparison['counts'];
  isPartial: boolean;
}

/** What differs at a point from another; without one from the scan before. Undefined when there is none before. */
export async function changesSince(since: string, at: string | undefined, signal: AbortSignal): Promise<Changes | undefined> {
  const from = since || (await scanBefore(at, signal));
  return from === undefined ? undefined : drawnChanges(from, at ?? 'now', await compare(from, at ?? 'now', MOST_CHANGES, signal));
}

async function scanBefore(at: string | undefined, signal: AbortSignal): Promise<string | undefined> {
  const { items } = await get('/v1/estate/scans', { query: { limit: 1000 }, signal });
  const last = at ? items.findIndex((scan) => scan.scan_id === at) : 0;
  return items[Math.max(0, last) + 1]?.scan_id;
}

export function drawnChanges(since: string, until: string, comparison: Comparison): Changes {
  const signs = new Map<string, Sign>();
  for (const { change, node } of comparison.nodes) signs.set(node.id, change === 'added' ? '+' : change === 'removed' ? '−' : '~');
  // An edge that came or went makes its ends worth a look, though they are the same as before.
  for (const { source, target } of comparison.edges) {
    for (const { id } of [source, target]) if (!signs.has(id)) signs.set(id, '~');
  }
  const removed = comparison.edges.filter((edge) => edge.change === 'removed');
  const edges = removed.map(({ kind, source, target }): EstateEdge => ({ kind, source: source.id, target: target.id, ...NOTHING }));
  return {
    since,
    until,
    signs,
    gone: { nodes: comparison.nodes.filter((one) => one.change === 'removed').map((one) => ghost(one.node)), edges },
    goneEdges: new Set(edges.map(edgeName)),
    counts: comparison.counts,
    isPartial: comparison.truncated,
  };
}

const NOTHING = { composite: false, weight: 0, confidence: 1, origins: [] };

function ghost({ id, kind, name }: NodeRef): EstateNode {
  return {
    id,
    kind,
    name,
    risk_score: null,
    severity: null,
    degree: 1,
    owned: false,
    crown_jewel: false,
    origins: [],
    first_seen: null,
    last_seen: null,
  };
}

/** The estate with what is gone from it. */
export function withGone(graph: Pick<Subgraph, 'nodes' | 'edges'>, changes: Changes): Pick<Subgraph, 'nodes' | 'edges'> {
  const known = new Set(graph.nodes.map((node) => node.id));
  const nodes = [...graph.nodes, ...changes.gone.nodes.filter((node) => !known.has(node.id))];
  const named = new Set(graph.edges.map(edgeName));
  return { nodes, edges: [...graph.edges, ...changes.gone.edges.filter((edge) => !named.has(edgeName(edge)))] };
}
