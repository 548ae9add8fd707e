// Draws the same graph with the console's canvas and with bare sigma, and measures both. Driven by `run.js`.

import Graph from 'graphology';
import Sigma from 'sigma';
import { Scene } from '../src/shared/graph/Scene';
import { KINDS, type Sample, sample } from './sample';

/** How many steps a pan has. */
const STEPS = 5;
const COLOURS = ['#4f9cf9', '#7cc46b', '#d6a94a', '#b98af0', '#e0656b'];
const GREY = '#55606f';
const PALETTE = { ground: '#10141b', label: '#dfe5ee', edge: GREY, faded: '#2a313c', accent: '#4f9cf9' };

interface Times {
  /** Milliseconds from having the data to the first picture. */
  first: number;
  /** Milliseconds for a step of a pan, the median. */
  pan: number;
}

/** What is needed of a renderer. */
interface Renderer {
  getCamera(): { x: number; setState(state: { x: number }): unknown };
  once(event: 'beforeRender' | 'afterRender', heard: () => void): unknown;
}

interface Shown {
  renderer: Renderer;
  end: () => void;
}

const stage = () => document.getElementById('stage') as HTMLElement;
const colour = (kind: string) => COLOURS[KINDS.indexOf(kind)] ?? '#888888';

/** The console's canvas: places, sizes, letters, layers. The layout goes on in a worker; the first picture does not wait for it. */
function ours({ nodes, edges }: Sample): Shown {
  const style = {
    node: (kind: string) => ({ color: colour(kind), letter: kind.slice(0, 1), label: kind }),
    edge: (kind: string) => ({ color: GREY, label: kind }),
  };
  const scene = new Scene(stage(), { style, palette: PALETTE, events: {} });
  void scene.show(nodes, edges, 'force');
  scene.stop();
  return { renderer: scene.renderer, end: () => scene.kill() };
}

/** The renderer as it comes, with nodes in rows. */
function bare({ nodes, edges }: Sample): Shown {
  const graph = new Graph({ type: 'directed', multi: true });
  const side = Math.ceil(Math.sqrt(nodes.length));
  nodes.forEach(({ id, kind, label }, at) => graph.addNode(id, { x: at % side, y: Math.floor(at / side), size: 4, color: colour(kind), label }));
  for (const { from, to } of edges) graph.addEdge(from, to, { size: 1, color: GREY });
  const sigma = new Sigma(graph, stage(), { defaultEdgeType: 'arrow' });
  return { renderer: sigma, end: () => sigma.kill() };
}

async function measured(show: () => Shown): Promise<Times> {
  stage().replaceChildren();
  await new Promise((done) => requestAnimationFrame(done));
  const begun = performance.now();
  const { renderer, end } = show();
  finish();
  const first = performance.now() - begun;
  const steps: number[] = [];
  for (let step = 0; step < STEPS; step++) steps.push(await panned(renderer, step % 2 === 0 ? 0.01 : -0.01));
  end();
  return { first, pan: steps.sort((a, b) => a - b)[STEPS >> 1] ?? 0 };
}

/** Moves the camera and tells how long the picture took, without the wait for the screen's next turn. */
function panned(renderer: Renderer, by: number): Promise<number> {
  return new Promise((done) => {
    let begun = 0;
    renderer.once('beforeRender', () => (begun = performance.now()));
    renderer.once('afterRender', () => {
      finish();
      done(performance.now() - begun);
    });
    const camera = renderer.getCamera();
    camera.setState({ x: camera.x + by });
  });
}

/** Waits until the drawing itself is done: reading a pixel needs all that was ordered before. */
function finish(): void {
  for (const canvas of stage().querySelectorAll('canvas')) {
    const gl = canvas.getContext('webgl2') ?? canvas.getContext('webgl');
    gl?.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  }
}

declare global {
  interface Window {
    compare: (size: number) => Promise<{ ours: Times; bare: Times }>;
  }
}

window.compare = async (size) => {
  const data = sample(size);
  return { bare: await measured(() => bare(data)), ours: await measured(() => ours(data)) };
};
