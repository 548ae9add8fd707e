// Findings over scans, as stacked columns.

import { SEVERITIES, type Severity } from '$entities/severity/severity';
import type { TrendPoint } from './api';

export interface Segment {
  severity: Severity;
  count: number;
  /** From the ground, in parts of the whole height. */
  from: number;
  height: number;
}

export interface Pillar {
  point: TrendPoint;
  total: number;
  segments: Segment[];
}

/** The mildest below, the worst on top; the highest column fills the height. */
export function pillars(points: readonly TrendPoint[]): Pillar[] {
  const totals = points.map((point) => sum(Object.values(point.findings_by_severity)));
  const top = Math.max(1, ...totals);
  return points.map((point, at) => {
    let from = 0;
    const segments: Segment[] = [];
    for (const severity of SEVERITIES.toReversed()) {
      const count = point.findings_by_severity[severity] ?? 0;
      if (count === 0) continue;
      segments.push({ severity, count, from, height: count / top });
      from += count / top;
    }
    return { point, total: totals[at] ?? 0, segments };
  });
}

/** How the last number differs from the one before it: `+2`, `−1`, '' without a difference or without one before. */
export function change(values: readonly number[]): string {
  const [before, after] = [values.at(-2), values.at(-1)];
  if (before === undefined || after === undefined || before === after) return '';
  return after > before ? `+${after - before}` : `−${before - after}`;
}

function sum(values: readonly number[]): number {
  return values.reduce((all, one) => all + one, 0);
}
