// Evidence graphs as they come from the API: pages put together, cut to a depth, drawn, and told in the order of time.

import type { Schema } from '$shared/api/client';
import type { GraphEdge, GraphNode } from '$shared/graph/types';
import { plain } from '$shared/text/safe';
import { RINGS } from './looks';
import { placed } from './place';

export type Evidence = Schema<'EvidenceGraph'>;
export type EvidenceNode = Schema<'EvidenceNode'>;

/** From which depth on a group is there. Those that are not listed always are. */
const DEPTHS: Record<string, number> = { approval: 2, receipt: 2, mcp_server: 2, policy: 3 };
export const DEEPEST = 3;

/** Two parts of one graph. Nodes and edges that are in both are there once. */
export function joined(first: Evidence, next: Evidence): Evidence {
  const nodes = new Map([...first.nodes, ...next.nodes].map((node) => [node.id, node]));
  const edges = new Map([...first.edges, ...next.edges].map((edge) => [`${edge.from}\n${edge.label}\n${edge.to}`, edge]));
  return { ...next, nodes: [...nodes.values()], edges: [...edges.values()] };
}

/** What is there at a depth. */
export function cutTo(graph: Evidence, depth: number): Evidence {
  const nodes = graph.nodes.filter((node) => (DEPTHS[node.group] ?? 1) <= depth);
  const kept = new Set(nodes.map((node) => node.id));
  return { ...graph, nodes, edges: graph.edges.filter((edge) => kept.has(edge.from) && kept.has(edge.to)) };
}

/** The newest decisions, with what hangs on them; `always` is kept whatever it is. So that a picture can be read. */
export function newest(graph: Evidence, most: number, always = ''): Evidence {
  const decisions = graph.nodes.filter((node) => node.group === 'decision').sort((a, b) => (a.timestamp < b.timestamp ? 1 : -1));
  if (decisions.length <= most) return graph;
  const calls = new Set([...decisions.slice(0, most).map((node) => idOf(node.id)), idOf(always)]);
  const isCall = (id: string) => id.startsWith('decision:') || id.startsWith('tool_call:');
  const kept = new Set(graph.nodes.flatMap(({ id, group }) => ((isCall(id) && calls.has(idOf(id))) || group === 'incident' || group === 'agent' ? [id] : [])));
  const hang = graph.edges.flatMap(({ from, to }) => (kept.has(from) && !isCall(to) ? [to] : kept.has(to) && !isCall(from) && isCall(to) ? [from] : []));
  for (const id of hang) kept.add(id);
  const nodes = graph.nodes.filter((node) => kept.has(node.id));
  return { ...graph, nodes, edges: graph.edges.filter((edge) => kept.has(edge.from) && kept.has(edge.to)) };
}

/** The id of what a node stands for. */
export const idOf = (node: string): string => node.slice(node.indexOf(':') + 1);
export const groupOf = (node: string): string => node.slice(0, Math.max(0, node.indexOf(':')));

/** For the canvas. */
export function drawn(graph: Evidence, shape: 'wide' | 'tall' = 'wide'): { nodes: GraphNode[]; edges: GraphEdge[] } {
  const places = placed(graph, shape);
  const nodes = graph.nodes.map((node): GraphNode => {
    const ring = node.group === 'decision' ? RINGS[node.label] : undefined;
    return {
      id: node.id,
      kind: node.group,
      name: node.label,
      facts: { timestamp: node.timestamp, metadata: node.metadata },
      label: node.group === 'receipt' ? node.label.slice(0, 10) : plain(node.group === 'decision' ? node.label.replaceAll('_', ' ') : node.label, 44),
      importance: node.group === 'incident' || node.group === 'agent' ? 1 : node.group === 'decision' ? 0.7 : 0.4,
      place: places.get(node.id) ?? { x: 0, y: 0 },
      ...(ring ? { ring } : {}),
    };
  });
  const edges = graph.edges.map((edge): GraphEdge => ({ from: edge.from, to: edge.to, kind: edge.label }));
  return { nodes, edges };
}

/** Something that happened. */
export interface Happening {
  /** The node that stands for it. */
  node: string;
  time: string;
  group: 'decision' | 'approval' | 'incident';
  /** The call, the status, the summary. */
  text: string;
  verdict?: string;
  risk?: number;
  reason?: string;
}

/** What happened, oldest first. */
export function timeline(graph: Evidence): Happening[] {
  const calls = new Map(graph.nodes.filter((node) => node.group === 'tool_call').map((node) => [idOf(node.id), node.label]));
  const rows = graph.nodes.flatMap((node): Happening[] => {
    const base = { node: node.id, time: node.timestamp };
    if (node.group === 'decision') {
      return [{ ...base, group: 'decision', text: calls.get(idOf(node.id)) ?? node.label, verdict: node.label, ...details(node.metadata) }];
    }
    if (node.group === 'approval' || node.group === 'incident') return [{ ...base, group: node.group, text: node.label }];
    return [];
  });
  return rows.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
}

function details(metadata: unknown): { risk?: number; reason?: string } {
  const { risk_score: risk, reason } = (metadata ?? {}) as { risk_score?: unknown; reason?: unknown };
  return { ...(typeof risk === 'number' ? { risk } : {}), ...(typeof reason === 'string' ? { reason } : {}) };
}

/** A node with what it is joined to, to be lit. */
export function around(graph: Evidence, node: string): Set<string> {
  const found = new Set([node]);
  for (const { from, to } of graph.edges) {
    if (from === node) found.add(to);
    if (to === node) found.add(from);
  }
  return found;
}
