// The estate in the canvas's terms.

import type { PathStep } from '$entities/estate/types';
import { edgeName } from '$entities/estate/edge';
import { edgeLook, nodeLook } from '$entities/kind/looks';
import { severityOf } from '$entities/severity/severity';
import type { GraphEdge, GraphNode, GraphStyle } from '$shared/graph/types';
import { plain } from '$shared/text/safe';
import type { ShownEdge, ShownNode } from './visible';

export const LOOKS: GraphStyle = { node: nodeLook, edge: edgeLook };

/** The same in both themes; the letter and the list say the severity too. */
const RINGS: Record<string, string> = { critical: '#e5484d', high: '#f08c2e' };

/** `change` says what happened to it, when that is what is looked at. */
export function drawnNode(node: ShownNode, change = ''): GraphNode {
  const score = (node.risk_score ?? 0) / 100;
  const reach = Math.min(1, Math.log2(1 + node.degree) / 8);
  const ring = RINGS[severityOf(node.severity) ?? ''];
  const sign = [change, node.crown_jewel ? '★' : '', node.owned ? '⚑' : '', node.folded > 0 ? `+${node.folded}` : ''].join('');
  return {
    id: node.id,
    kind: node.kind,
    label: plain(node.name || node.id, 26),
    name: node.name || node.id,
    facts: factsOf(node),
    importance: Math.max(score * 0.8, reach),
    ...(ring ? { ring } : {}),
    ...(sign ? { sign } : {}),
  };
}

/** What is known of a thing besides its name, as the API says it. */
function factsOf({ risk_score, severity, owned, crown_jewel, origins, first_seen, last_seen, folded }: ShownNode): Record<string, unknown> {
  return { severity, risk_score, owned, crown_jewel, origins, first_seen, last_seen, ...(folded > 0 ? { folded } : {}) };
}

export function drawnEdge(edge: ShownEdge, cuts: ReadonlySet<string>): GraphEdge {
  return { from: edge.source, to: edge.target, kind: edge.kind, name: edge.name, composite: edge.composite, cut: cuts.has(edge.name), facts: { weight: edge.weight, confidence: edge.confidence, origins: edge.origins } };
}

/** The nodes and edges of several paths, each once. */
export function drawnPaths(paths: readonly { steps: readonly PathStep[] }[], cuts: ReadonlySet<string>): { nodes: GraphNode[]; edges: GraphEdge[] } {
  const nodes = new Map<string, GraphNode>();
  const edges = new Map<string, GraphEdge>();
  for (const step of paths.flatMap((path) => path.steps)) {
    for (const { id, kind, name } of [step.source, step.target]) {
      if (!nodes.has(id)) nodes.set(id, { id, kind, label: plain(name || id, 26), name: name || id, importance: 0.4 });
    }
    const name = edgeName(named(step));
    const look = edgeLook(step.kind);
    edges.set(name, {
      from: step.source.id,
      to: step.target.id,
      kind: step.kind,
      name,
      composite: step.composite,
      label: step.reversed ? `← ${look.label}` : look.label,
      cut: cuts.has(name),
      facts: { weight: step.weight, confidence: step.confidence, evidence: step.evidence },
    });
  }
  return { nodes: [...nodes.values()], edges: [...edges.values()] };
}

/** The edge that a step walks: a step that goes against an edge's direction has its ends turned. */
export function named(step: PathStep): { source: string; kind: string; target: string } {
  const [source, target] = step.reversed ? [step.target.id, step.source.id] : [step.source.id, step.target.id];
  return { source, kind: step.kind, target };
}

/** All nodes of a path. */
export function nodesOf(path: { steps: readonly PathStep[] }): Set<string> {
  return new Set(path.steps.flatMap((step) => [step.source.id, step.target.id]));
}
