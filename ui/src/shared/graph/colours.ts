// Colours for what is drawn outside of CSS.

/** `share` of one colour in another; both as `#rrggbb`. */
export function mix(color: string, ground: string, share: number): string {
  const [a, b] = [channels(color), channels(ground)];
  return `#${a.map((value, at) => byte(value * share + (b[at] ?? 0) * (1 - share))).join('')}`;
}

function channels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) || 0);
}

function byte(value: number): string {
  return Math.round(value).toString(16).padStart(2, '0');
}

/** The colours of a theme that the canvas needs. */
export interface Palette {
  ground: string;
  label: string;
  edge: string;
  faded: string;
  accent: string;
}
