// Draws the same graph with the console's canvas and with bare sigma, and measures both. Driven by `run.js`.

import Graph from 'graphology';
import Sigma from 'sigma';
import { Scene } from '../src/shared/graph/Scene';
import type { GraphEdge, GraphNode } from '../src/shared/graph/types';

/** How many steps a pan has. */
const STEPS = 6;
const STEP = { x: 0.002, y: 0.001 };
const KINDS = ['MCPServer', 'MCPTool', 'MCPResource', 'AgentInstance', 'Credential'];
const COLOURS = ['#4f9cf9', '#7cc46b', '#d6a94a', '#b98af0', '#e0656b'];

interface Times {
  /** Milliseconds until the first picture. */
  first: number;
  /** Milliseconds for a step of a pan. */
  pan: number;
}

interface Data {
  nodes: GraphNode[];
  edges: GraphEdge[];
}

/** An estate's shape: a few agents, servers that they use, many tools and what the tools touch; about two edges a node. */
function estate(size: number): Data {
  let state = 7;
  const random = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * below);
  };
  const nodes: GraphNode[] = [];
  const edges: GraphEdge[] = [];
  const servers = Math.ceil(size / 20);
  for (let at = 0; at < size; at++) {
    const kind = at < servers ? 0 : 1 + (at % 4);
    nodes.push({ id: `n${at}`, kind: KINDS[kind] as string, label: `${KINDS[kind]} ${at}`, importance: at < servers ? 0.5 : 0.1 });
    if (at >= servers) edges.push({ from: `n${at % servers}`, to: `n${at}`, kind: 'PROVIDES_TOOL' });
    if (at > 0) edges.push({ from: `n${random(at)}`, to: `n${at}`, kind: 'HAS_ACCESS_TO', composite: true });
  }
  return { nodes, edges };
}

const stage = () => document.getElementById('stage') as HTMLElement;
const frame = () => new Promise<void>((done) => requestAnimationFrame(() => done()));

/** Waits until everything that was drawn is on the picture: reading one point needs all of it. */
function settle(): void {
  for (const canvas of stage().querySelectorAll('canvas')) {
    const gl = canvas.getContext('webgl2') ?? canvas.getContext('webgl');
    gl?.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  }
}

async function measured(show: () => { pan: () => void; end: () => void }): Promise<Times> {
  stage().replaceChildren();
  await frame();
  const start = performance.now();
  const shown = show();
  settle();
  const first = performance.now() - start;
  await frame();
  const begun = performance.now();
  for (let step = 0; step < STEPS; step++) {
    shown.pan();
    settle();
  }
  const pan = (performance.now() - begun) / STEPS;
  shown.end();
  return { first, pan };
}

function ours({ nodes, edges }: Data): Promise<Times> {
  const palette = { ground: '#10141b', label: '#dfe5ee', edge: '#55606f', faded: '#2a313c', accent: '#4f9cf9' };
  const style = {
    node: (kind: string) => ({ color: COLOURS[KINDS.indexOf(kind)] ?? '#888888', letter: kind.slice(0, 1), label: kind }),
    edge: (kind: string) => ({ color: '#55606f', label: kind }),
  };
  return measured(() => {
    const scene = new Scene(stage(), { style, palette, events: {} });
    // The layout goes on in a worker; the first picture does not wait for it.
    void scene.show(nodes, edges, 'force');
    scene.pan({ x: 0, y: 0 });
    scene.stop();
    return { pan: () => scene.pan(STEP), end: () => scene.kill() };
  });
}

function bare({ nodes, edges }: Data): Promise<Times> {
  return measured(() => {
    const graph = new Graph({ type: 'directed', multi: true });
    const side = Math.ceil(Math.sqrt(nodes.length));
    nodes.forEach((node, at) => {
      const color = COLOURS[KINDS.indexOf(node.kind)] ?? '#888888';
      graph.addNode(node.id, { x: at % side, y: Math.floor(at / side), size: 4, color, label: node.label });
    });
    for (const edge of edges) graph.addEdge(edge.from, edge.to, { size: 1, color: '#55606f' });
    const sigma = new Sigma(graph, stage(), { defaultEdgeType: 'arrow' });
    const pan = (by: { x: number; y: number }) => {
      const camera = sigma.getCamera();
      camera.setState({ x: camera.x + by.x, y: camera.y + by.y });
      sigma.refresh({ skipIndexation: true });
    };
    pan({ x: 0, y: 0 });
    return { pan: () => pan(STEP), end: () => sigma.kill() };
  });
}

declare global {
  interface Window {
    compare: (size: number) => Promise<{ ours: Times; bare: Times }>;
  }
}

window.compare = async (size) => {
  const data = estate(size);
  return { bare: await bare(data), ours: await ours(data) };
};
