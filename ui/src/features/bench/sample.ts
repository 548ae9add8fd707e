// A graph of any size for measurements: deterministic, with the shape of an estate, every node with a place.

import { chance, LENGTH } from '$shared/graph/place';
import type { GraphEdge, GraphNode } from '$shared/graph/types';

const KINDS = ['MCPTool', 'MCPTool', 'MCPResource', 'MCPServer', 'AgentInstance', 'Credential'];

export function sample(count: number): { nodes: GraphNode[]; edges: GraphEdge[] } {
  const nodes: GraphNode[] = [];
  const edges: GraphEdge[] = [];
  for (let at = 0; at < count; at++) {
    const radius = LENGTH * 0.6 * Math.sqrt(at);
    nodes.push({
      id: `n${at}`,
      kind: KINDS[at % KINDS.length] as string,
      label: `node ${at}`,
      importance: chance(`i${at}`) ** 4,
      place: { x: radius * Math.cos(at * 2.399963), y: radius * Math.sin(at * 2.399963) },
    });
    // To something a little further inside, and now and then across.
    if (at > 0) edges.push({ from: `n${Math.floor(at * chance(`a${at}`) ** 0.2)}`, to: `n${at}`, kind: 'PROVIDES_TOOL' });
    if (at % 2 === 0 && at > 10) edges.push({ from: `n${at}`, to: `n${at - 1 - Math.floor(chance(`b${at}`) * 9)}`, kind: 'CAN_REACH', composite: true });
  }
  return { nodes, edges };
}
