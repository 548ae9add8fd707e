// What a force layout leaves to do: nothing on top of anything else, parts side by side, lone nodes in rows.
// Places are x, y one after the other; links are indices, from and to one after the other.

/** The room that a node takes besides its own size; more where few are, for names. */
const MARGIN = 14;
const MARGIN_OF_FEW = 30;
const FEW = 300;
/** The room of a node that hangs on nothing. */
const LONE = { width: 150, height: 62 };
/** Beyond so many nodes single overlaps are not mended: they can't be seen either. */
const MOST = 6_000;

/** Scales so that the shortest edge at a node usually has this length. */
export function scaled(places: Float32Array, links: Uint32Array, length: number): Float32Array {
  const shortest = new Float32Array(places.length / 2).fill(Infinity);
  for (let at = 0; at < links.length; at += 2) {
    const [from, to] = [at_(links, at), at_(links, at + 1)];
    const long = Math.hypot(at_(places, from * 2) - at_(places, to * 2), at_(places, from * 2 + 1) - at_(places, to * 2 + 1));
    shortest[from] = Math.min(at_(shortest, from), long);
    shortest[to] = Math.min(at_(shortest, to), long);
  }
  const known = shortest.filter((long) => long > 0 && long < Infinity).sort();
  const usual = known[known.length >> 1] ?? length;
  return places.map((value) => (value * length) / usual);
}

/** Pushes apart what overlaps. Each round is linear in the nodes, as long as they do not all lie in one place. */
export function spread(places: Float32Array, sizes: Float32Array, rounds = 80): Float32Array {
  const found = places.slice();
  if (sizes.length > MOST) return found;
  const margin = sizes.length <= FEW ? MARGIN_OF_FEW : MARGIN;
  const cell = 2 * sizes.reduce((most, size) => Math.max(most, size), 1) + margin;
  for (let round = 0; round < rounds; round++) {
    if (!pushApart(found, sizes, cell, margin)) break;
  }
  return found;
}

function pushApart(places: Float32Array, sizes: Float32Array, cell: number, margin: number): boolean {
  const cells = new Map<string, number[]>();
  const key = (x: number, y: number) => `${Math.floor(x / cell)} ${Math.floor(y / cell)}`;
  for (let node = 0; node < sizes.length; node++) {
    const name = key(at_(places, node * 2), at_(places, node * 2 + 1));
    const list = cells.get(name);
    if (list) list.push(node);
    else cells.set(name, [node]);
  }
  let isMoved = false;
  for (let node = 0; node < sizes.length; node++) {
    const [x, y] = [at_(places, node * 2), at_(places, node * 2 + 1)];
    for (let dx = -1; dx <= 1; dx++) {
      for (let dy = -1; dy <= 1; dy++) {
        for (const other of cells.get(key(x + dx * cell, y + dy * cell)) ?? []) {
          if (other > node && part(places, [node, other], at_(sizes, node) + at_(sizes, other) + margin)) isMoved = true;
        }
      }
    }
  }
  return isMoved;
}

/** Moves two nodes apart if they are nearer than they need. */
function part(places: Float32Array, [one, other]: [number, number], need: number): boolean {
  let dx = at_(places, other * 2) - at_(places, one * 2);
  let dy = at_(places, other * 2 + 1) - at_(places, one * 2 + 1);
  let length = Math.hypot(dx, dy);
  if (length >= need - 0.5) return false;
  if (length < 1e-3) {
    // Two in the same place part in a direction that only depends on which they are.
    [dx, dy, length] = [Math.cos(one + other), Math.sin(one * 7 + other), 1];
  }
  const push = (need - length) / 2 / length;
  places[one * 2] = at_(places, one * 2) - dx * push;
  places[one * 2 + 1] = at_(places, one * 2 + 1) - dy * push;
  places[other * 2] = at_(places, other * 2) + dx * push;
  places[other * 2 + 1] = at_(places, other * 2 + 1) + dy * push;
  return true;
}

/** The connected parts, largest first; each a list of nodes. */
export function parts(count: number, links: Uint32Array): number[][] {
  const root = Uint32Array.from({ length: count }, (_, node) => node);
  const find = (node: number): number => {
    let top = node;
    while (at_(root, top) !== top) top = at_(root, top);
    while (at_(root, node) !== top) [node, root[node]] = [at_(root, node), top];
    return top;
  };
  for (let at = 0; at < links.length; at += 2) root[find(at_(links, at))] = find(at_(links, at + 1));
  const byRoot = new Map<number, number[]>();
  for (let node = 0; node < count; node++) {
    const list = byRoot.get(find(node));
    if (list) list.push(node);
    else byRoot.set(find(node), [node]);
  }
  return [...byRoot.values()].sort((a, b) => b.length - a.length || at_(a, 0) - at_(b, 0));
}

/** Sets the parts beside each other in rows, largest first, so that the whole is a little wider than high. */
export function packed(places: Float32Array, sizes: Float32Array, links: Uint32Array, gap = 70): Float32Array {
  const boxes = parts(sizes.length, links).map((nodes) => ({ nodes, ...box(places, nodes) }));
  const lone = boxes.filter(({ nodes }) => nodes.length === 1);
  const real = boxes.filter(({ nodes }) => nodes.length > 1);
  const area = real.reduce((sum, one) => sum + (one.width + gap) * (one.height + gap), 0) + lone.length * LONE.width * LONE.height;
  const wide = Math.max(real[0]?.width ?? 0, Math.sqrt(area * 1.35));
  const found = places.slice();
  let [x, y, high] = [0, 0, 0];
  const put = (one: (typeof boxes)[number], width: number, height: number) => {
    if (x > 0 && x + width > wide) [x, y, high] = [0, y - high, 0];
    for (const node of one.nodes) {
      found[node * 2] = at_(places, node * 2) - one.left + x;
      found[node * 2 + 1] = at_(places, node * 2 + 1) - one.top + y;
    }
    x += width;
    high = Math.max(high, height);
  };
  for (const one of real) put(one, one.width + gap, one.height + gap);
  [x, y, high] = [0, y - high, 0];
  for (const one of lone) put(one, LONE.width, LONE.height);
  return found;
}

function box(places: Float32Array, nodes: readonly number[]) {
  let [left, right, top, bottom] = [Infinity, -Infinity, -Infinity, Infinity];
  for (const node of nodes) {
    const [x, y] = [at_(places, node * 2), at_(places, node * 2 + 1)];
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.max(top, y);
    bottom = Math.min(bottom, y);
  }
  return { left, top, width: right - left, height: top - bottom };
}

function at_(list: ArrayLike<number>, index: number): number {
  return list[index] ?? 0;
}
