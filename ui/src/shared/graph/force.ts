// The force layout, run in a worker of our own: the library's comes from a blob, which the page's policy refuses.

import { sizeOf } from './content';
import { packed, spread } from './tidy';
import type { GraphEdge, GraphNode, Position } from './types';

/** What the worker is asked. */
export interface ForceTask {
  /** Positions one after the other: x, y. */
  places: Float32Array;
  /** Indices one after the other: from, to. */
  links: Uint32Array;
  sizes: Float32Array;
  /** Milliseconds after which it ends, wherever it is. */
  budget: number;
}

/** What the worker answers: positions so far, and whether that is all. */
export interface ForceStep {
  places: Float32Array;
  isLast: boolean;
}

/** A layout that runs. */
export interface Running {
  done: Promise<void>;
  stop: () => void;
}

/** Lays out from the given places. `moved` is told in between and at the end. */
export function force(
  nodes: readonly GraphNode[],
  edges: readonly GraphEdge[],
  start: ReadonlyMap<string, Position>,
  budget: number,
  moved: (places: Map<string, Position>, isLast: boolean) => void,
): Running {
  const worker = new Worker(new URL('./force.worker.ts', import.meta.url), { type: 'module' });
  const task = taskOf(nodes, edges, start, budget);
  let finish = () => {};
  const done = new Promise<void>((resolve) => (finish = resolve));
  const stop = () => {
    worker.terminate();
    finish();
  };
  worker.onmessage = (message: MessageEvent<ForceStep>) => {
    moved(placesOf(nodes, message.data.places), message.data.isLast);
    if (message.data.isLast) stop();
  };
  worker.onerror = stop;
  worker.postMessage(task, [task.places.buffer, task.links.buffer, task.sizes.buffer]);
  return { done, stop };
}

/** The graph as numbers. */
export function taskOf(
  nodes: readonly GraphNode[],
  edges: readonly GraphEdge[],
  start: ReadonlyMap<string, Position>,
  budget: number,
): ForceTask {
  const index = new Map(nodes.map((node, at) => [node.id, at]));
  const links: number[] = [];
  for (const edge of edges) {
    const [from, to] = [index.get(edge.from), index.get(edge.to)];
    if (from !== undefined && to !== undefined && from !== to) links.push(from, to);
  }
  const places = new Float32Array(nodes.length * 2);
  nodes.forEach((node, at) => {
    const place = start.get(node.id);
    places[at * 2] = place?.x ?? 0;
    places[at * 2 + 1] = place?.y ?? 0;
  });
  const sizes = Float32Array.from(nodes, sizeOf);
  return { places, links: Uint32Array.from(links), sizes, budget };
}

/** Places of a graph without a layout: as they are, but spread and set side by side. */
export function tidied(nodes: readonly GraphNode[], edges: readonly GraphEdge[], start: ReadonlyMap<string, Position>): Map<string, Position> {
  const { places, links, sizes } = taskOf(nodes, edges, start, 0);
  return placesOf(nodes, packed(spread(places, sizes, 20), sizes, links));
}

function placesOf(nodes: readonly GraphNode[], places: Float32Array): Map<string, Position> {
  return new Map(nodes.map((node, at) => [node.id, { x: places[at * 2] ?? 0, y: places[at * 2 + 1] ?? 0 }]));
}
