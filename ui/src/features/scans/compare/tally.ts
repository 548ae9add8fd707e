// What differs between two points, counted: every number is the way to its list.

import type { Comparison, Counts } from '$entities/estate/diff';

export const SHOWS = ['findings', 'rewritten', 'things', 'edges'] as const;

/** A list of a comparison. */
export type Show = (typeof SHOWS)[number];

export interface Tally {
  /** '' means all that the list holds. */
  change: string;
  label: string;
  /** Says it without words, beside the number. */
  sign: '+' | '−' | '~' | '!' | '↺' | '=';
  value: number;
  tone: 'good' | 'bad' | 'plain';
}

export const TITLES: Record<Show, string> = {
  findings: 'Findings',
  rewritten: 'Rewritten contents',
  things: 'Things',
  edges: 'Edges',
};

/** The numbers of every list. Findings that are simply still there have no list here, and so no number. */
export function tallies(counts: Counts): Record<Show, Tally[]> {
  const graph = (added: number, removed: number, changed: number): Tally[] => [
    { change: 'added', label: 'came', sign: '+', value: added, tone: 'plain' },
    { change: 'removed', label: 'went', sign: '−', value: removed, tone: 'plain' },
    { change: 'changed', label: 'changed', sign: '~', value: changed, tone: 'plain' },
  ];
  return {
    findings: [
      { change: 'new', label: 'new', sign: '+', value: counts.findings_new, tone: 'bad' },
      { change: 'reopened', label: 'reopened', sign: '↺', value: counts.findings_reopened, tone: 'bad' },
      { change: 'changed', label: 'changed', sign: '~', value: counts.findings_changed, tone: 'plain' },
      { change: 'fixed', label: 'fixed', sign: '−', value: counts.findings_fixed, tone: 'good' },
    ],
    rewritten: [{ change: '', label: 'rewritten', sign: '!', value: counts.rug_pulls, tone: 'bad' }],
    things: graph(counts.nodes_added, counts.nodes_removed, counts.nodes_changed),
    edges: graph(counts.edges_added, counts.edges_removed, counts.edges_changed),
  };
}

/** The list that is asked for; without one the first that holds something. */
export function shownOf(asked: string, told: Record<Show, Tally[]>): Show {
  const chosen = SHOWS.find((one) => one === asked);
  return chosen ?? SHOWS.find((one) => sum(told[one]) > 0) ?? 'findings';
}

/** How many a list should hold, all or those of one change. */
export function wanted(tally: readonly Tally[], change: string): number {
  return sum(tally.filter((one) => change === '' || one.change === change));
}

/** The entries of a list that are of a change; '' means any. */
export function ofChange<T extends { change: string }>(entries: readonly T[], change: string): T[] {
  return entries.filter((one) => change === '' || one.change === change);
}

/** How many entries of a list came with the answer. */
export function held(comparison: Comparison, show: Show, change: string): number {
  if (show === 'rewritten') return comparison.rug_pulls.length;
  const lists: Record<Exclude<Show, 'rewritten'>, readonly { change: string }[]> = {
    findings: comparison.findings,
    things: comparison.nodes,
    edges: comparison.edges,
  };
  return ofChange(lists[show], change).length;
}

/** Nothing differs at all. */
export function isSame(comparison: Comparison): boolean {
  return Object.values(tallies(comparison.counts)).every((tally) => sum(tally) === 0);
}

function sum(tally: readonly Tally[]): number {
  return tally.reduce((all, one) => all + one.value, 0);
}
