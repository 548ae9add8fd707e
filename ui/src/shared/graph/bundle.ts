// Several edges between the same two ends are drawn as one.

import type { Bundle, GraphEdge, GraphStyle } from './types';

/** The id of the bundle from one node to another. Ids never contain a line feed. */
export const bundleId = (from: string, to: string) => `${from}\n${to}`;

/** Edges by their two ends, in order of first appearance. */
export function bundles(edges: readonly GraphEdge[]): Map<string, Bundle> {
  const found = new Map<string, Bundle>();
  for (const edge of edges) {
    const id = bundleId(edge.from, edge.to);
    const bundle = found.get(id);
    if (bundle) bundle.edges.push(edge);
    else found.set(id, { id, from: edge.from, to: edge.to, edges: [edge] });
  }
  return found;
}

/** What a bundle is, in words: its first edge, and how many more there are. */
export function wordsOf(bundle: Bundle | undefined, style: GraphStyle): string {
  const first = bundle?.edges[0];
  if (!bundle || !first) return '';
  const words = first.label ?? style.edge(first.kind).label;
  return words && bundle.edges.length > 1 ? `${words} +${bundle.edges.length - 1}` : words;
}
