// Where nodes are put before, or without, a layout. Deterministic: the same graph gives the same picture.

import type { GraphEdge, GraphNode, Position } from './types';

/** The usual length of an edge, in the canvas's units: pixels at the natural zoom. */
export const LENGTH = 60;

/** The length of edges in a graph of this size: where few are, names need the room. */
export function lengthFor(count: number): number {
  return count <= 80 ? LENGTH * 1.6 : count <= 300 ? LENGTH * 1.3 : LENGTH;
}

/** A number from 0 to 1 that only depends on the text. */
export function chance(text: string): number {
  let hash = 2166136261;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16777619);
  // The last letters must matter for all bits: ids differ at their ends.
  hash = Math.imul(hash ^ (hash >>> 15), 2246822507);
  hash = Math.imul(hash ^ (hash >>> 13), 3266489909);
  return ((hash ^ (hash >>> 16)) >>> 0) / 4294967296;
}

/** Who is connected to whom, in either direction. */
export function neighbours(edges: readonly Pick<GraphEdge, 'from' | 'to'>[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const add = (one: string, other: string) => {
    const list = found.get(one);
    if (list) list.push(other);
    else found.set(one, [other]);
  };
  for (const { from, to } of edges) {
    if (from === to) continue;
    add(from, to);
    add(to, from);
  }
  return found;
}

/**
 * A first place for every node: the best connected in the middle of its part, what hangs on it around it, parts side by
 * side in a spiral. Linear in nodes and edges, besides sorting.
 */
export function seeds(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): Map<string, Position> {
  const linked = neighbours(edges);
  const degree = (id: string) => linked.get(id)?.length ?? 0;
  const order = nodes.map((node) => node.id).sort((a, b) => degree(b) - degree(a) || (a < b ? -1 : 1));
  const known = new Set(order);
  const placed = new Map<string, Position>();
  let part = 0;
  for (const start of order) {
    if (placed.has(start)) continue;
    const radius = LENGTH * Math.sqrt(placed.size) * 1.1;
    const angle = part++ * 2.399963;
    placed.set(start, { x: radius * Math.cos(angle), y: radius * Math.sin(angle) });
    const queue = [start];
    for (let at = 0; at < queue.length; at++) {
      const id = queue[at] as string;
      const next = (linked.get(id) ?? []).filter((other) => known.has(other) && !placed.has(other));
      for (const [other, place] of around(placed.get(id) as Position, [...new Set(next)], [])) {
        placed.set(other, place);
        queue.push(other);
      }
    }
  }
  return placed;
}

/** Places around a parent, away from what is there already, in rings when there are many. */
export function around(parent: Position, ids: readonly string[], taken: readonly Position[]): Map<string, Position> {
  const middle = taken.reduce((sum, one) => ({ x: sum.x + one.x - parent.x, y: sum.y + one.y - parent.y }), { x: 0, y: 0 });
  const isFree = Math.hypot(middle.x, middle.y) < 1e-6;
  // Opposite of where most of the picture lies, fanned out; a full circle when nothing is there.
  const away = isFree ? chance(ids[0] ?? '') * Math.PI * 2 : Math.atan2(-middle.y, -middle.x);
  const spread = isFree ? Math.PI * 2 : Math.PI * 1.2;
  const found = new Map<string, Position>();
  let ring = 1;
  let at = 0;
  while (at < ids.length) {
    const room = Math.max(3, Math.floor((spread * ring * LENGTH) / 36));
    const here = Math.min(room, ids.length - at);
    for (let index = 0; index < here; index++) {
      const part = here === 1 ? 0 : isFree ? index / here : index / (here - 1) - 0.5;
      const angle = away + part * spread;
      const radius = LENGTH * ring;
      found.set(ids[at + index] as string, { x: parent.x + radius * Math.cos(angle), y: parent.y + radius * Math.sin(angle) });
    }
    at += here;
    ring++;
  }
  return found;
}

/**
 * Places for nodes that came in addition: around a neighbour that has a place, and so on outwards; what hangs on nothing
 * known is put below the picture. Nothing that has a place moves.
 */
export function added(nodes: readonly GraphNode[], edges: readonly GraphEdge[], known: ReadonlyMap<string, Position>) {
  const linked = neighbours(edges);
  const places = new Map<string, Position>(known);
  let open = nodes.map((node) => node.id).filter((id) => !known.has(id));
  const found = new Map<string, Position>();
  while (open.length > 0) {
    const byParent = new Map<string, string[]>();
    for (const id of open) {
      const parent = (linked.get(id) ?? []).find((other) => places.has(other));
      if (parent !== undefined) byParent.set(parent, [...(byParent.get(parent) ?? []), id]);
    }
    if (byParent.size === 0) break;
    for (const [parent, ids] of byParent) {
      const taken = (linked.get(parent) ?? []).flatMap((id) => places.get(id) ?? []);
      for (const [id, place] of around(places.get(parent) as Position, ids, taken)) found.set(id, place);
    }
    for (const [id, place] of found) places.set(id, place);
    open = open.filter((id) => !places.has(id));
  }
  const box = bounds(places.values());
  open.forEach((id, at) => found.set(id, { x: box.x[0] + (at % 12) * LENGTH, y: box.y[0] - LENGTH * (1.5 + Math.floor(at / 12)) }));
  return found;
}

/** The box around positions. */
export function bounds(positions: Iterable<Position>): { x: [number, number]; y: [number, number] } {
  const box = { x: [Infinity, -Infinity] as [number, number], y: [Infinity, -Infinity] as [number, number] };
  for (const { x, y } of positions) {
    box.x = [Math.min(box.x[0], x), Math.max(box.x[1], x)];
    box.y = [Math.min(box.y[0], y), Math.max(box.y[1], y)];
  }
  return box.x[0] > box.x[1] ? { x: [0, 0], y: [0, 0] } : box;
}

/** The neighbour that lies most in a direction from a place: what an arrow key means. */
export function towards(from: Position, direction: Position, others: readonly (Position & { id: string })[]): string | undefined {
  let best: { id: string; score: number } | undefined;
  for (const other of others) {
    const [dx, dy] = [other.x - from.x, other.y - from.y];
    const length = Math.hypot(dx, dy);
    if (length === 0) continue;
    const straight = (dx * direction.x + dy * direction.y) / length;
    if (straight < 0.25) continue;
    const score = straight * straight * (1 + LENGTH / (LENGTH + length));
    if (!best || score > best.score) best = { id: other.id, score };
  }
  return best?.id;
}
