// Makes the renderer's graph say what the data says: sizes, colours, letters, arrows.

import type Graph from 'graphology';
import { mix, type Palette } from './colours';
import { type NodeAttributes } from './draw';
import { type Bundle, type GraphEdge, type GraphNode, type GraphStyle, LARGE, type Position, SMALL } from './types';

export interface EdgeAttributes {
  size: number;
  color: string;
  type: string;
  label?: string | undefined;
  /** Its words do not depend on those of its ends. */
  forceLabel: boolean;
}

interface Look {
  style: GraphStyle;
  palette: Palette;
  /** Pixels for each unit of the layout when everything is in view: nodes keep their distance at any size of graph. */
  scale: number;
  /** Edges lie apart, so that there is room for their words. */
  isLayered: boolean;
}

const SMALLEST = 9;
const LARGEST = 16;

export type Content = Graph<NodeAttributes, EdgeAttributes>;

/** The size of a node in the layout's units. */
export function sizeOf(node: GraphNode): number {
  return SMALLEST + (LARGEST - SMALLEST) * (node.importance ?? 0);
}

/** Up to so many edges are drawn strongly, and in layers each says what it is; elsewhere there is no room for words. */
export const FEW = 60;

/** Puts nodes into an empty graph, each at its place. */
export function fillNodes(
  graph: Content,
  nodes: readonly GraphNode[],
  edges: readonly GraphEdge[],
  places: ReadonlyMap<string, Position>,
  look: Look,
): void {
  const looped = new Set(edges.filter((edge) => edge.from === edge.to).map((edge) => edge.from));
  const shrink = Math.max(nodes.length > SMALL ? 0.25 : 0.6, Math.min(1, look.scale));
  for (const node of nodes) {
    const { color, letter } = look.style.node(node.kind);
    graph.addNode(node.id, {
      x: 0,
      y: 0,
      ...places.get(node.id),
      size: sizeOf(node) * shrink,
      color,
      label: node.label,
      letter,
      ring: node.ring,
      sign: node.sign,
      isLooped: looped.has(node.id),
    });
  }
}

/** Puts edges, bundled by their ends, between the nodes of a graph. */
export function fillEdges(graph: Content, all: ReadonlyMap<string, Bundle>, look: Look): void {
  const isFew = all.size <= FEW;
  const isTold = look.isLayered && isFew;
  const isLarge = graph.order > LARGE;
  const size = isFew ? 2 : graph.order > SMALL ? 0.8 : 1.4;
  for (const bundle of all.values()) {
    if (bundle.from === bundle.to || !graph.hasNode(bundle.from) || !graph.hasNode(bundle.to)) continue;
    const attributes = { size, ...edgeAttributes(bundle, isFew, isTold, look) };
    // Heads of arrows can't be told apart in a graph of this size, and cost as much as the lines.
    if (isLarge) attributes.type = 'line';
    graph.addDirectedEdgeWithKey(bundle.id, bundle.from, bundle.to, attributes);
  }
}

function edgeAttributes({ edges }: Bundle, isFew: boolean, isTold: boolean, { style, palette }: Look): Omit<EdgeAttributes, 'size'> {
  const first = edges.find((edge) => edge.color) ?? edges.find((edge) => edge.composite) ?? edges[0];
  const look = style.edge(first?.kind ?? '');
  const isCut = edges.every((edge) => edge.cut);
  const more = edges.length > 1 ? ` +${edges.length - 1}` : '';
  return {
    color: isCut ? palette.faded : mix(first?.color ?? look.color, palette.ground, isFew ? 0.9 : 0.72),
    type: isCut || edges.every((edge) => edge.composite) ? 'dashed' : 'arrow',
    label: isTold ? (first?.label ?? look.label) + more : undefined,
    forceLabel: true,
  };
}
