// What a graph is made of, for the canvas. Kinds and colours are the caller's: the estate's and the evidence's differ.

export interface GraphNode {
  id: string;
  kind: string;
  label: string;
  /** The whole name, where the label is cut. */
  name?: string;
  /** What else is known of it, for files. */
  facts?: Readonly<Record<string, unknown>>;
  /** From 0 to 1: how large it is drawn and how early its label shows. */
  importance?: number;
  /** Drawn as a ring in this colour: a severity, a mark. */
  ring?: string;
  /** A short sign at its upper right: `★`, `!`, `+12`. */
  sign?: string;
  /** Where it stands, when the caller knows; a graph whose nodes all have a place is not laid out. */
  place?: Position;
}

export interface GraphEdge {
  from: string;
  to: string;
  kind: string;
  /** What the caller calls it, when its ends as they are drawn do not say it. */
  name?: string;
  /** Derived from others: drawn dashed. */
  composite?: boolean;
  /** Shown beside the edge when the graph is small. */
  label?: string;
  /** Overrides the kind's colour. */
  color?: string;
  /** Drawn as taken away. */
  cut?: boolean;
  /** What else is known of it, for files. */
  facts?: Readonly<Record<string, unknown>>;
}

/** Edges between the same two ends, drawn as one. */
export interface Bundle {
  id: string;
  from: string;
  to: string;
  edges: GraphEdge[];
}

/** How kinds look. */
export interface GraphStyle {
  node: (kind: string) => { color: string; letter: string; label: string };
  edge: (kind: string) => { color: string; label: string };
}

export type Layout = 'force' | 'layered';

export interface Position {
  x: number;
  y: number;
}

/** What a person did on the canvas. */
export interface GraphEvents {
  onselect?: (chosen: { node?: string; edge?: Bundle } | undefined) => void;
  /** A double click or Enter. */
  onopen?: (node: string) => void;
  /** A right click or the menu key; the place is relative to the window. */
  onmenu?: (at: { x: number; y: number; node?: string; edge?: Bundle }) => void;
}

/** Up to so many nodes, everything is drawn all the time. */
export const SMALL = 2_000;
/** Beyond so many, edges are hidden while the picture moves, and pointing at a node does not light its neighbours. */
export const LARGE = 10_000;
/** Up to so many pairs of ends a person can click an edge; every picture draws them twice then. */
export const CLICKABLE = 12_000;
