// A graph of any size: deterministic, with the shape of an estate. No node has a place, as when an estate is opened.

import type { GraphEdge, GraphNode } from '../src/shared/graph/types';

export const KINDS = ['MCPServer', 'MCPTool', 'MCPResource', 'AgentInstance', 'Credential'];

export interface Sample {
  nodes: GraphNode[];
  edges: GraphEdge[];
}

/** A few servers, many things that they provide, and what was derived across; about two edges a node. */
export function sample(size: number): Sample {
  let state = 7;
  const random = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * below);
  };
  const nodes: GraphNode[] = [];
  const edges: GraphEdge[] = [];
  const servers = Math.ceil(size / 20);
  for (let at = 0; at < size; at++) {
    const kind = KINDS[at < servers ? 0 : 1 + (at % 4)] as string;
    nodes.push({ id: `n${at}`, kind, label: `${kind} ${at}`, importance: at < servers ? 0.5 : 0.1 });
    if (at >= servers) edges.push({ from: `n${at % servers}`, to: `n${at}`, kind: 'PROVIDES_TOOL' });
    if (at > 0) edges.push({ from: `n${random(at)}`, to: `n${at}`, kind: 'HAS_ACCESS_TO', composite: true });
  }
  return { nodes, edges };
}
