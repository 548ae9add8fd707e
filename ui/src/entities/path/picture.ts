// A path as a small graph.

import type { Answer } from '$shared/api/client';
import type { GraphEdge, GraphNode } from '$shared/graph/types';
import { plain } from '$shared/text/safe';

export type PathStep = Answer<'/v1/estate/paths', 'post'>['paths'][number]['steps'][number];

/** Nodes and edges of a path. An edge that is walked against its direction is drawn as it is, not as it is walked. */
export function picture(steps: readonly PathStep[]): { nodes: GraphNode[]; edges: GraphEdge[] } {
  const nodes = new Map<string, GraphNode>();
  const edges: GraphEdge[] = [];
  const last = steps.at(-1)?.target.id;
  for (const [at, step] of steps.entries()) {
    for (const node of [step.source, step.target]) {
      if (nodes.has(node.id)) continue;
      const isEnd = at === 0 ? node.id === step.source.id || node.id === last : node.id === last;
      nodes.set(node.id, { id: node.id, kind: node.kind, label: plain(node.name || node.id, 24), importance: isEnd ? 0.8 : 0.35 });
    }
    const [from, to] = step.reversed ? [step.target.id, step.source.id] : [step.source.id, step.target.id];
    // The hops below the picture say what they are; here the words would lie on the names.
    edges.push({ from, to, kind: step.kind, composite: step.composite, label: '' });
  }
  return { nodes: [...nodes.values()], edges };
}
