// What is drawn on the two-dimensional layers: letters in nodes, rings, signs, labels, and what is pointed at.

import type Sigma from 'sigma';
import type { Palette } from './colours';
import { placed, type Spot } from './labels';

export interface NodeAttributes {
  x: number;
  y: number;
  size: number;
  color: string;
  label: string;
  letter: string;
  ring?: string | undefined;
  sign?: string | undefined;
  /** An edge leads from the node to itself. */
  isLooped?: boolean;
  forceLabel?: boolean;
}

/** Below this radius on screen a letter can't be read. */
const READABLE = 5;
/** The most nodes that get letters at one time; more can't be told apart anyway. */
const MOST = 1500;

interface Look {
  palette: Palette;
  font: string;
}

interface SignLook extends Look {
  selected?: string | undefined;
  largest: number;
  faded: (node: string) => boolean;
  /** Names are drawn too, as on a map; a large graph leaves that to the renderer. */
  withLabels: boolean;
}

/** Draws letters, rings, signs and names over the nodes in sight. Linear in the nodes, and cheap for those out of sight. */
export function drawSigns(sigma: Sigma<NodeAttributes>, canvas: HTMLCanvasElement, look: SignLook): void {
  const { width, height } = sigma.getDimensions();
  const ratio = window.devicePixelRatio || 1;
  if (canvas.width !== width * ratio || canvas.height !== height * ratio) {
    canvas.width = width * ratio;
    canvas.height = height * ratio;
  }
  const context = canvas.getContext('2d');
  if (!context) return;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  const graph = sigma.getGraph();
  if (look.selected && graph.hasNode(look.selected)) drawSelection(sigma, context, look.selected, look.palette);
  if (sigma.scaleSize(look.largest) < READABLE && !look.withLabels) return;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  let drawn = 0;
  const spots: Spot[] = [];
  for (const node of graph.nodes()) {
    const shown = sigma.getNodeDisplayData(node);
    if (!shown || shown.hidden) continue;
    const radius = sigma.scaleSize(shown.size);
    const attributes = graph.getNodeAttributes(node);
    const isPlain = radius < READABLE && !attributes.ring && !attributes.sign;
    if (isPlain && !look.withLabels) continue;
    const { x, y } = sigma.framedGraphToViewport(shown);
    if (x < -20 || y < -20 || x > width + 20 || y > height + 20) continue;
    const isFaded = look.faded(node);
    if (look.withLabels) spots.push({ x, y, radius, label: isFaded ? '' : attributes.label, rank: rankOf(node, attributes, look) });
    if (isPlain || ++drawn > MOST) continue;
    context.globalAlpha = isFaded ? 0.25 : 1;
    drawNode(context, attributes, x, y, radius, look);
  }
  context.globalAlpha = 1;
  if (look.withLabels) drawLabels(context, spots, width, look);
}

/** What is selected is named first, then what has a ring or a sign, then what is large. */
function rankOf(node: string, attributes: NodeAttributes, look: SignLook): number {
  return (node === look.selected ? 1000 : 0) + (attributes.ring ? 50 : 0) + (attributes.sign ? 50 : 0) + attributes.size;
}

const LABEL_SIZE = 12;
const widths = new Map<string, number>();

function drawLabels(context: CanvasRenderingContext2D, spots: readonly Spot[], width: number, look: Look): void {
  context.font = `500 ${LABEL_SIZE}px ${look.font}`;
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  context.lineWidth = 3.5;
  context.strokeStyle = look.palette.ground;
  context.fillStyle = look.palette.label;
  if (widths.size > 20_000) widths.clear();
  const widthOf = (label: string) => {
    const known = widths.get(label) ?? context.measureText(label).width;
    widths.set(label, known);
    return known;
  };
  for (const { label, x, y } of placed(spots, widthOf, width)) {
    context.strokeText(label, x, y);
    context.fillText(label, x, y);
  }
}

function drawNode(context: CanvasRenderingContext2D, node: NodeAttributes, x: number, y: number, radius: number, look: Look) {
  if (radius >= READABLE) {
    context.fillStyle = '#ffffff';
    context.font = `700 ${Math.round(radius * (node.letter.length > 1 ? 0.88 : 1.05))}px ${look.font}`;
    context.fillText(node.letter, x, y + 0.5);
  }
  if (node.ring) circle(context, x, y, radius + 2, node.ring, 2);
  if (node.isLooped) {
    context.setLineDash([3, 2]);
    circle(context, x, y, radius + 5.5, node.ring ?? look.palette.edge, 1.5);
    context.setLineDash([]);
  }
  if (node.sign) {
    context.font = `700 10px ${look.font}`;
    const wide = context.measureText(node.sign).width + 6;
    context.fillStyle = look.palette.label;
    context.beginPath();
    context.roundRect(x + radius * 0.5, y - radius - 9, wide, 13, 6);
    context.fill();
    context.fillStyle = look.palette.ground;
    context.fillText(node.sign, x + radius * 0.5 + wide / 2, y - radius - 2);
  }
}

function drawSelection(sigma: Sigma<NodeAttributes>, context: CanvasRenderingContext2D, node: string, palette: Palette) {
  const shown = sigma.getNodeDisplayData(node);
  if (!shown) return;
  const { x, y } = sigma.framedGraphToViewport(shown);
  circle(context, x, y, sigma.scaleSize(shown.size) + 8, palette.accent, 2.5);
}

function circle(context: CanvasRenderingContext2D, x: number, y: number, radius: number, color: string, width: number) {
  context.strokeStyle = color;
  context.lineWidth = width;
  context.beginPath();
  context.arc(x, y, radius, 0, Math.PI * 2);
  context.stroke();
}

/** A label with a halo of the ground, so that it can be read over edges. */
export function labelPainter(look: Look) {
  return (context: CanvasRenderingContext2D, data: { x: number; y: number; size: number; label: string | null }, settings: { labelSize: number }) => {
    if (!data.label) return;
    context.font = `500 ${settings.labelSize}px ${look.font}`;
    context.textAlign = 'left';
    const x = data.x + data.size + 5;
    const y = data.y + settings.labelSize / 3;
    context.lineJoin = 'round';
    context.lineWidth = 3.5;
    context.strokeStyle = look.palette.ground;
    context.strokeText(data.label, x, y);
    context.fillStyle = look.palette.label;
    context.fillText(data.label, x, y);
  };
}

/** The label of the node that is pointed at, on a plate. */
export function hoverPainter(look: Look) {
  return (context: CanvasRenderingContext2D, data: { x: number; y: number; size: number; label: string | null }, settings: { labelSize: number }) => {
    circle(context, data.x, data.y, data.size + 4, look.palette.accent, 2);
    if (!data.label) return;
    context.textAlign = 'left';
    context.font = `600 ${settings.labelSize}px ${look.font}`;
    const wide = context.measureText(data.label).width;
    const x = data.x + data.size + 5;
    context.fillStyle = look.palette.ground;
    context.strokeStyle = look.palette.edge;
    context.lineWidth = 1;
    context.beginPath();
    context.roundRect(x - 4, data.y - 10, wide + 9, 20, 4);
    context.fill();
    context.stroke();
    context.fillStyle = look.palette.label;
    context.fillText(data.label, x, data.y + settings.labelSize / 3);
  };
}
