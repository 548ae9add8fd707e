// The picture as a file. The JSON form has what the picture shows, with whole names, what is known of each thing, and its place.

import { plain } from '../text/safe';
import { bundles } from './bundle';
import { type Palette, mix } from './colours';
import { bounds } from './place';
import type { GraphEdge, GraphNode, GraphStyle, Position } from './types';

export interface Picture {
  nodes: readonly GraphNode[];
  edges: readonly GraphEdge[];
  places: ReadonlyMap<string, Position>;
  /** More to tell of nodes, by their ids. */
  more?: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}

const RADIUS = 11;

/** The graph as an SVG document. */
export function svg(picture: Picture, style: GraphStyle, palette: Palette): string {
  const box = bounds(picture.places.values());
  const pad = 60;
  const [width, height] = [box.x[1] - box.x[0] + 2 * pad + 160, box.y[1] - box.y[0] + 2 * pad];
  const at = (id: string) => {
    const place = picture.places.get(id);
    return place && { x: place.x - box.x[0] + pad, y: box.y[1] - place.y + pad };
  };
  const lines = [...bundles(picture.edges).values()].flatMap((bundle) => {
    const [from, to] = [at(bundle.from), at(bundle.to)];
    const first = bundle.edges[0];
    if (!from || !to || !first) return [];
    const color = mix(first.color ?? style.edge(first.kind).color, palette.ground, 0.75);
    const dash = first.composite ? ' stroke-dasharray="6 4"' : '';
    const words = escaped(bundle.edges.map((edge) => style.edge(edge.kind).label).join(', '));
    return `<path d="${bundle.from === bundle.to ? loop(from) : line(from, to)}" fill="none" stroke="${color}" stroke-width="1.5"${dash} marker-end="url(#arrow)"><title>${words}</title></path>`;
  });
  const dots = picture.nodes.flatMap((node) => {
    const place = at(node.id);
    if (!place) return [];
    const look = style.node(node.kind);
    const ring = node.ring ? ` stroke="${node.ring}" stroke-width="2.5"` : '';
    return [
      `<circle cx="${round(place.x)}" cy="${round(place.y)}" r="${RADIUS}" fill="${look.color}"${ring}><title>${escaped(plain(nameOf(node), 2000))}</title></circle>`,
      `<text x="${round(place.x)}" y="${round(place.y + 4)}" text-anchor="middle" font-weight="700" font-size="11" fill="#ffffff">${escaped(look.letter)}</text>`,
      `<text x="${round(place.x + 16)}" y="${round(place.y + 4)}" font-size="12" fill="${palette.label}">${escaped(plain(nameOf(node), 200))}</text>`,
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${round(width)}" height="${round(height)}" viewBox="0 0 ${round(width)} ${round(height)}" font-family="system-ui, sans-serif">`,
    `<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto"><path d="M0 0L8 4L0 8z" fill="${palette.edge}"/></marker></defs>`,
    `<rect width="100%" height="100%" fill="${palette.ground}"/>`,
    ...lines,
    ...dots,
    '</svg>',
  ].join('\n');
}

/** The graph as JSON. */
export function json(picture: Picture): string {
  const nodes = picture.nodes.map((node) => {
    const { id, kind, facts, sign } = node;
    return { ...facts, ...picture.more?.get(id), id, kind, name: nameOf(node), ...(sign ? { sign } : {}), ...picture.places.get(id) };
  });
  const edges = picture.edges.map(({ from, to, kind, name, composite, cut, facts }) => ({
    ...facts,
    source: from,
    kind,
    target: to,
    composite: composite ?? false,
    ...(name ? { name } : {}),
    ...(cut ? { cut } : {}),
  }));
  return JSON.stringify({ nodes, edges }, null, 2);
}

const nameOf = (node: GraphNode) => node.name ?? node.label;

/** A picture as PNG. At once: `toBlob` waits until the browser has nothing else to do, which may take many seconds. */
export function png(canvas: HTMLCanvasElement): Blob {
  const bytes = atob(canvas.toDataURL('image/png').split(',')[1] ?? '');
  return new Blob([Uint8Array.from(bytes, (letter) => letter.charCodeAt(0))], { type: 'image/png' });
}

/** Offers a file to save. */
export function save(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // A busy browser may take a while to begin.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function line(from: Position, to: Position): string {
  const end = shortened(from, to, RADIUS + 3);
  return `M${round(from.x)} ${round(from.y)}L${round(end.x)} ${round(end.y)}`;
}

/** From a node to itself, above it. */
function loop({ x, y }: Position): string {
  return `M${round(x - 6)} ${round(y - RADIUS)}C${round(x - 26)} ${round(y - 44)} ${round(x + 26)} ${round(y - 44)} ${round(x + 6)} ${round(y - RADIUS - 3)}`;
}

function shortened(from: Position, to: Position, by: number): Position {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return { x: to.x - ((to.x - from.x) / length) * by, y: to.y - ((to.y - from.y) / length) * by };
}

const round = (value: number) => Math.round(value * 10) / 10;

/** Text for XML; what XML can't hold at all is already spelled out by `plain`. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
