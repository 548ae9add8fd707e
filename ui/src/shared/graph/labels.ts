// Names beside nodes, as on a map: the important first, each where it covers nothing; what finds no room waits for a closer look.

export interface Spot {
  x: number;
  y: number;
  radius: number;
  label: string;
  /** The more, the earlier it gets its place. */
  rank: number;
}

export interface Placed {
  label: string;
  /** The left end of the text, and its middle. */
  x: number;
  y: number;
  width: number;
}

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const CELL = 48;
/** A line's height, and the room around it. */
const HIGH = 15;
const GAP = 4;

/** Boxes that are taken, found by the cells that they touch. */
class Taken {
  readonly #cells = new Map<number, { box: Box; owner: number }[]>();

  add(box: Box, owner: number): void {
    this.#each(box, (key) => {
      const list = this.#cells.get(key);
      if (list) list.push({ box, owner });
      else this.#cells.set(key, [{ box, owner }]);
    });
  }

  isFree(box: Box, owner: number): boolean {
    let isFree = true;
    this.#each(box, (key) => {
      for (const other of this.#cells.get(key) ?? []) {
        if (other.owner !== owner && overlaps(box, other.box)) isFree = false;
      }
    });
    return isFree;
  }

  #each(box: Box, visit: (key: number) => void): void {
    for (let column = Math.floor(box.left / CELL); column <= Math.floor(box.right / CELL); column++) {
      for (let row = Math.floor(box.top / CELL); row <= Math.floor(box.bottom / CELL); row++) visit(column * 65_536 + row);
    }
  }
}

function overlaps(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/**
 * Where each label goes: below its node, else above, right or left of it; those that would cover something, or reach over
 * the edge of a picture of this width, get no place.
 */
export function placed(spots: readonly Spot[], widthOf: (label: string) => number, most = Infinity): Placed[] {
  const taken = new Taken();
  spots.forEach(({ x, y, radius }, owner) => taken.add({ left: x - radius, top: y - radius, right: x + radius, bottom: y + radius }, owner));
  const order = spots.map((_, at) => at).sort((a, b) => rankOf(spots, b) - rankOf(spots, a) || a - b);
  const found: Placed[] = [];
  for (const owner of order) {
    const spot = spots[owner];
    if (!spot?.label) continue;
    const width = widthOf(spot.label);
    for (const { x, y } of around(spot, width)) {
      const box = { left: x - 2, top: y - HIGH / 2, right: x + width + 2, bottom: y + HIGH / 2 };
      const isInside = most === Infinity || (box.left >= 0 && box.right <= most);
      if (!isInside || !taken.isFree(box, owner)) continue;
      taken.add(box, -1);
      found.push({ label: spot.label, x, y, width });
      break;
    }
  }
  return found;
}

const rankOf = (spots: readonly Spot[], at: number) => spots[at]?.rank ?? 0;

function around({ x, y, radius }: Spot, width: number): { x: number; y: number }[] {
  const away = radius + GAP;
  return [
    { x: x - width / 2, y: y + away + HIGH / 2 },
    { x: x - width / 2, y: y - away - HIGH / 2 },
    { x: x + away, y },
    { x: x - away - width, y },
  ];
}
