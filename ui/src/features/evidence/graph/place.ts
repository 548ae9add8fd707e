// Where evidence is drawn: a row for each decision in the order of time, columns from the cause at the left to what came of
// it at the right. What several rows share stands between them. Linear but for sorting, however much there is.

import type { Position } from '$shared/graph/types';
import type { Evidence, EvidenceNode } from './model';

const COLUMNS: Record<string, number> = {
  incident: 0,
  agent: 1,
  run: 2,
  tool_call: 3,
  decision: 4,
  approval: 5,
  receipt: 5,
  policy: 6,
  mcp_server: 7,
};
/** What several rows share stands beside them, not in line with one: its edges would run through what stands between. */
const ASIDE: Record<string, number> = { policy: -0.5, mcp_server: 0.5 };
const WIDTH = 160;
/** Few rows stand further apart, so that what is written beside them can be read. */
const heightOf = (rows: number) => Math.max(56, Math.min(150, 560 / Math.max(1, rows)));

/**
 * Places as the canvas counts them, upwards. Columns that are empty take no room. A tall picture has the columns below
 * each other, for screens on which they don't fit side by side.
 */
export function placed(graph: Evidence, shape: 'wide' | 'tall' = 'wide'): Map<string, Position> {
  const rows = rowsOf(graph.nodes);
  settle(graph, rows);
  for (const { id, group } of graph.nodes) if (group in ASIDE) rows.set(id, (rows.get(id) ?? 0) + (ASIDE[group] ?? 0));
  const height = shape === 'wide' ? heightOf(graph.nodes.filter((node) => node.group === 'decision').length) : 56;
  const groups = new Set(graph.nodes.map((node) => COLUMNS[node.group] ?? 0));
  const columns = [...groups].sort((a, b) => a - b);
  const places = new Map<string, Position>();
  for (const column of columns) {
    const nodes = graph.nodes.filter((node) => (COLUMNS[node.group] ?? 0) === column);
    const at = columns.indexOf(column);
    for (const [id, row] of spread(nodes, rows)) places.set(id, shape === 'wide' ? { x: at * WIDTH, y: -row * height } : { x: row * WIDTH, y: -at * height });
  }
  return places;
}

/** The row of each decision and of its call. */
function rowsOf(nodes: readonly EvidenceNode[]): Map<string, number> {
  const decisions = nodes.filter((node) => node.group === 'decision');
  decisions.sort((a, b) => (a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0));
  return new Map(decisions.flatMap(({ id }, row) => [[id, row], [id.replace('decision:', 'tool_call:'), row]] as const));
}

/** Gives what has no row the middle of those that it is joined to; twice over, as agents hang on runs and those on calls. */
function settle(graph: Evidence, rows: Map<string, number>): void {
  const joined = new Map<string, string[]>();
  const join = (one: string, other: string) => joined.set(one, [...(joined.get(one) ?? []), other]);
  for (const { from, to } of graph.edges) {
    if (!rows.has(from)) join(from, to);
    if (!rows.has(to)) join(to, from);
  }
  const open = graph.nodes.filter((node) => !rows.has(node.id)).sort((a, b) => (COLUMNS[b.group] ?? 0) - (COLUMNS[a.group] ?? 0));
  for (let round = 0; round < 2; round++) {
    for (const node of open) {
      const around = (joined.get(node.id) ?? []).flatMap((id) => rows.get(id) ?? []);
      if (around.length > 0 && !rows.has(node.id)) rows.set(node.id, around.reduce((sum, row) => sum + row, 0) / around.length);
    }
  }
}

/** Rows within a column, at least one apart. */
function spread(nodes: readonly EvidenceNode[], rows: ReadonlyMap<string, number>): [string, number][] {
  const wanted = nodes.map((node): [string, number] => [node.id, rows.get(node.id) ?? 0]).sort((a, b) => a[1] - b[1]);
  let last = Number.NEGATIVE_INFINITY;
  return wanted.map(([id, row]) => {
    last = Math.max(row, last + 0.9);
    return [id, last];
  });
}
