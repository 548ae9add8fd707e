// Measures our canvas and the bare renderer with the same data, one after the other, in the same page.

import { edgeLook, nodeLook } from '$entities/kind/looks';
import type { GraphEdge, GraphNode } from '$shared/graph/types';

export interface Figures {
  /** Milliseconds from having the data to the first picture. */
  first: number;
  /** Milliseconds for a step of panning, the median. */
  pan: number;
}

const STEPS = 15;

const PALETTE = { ground: '#0a1016', label: '#e4ebf2', edge: '#47586a', faded: '#1b2530', accent: '#46bfae' };

export async function ours(container: HTMLElement, nodes: GraphNode[], edges: GraphEdge[]): Promise<Figures> {
  const { Scene } = await import('$shared/graph/Scene');
  const begun = performance.now();
  const scene = new Scene(container, { style: { node: nodeLook, edge: edgeLook }, palette: PALETTE, events: {} });
  await scene.show(nodes, edges, 'force');
  finish(container);
  const first = performance.now() - begun;
  const pan = await steps(container, scene.renderer);
  scene.kill();
  return { first, pan };
}

export async function bare(container: HTMLElement, nodes: GraphNode[], edges: GraphEdge[]): Promise<Figures> {
  const [{ default: Graph }, { default: Sigma }] = await Promise.all([import('graphology'), import('sigma')]);
  const begun = performance.now();
  const graph = new Graph({ multi: true });
  for (const { id, kind, label, importance, place } of nodes) {
    graph.addNode(id, { ...place, label, color: nodeLook(kind).color, size: 4 + 9 * (importance ?? 0) });
  }
  for (const { from, to, kind } of edges) graph.addEdge(from, to, { color: edgeLook(kind).color, size: 0.8 });
  const sigma = new Sigma(graph, container);
  finish(container);
  const first = performance.now() - begun;
  const pan = await steps(container, sigma);
  sigma.kill();
  return { first, pan };
}

interface Renderer {
  getCamera(): { x: number; setState(state: { x: number }): unknown };
  refresh(how: { skipIndexation: boolean }): unknown;
  scheduleRender(): unknown;
  once(event: 'afterRender', heard: () => void): unknown;
}

async function steps(container: HTMLElement, renderer: Renderer): Promise<number> {
  const times: number[] = [];
  const camera = renderer.getCamera();
  for (let step = 0; step < STEPS; step++) {
    const drawn = new Promise<void>((resolve) => renderer.once('afterRender', resolve));
    const begun = performance.now();
    camera.setState({ x: camera.x + (step % 2 === 0 ? 0.01 : -0.01) });
    await drawn;
    finish(container);
    times.push(performance.now() - begun);
  }
  return times.sort((a, b) => a - b)[STEPS >> 1] ?? 0;
}

/** Waits until the drawing itself is done: reading a pixel needs all that was ordered before. */
function finish(container: HTMLElement): void {
  for (const canvas of container.querySelectorAll('canvas')) {
    const context = canvas.getContext('webgl2') ?? canvas.getContext('webgl');
    context?.readPixels(0, 0, 1, 1, context.RGBA, context.UNSIGNED_BYTE, new Uint8Array(4));
  }
}
