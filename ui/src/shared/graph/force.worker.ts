// Runs the force layout away from the page.

import iterate from 'graphology-layout-forceatlas2/iterate';
import type { ForceStep, ForceTask } from './force';
import { lengthFor } from './place';
import { packed, scaled, spread } from './tidy';

/** The library's layout of a node and an edge in its arrays. */
const PER_NODE = 10;
const PER_EDGE = 3;
/** How often the page is told, in milliseconds. */
const EVERY = 400;

self.onmessage = (message: MessageEvent<ForceTask>) => {
  const { places, links, sizes, budget } = message.data;
  const count = sizes.length;
  const nodes = new Float32Array(count * PER_NODE);
  for (let at = 0; at < count; at++) {
    nodes.set([places[at * 2] ?? 0, places[at * 2 + 1] ?? 0, 0, 0, 0, 0, 1, 1, sizes[at] ?? 10, 0], at * PER_NODE);
  }
  const edges = new Float32Array((links.length / 2) * PER_EDGE);
  for (let at = 0; at < links.length; at += 2) {
    const [from, to] = [(links[at] ?? 0) * PER_NODE, (links[at + 1] ?? 0) * PER_NODE];
    nodes[from + 6] = (nodes[from + 6] ?? 0) + 1;
    nodes[to + 6] = (nodes[to + 6] ?? 0) + 1;
    edges.set([from, to, 1], (at / 2) * PER_EDGE);
  }
  run(nodes, edges, { links, sizes, budget });
};

function run(nodes: Float32Array, edges: Float32Array, task: Pick<ForceTask, 'links' | 'sizes' | 'budget'>) {
  const count = nodes.length / PER_NODE;
  const settings = {
    linLogMode: false,
    outboundAttractionDistribution: false,
    adjustSizes: false,
    edgeWeightInfluence: 1,
    scalingRatio: 20,
    strongGravityMode: true,
    gravity: 0.4,
    slowDown: 1 + Math.log(count + 1),
    barnesHutOptimize: count > 400,
    barnesHutTheta: 0.9,
  };
  const most = count > 20_000 ? 120 : count > 2000 ? 200 : 220;
  const begun = performance.now();
  let told = begun;
  for (let turn = 0; turn < most; turn++) {
    iterate(settings, nodes, edges);
    const now = performance.now();
    if (now - begun > task.budget) break;
    if (now - told > EVERY) {
      told = now;
      tell(nodes, task, false);
    }
  }
  tell(nodes, task, true);
}

function tell(nodes: Float32Array, { links, sizes }: Pick<ForceTask, 'links' | 'sizes'>, isLast: boolean) {
  const places = new Float32Array((nodes.length / PER_NODE) * 2);
  for (let at = 0; at < places.length / 2; at++) {
    places[at * 2] = nodes[at * PER_NODE] ?? 0;
    places[at * 2 + 1] = nodes[at * PER_NODE + 1] ?? 0;
  }
  const tidied = packed(spread(scaled(places, links, lengthFor(sizes.length)), sizes), sizes, links);
  const step: ForceStep = { places: tidied, isLast };
  self.postMessage(step, { transfer: [step.places.buffer] });
}
