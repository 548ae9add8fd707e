// Layers from left to right, for paths and for evidence.

import { Graph, layout } from '@dagrejs/dagre';
import type { GraphEdge, GraphNode, Position } from './types';

/** Positions in layers. `down` puts the layers below each other, for narrow screens. */
export function layered(nodes: readonly GraphNode[], edges: readonly GraphEdge[], down = false): Map<string, Position> {
  const graph = new Graph({ multigraph: false });
  graph.setGraph({ rankdir: down ? 'TB' : 'LR', nodesep: down ? 110 : 44, ranksep: down ? 70 : 150, edgesep: 14 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const node of nodes) graph.setNode(node.id, { width: 26, height: 26 });
  const known = new Set(nodes.map((node) => node.id));
  for (const edge of edges) {
    if (edge.from === edge.to || !known.has(edge.from) || !known.has(edge.to)) continue;
    graph.setEdge(edge.from, edge.to);
  }
  layout(graph);
  const found = new Map<string, Position>();
  for (const node of nodes) {
    const place = graph.node(node.id) as { x?: number; y?: number };
    // The canvas counts upwards, the layout downwards.
    found.set(node.id, { x: place.x ?? 0, y: -(place.y ?? 0) });
  }
  return found;
}
