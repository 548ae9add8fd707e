// What of the estate is on the canvas: filtered, seen through a lens, and folded. Linear in nodes and edges.
// Whatever is not shown is counted, so that the page can say so.

import { edgeName } from '$entities/estate/edge';
import type { EstateEdge, EstateNode, Subgraph } from '$entities/estate/types';
import { rank } from '$entities/severity/severity';
import { isSeen, type Lens } from './lenses';

export interface View {
  lens: Lens;
  /** Kinds of nodes; all when empty. */
  kinds: readonly string[];
  /** At least this severe; '' for all. */
  severity: string;
  /** Machines whose scans saw it; all when empty. */
  origins: readonly string[];
  fold: 'auto' | 'on' | 'off';
  /** Holders that are unfolded although the rest is folded, and the reverse. */
  turned: ReadonlySet<string>;
  /** Never filtered and never folded: what is selected or looked for. */
  keep: ReadonlySet<string>;
  /** Left out by hand. */
  hidden?: ReadonlySet<string>;
  /** Only this thing and what an edge of the lens connects it with; '' for all. */
  near?: string;
}

export interface ShownNode extends EstateNode {
  /** How many things are folded into it. */
  folded: number;
  /** It holds things that can be folded. */
  holds: number;
}

export interface ShownEdge extends EstateEdge {
  /** It stands for an edge of something that is folded into one of its ends. */
  lifted: boolean;
  /** The edge that it is or stands for. */
  name: string;
}

export interface Shown {
  nodes: ShownNode[];
  edges: ShownEdge[];
  isFolded: boolean;
  /** Folded into others. */
  folded: number;
  /** Left out by filters. */
  filtered: number;
  /** Left out because the lens shows no edge of theirs. */
  lone: number;
}

/** More than so many are folded unless somebody says otherwise. */
export const FOLDS_FROM = 300;

/** Edges by which one thing holds another, from the holder's side. */
const HOLDING = new Set(['PROVIDES_TOOL', 'PROVIDES_RESOURCE', 'PROVIDES_PROMPT', 'PROVIDES_MODEL', 'ADVERTISES_SKILL', 'EXTRACTED_FROM']);

export function visible(graph: Pick<Subgraph, 'nodes' | 'edges'>, view: View): Shown {
  const byId = new Map(graph.nodes.map((node) => [node.id, node]));
  const passing = new Set(graph.nodes.filter((node) => view.keep.has(node.id) || passes(node, view)).map((node) => node.id));
  let edges = graph.edges.filter((edge) => {
    const [source, target] = [byId.get(edge.source), byId.get(edge.target)];
    if (!source || !target || !passing.has(source.id) || !passing.has(target.id)) return false;
    return isSeen(view.lens, edge.kind, source.kind, target.kind);
  });
  const near = view.near && byId.has(view.near) ? neighbourhood(view.near, edges) : undefined;
  if (near) {
    for (const id of passing) if (!near.has(id) && !view.keep.has(id)) passing.delete(id);
    edges = edges.filter((edge) => passing.has(edge.source) && passing.has(edge.target));
  }
  const inLens = new Set(view.keep);
  for (const edge of edges) {
    inLens.add(edge.source);
    inLens.add(edge.target);
  }
  const seen = view.lens.withLone ? passing : new Set([...inLens].filter((id) => passing.has(id)));
  const holders = holdersOf(graph, seen);
  const isFolded = view.fold === 'on' || (view.fold === 'auto' && seen.size > FOLDS_FROM);
  const place = (id: string) => {
    const holder = holders.get(id);
    return holder !== undefined && isFolded !== view.turned.has(holder) && !view.keep.has(id) ? holder : id;
  };
  const nodes = shownNodes(graph.nodes, seen, holders, place);
  return {
    nodes,
    edges: shownEdges(edges, place),
    isFolded,
    folded: seen.size - nodes.length,
    filtered: graph.nodes.length - passing.size,
    lone: passing.size - seen.size,
  };
}

/** A thing with what it is connected to; what it holds brings its own connections, since it may be folded into it. */
function neighbourhood(id: string, edges: readonly EstateEdge[]): Set<string> {
  const inside = new Set([id, ...edges.flatMap((edge) => (HOLDING.has(edge.kind) && edge.source === id ? [edge.target] : []))]);
  const found = new Set(inside);
  for (const { source, target } of edges) {
    if (inside.has(source)) found.add(target);
    if (inside.has(target)) found.add(source);
  }
  return found;
}

function passes(node: EstateNode, view: View): boolean {
  if (view.hidden?.has(node.id)) return false;
  if (view.kinds.length > 0 && !view.kinds.includes(node.kind)) return false;
  if (view.severity && rank(node.severity) < rank(view.severity)) return false;
  return view.origins.length === 0 || node.origins.some((origin) => view.origins.includes(origin));
}

/** What holds each thing that exactly one thing holds. */
function holdersOf(graph: Pick<Subgraph, 'edges'>, seen: ReadonlySet<string>): Map<string, string> {
  const found = new Map<string, string>();
  const several = new Set<string>();
  for (const edge of graph.edges) {
    if (!HOLDING.has(edge.kind) || !seen.has(edge.source) || !seen.has(edge.target)) continue;
    if (found.has(edge.target) && found.get(edge.target) !== edge.source) several.add(edge.target);
    found.set(edge.target, edge.source);
  }
  for (const id of several) found.delete(id);
  // A chain of holders folds one step only, so that what is unfolded is found where it was folded.
  for (const [id, holder] of [...found]) if (found.has(holder)) found.delete(id);
  return found;
}

function shownNodes(
  nodes: readonly EstateNode[],
  seen: ReadonlySet<string>,
  holders: ReadonlyMap<string, string>,
  place: (id: string) => string,
): ShownNode[] {
  const folded = new Map<string, number>();
  const holds = new Map<string, number>();
  const more = (counts: Map<string, number>, id: string) => counts.set(id, (counts.get(id) ?? 0) + 1);
  for (const id of seen) {
    const holder = holders.get(id);
    if (holder !== undefined) more(holds, holder);
    if (place(id) !== id) more(folded, place(id));
  }
  return nodes
    .filter((node) => seen.has(node.id) && place(node.id) === node.id)
    .map((node) => ({ ...node, folded: folded.get(node.id) ?? 0, holds: holds.get(node.id) ?? 0 }));
}

function shownEdges(edges: readonly EstateEdge[], place: (id: string) => string): ShownEdge[] {
  const found = new Map<string, ShownEdge>();
  for (const edge of edges) {
    const [source, target] = [place(edge.source), place(edge.target)];
    const lifted = source !== edge.source || target !== edge.target;
    if (lifted && source === target) continue;
    const name = `${source} ${edge.kind} ${target}`;
    if (!found.has(name)) found.set(name, { ...edge, source, target, lifted, name: edgeName(edge) });
  }
  return [...found.values()];
}

/** How many nodes there are of each kind, or from each machine, most first. */
export function counted(nodes: readonly EstateNode[], by: (node: EstateNode) => readonly string[]): { id: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const node of nodes) for (const key of by(node)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].map(([id, count]) => ({ id, count })).sort((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1));
}
