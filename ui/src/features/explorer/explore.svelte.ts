// What the explorer asks the server, following the view.

import type { FoundPath, PathsAnswer, Subgraph, WhatIfAnswer } from '$entities/estate/types';
import { rank, SEVERITIES } from '$entities/severity/severity';
import { get, post } from '$shared/api/client';
import { load } from '$shared/api/load.svelte';
import { changesSince } from './model/changes';
import { reached } from './model/reach';
import type { ExplorerView } from './view.svelte';

/** The most things that one picture holds. */
const MOST = 50_000;

/** A finding as the explorer shows it. */
export interface ShownFinding {
  fingerprint: string;
  title: string;
  subject: { id: string };
  paths: FoundPath[];
}

/** Everything that is loaded. Call it while a component begins. */
export function explore(view: ExplorerView) {
  const at = $derived(view.at || undefined);
  let isPartial = $state(false);
  let whole = $state.raw<Subgraph>();
  // An estate that does not come whole is filtered by the server, so that what is asked for does come.
  const filters = $derived(isPartial ? JSON.stringify(asFilters(view)) : '{}');
  const graph = load(async (signal) => {
    const asked = JSON.parse(filters) as Record<string, string>;
    const told = await get('/v1/estate/graph', { query: { at, limit: MOST, ...asked }, signal });
    if (Object.keys(asked).length === 0) {
      whole = told;
      isPartial = told.truncated;
    }
    return told;
  });
  const paths = load(async (signal): Promise<PathsAnswer | undefined> => {
    if (!view.hasEnds) return undefined;
    return post('/v1/estate/paths', { body: { from: view.from, to: view.to, k: view.k, by: view.by, at }, signal });
  });
  // The same ends, number and order as the paths that are shown, so that before and after are of one sort.
  const whatIf = load(async (signal): Promise<WhatIfAnswer | undefined> => {
    if (view.cuts.length === 0 || !(view.panel === 'what-if' || view.isAfter)) return undefined;
    const ends = view.hasEnds ? { from: view.from, to: view.to, k: view.k, by: view.by } : {};
    return post('/v1/estate/what-if', { body: { remove_edges: view.cuts, at, ...ends }, signal });
  });
  const finding = load(async (signal) => (view.finding ? findingOf(view.finding, at, signal) : undefined));
  const reach = load(async (signal) => (view.lens.id === 'blast' && view.of ? reached(view.of, view.direction, at, signal) : undefined));
  const cuts = load(async (signal) => {
    if (view.lens.id !== 'choke') return undefined;
    return post('/v1/estate/cuts', { body: { from: 'all agents', to: 'critical resources', at }, signal });
  });
  const changes = load(async (signal) => (view.lens.id === 'changes' ? changesSince(view.since, at, signal) : undefined));
  const lit = $derived.by((): ReadonlySet<string> | undefined => {
    if (view.lens.id === 'blast') return reach.data?.nodes;
    if (view.lens.id === 'choke') return cuts.data && new Set(cuts.data.cuts.flatMap(({ edge }) => [edge.source.id, edge.target.id]));
    if (view.lens.id === 'changes') return changes.data && new Set(changes.data.signs.keys());
    return undefined;
  });
  return {
    graph,
    paths,
    finding,
    whatIf,
    reach,
    cuts,
    changes,
    /** The estate without filters, for the choices beside it. */
    get whole() {
      return whole;
    },
    get lit() {
      return lit;
    },
    /** What kept a lens from being shown. */
    get lensProblem() {
      const { id } = view.lens;
      return id === 'blast' ? reach.problem : id === 'choke' ? cuts.problem : id === 'changes' ? changes.problem : undefined;
    },
    /** The paths that are drawn instead of the estate. */
    get shownPaths(): FoundPath[] | undefined {
      if (view.hasEnds && view.isAfter) return whatIf.data?.paths_after?.paths;
      return view.hasEnds ? paths.data?.paths : view.finding ? finding.data?.paths : undefined;
    },
  };
}

export type Explored = ReturnType<typeof explore>;

function asFilters(view: ExplorerView): Record<string, string> {
  // The server knows single severities and one machine; several machines are filtered here alone.
  const severities = SEVERITIES.filter((one) => view.severity && one !== 'info' && rank(one) >= rank(view.severity));
  const given = { kinds: view.kinds.join(','), severity: severities.join(','), origin: view.origins.length === 1 ? (view.origins[0] ?? '') : '' };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
}

async function findingOf(fingerprint: string, at: string | undefined, signal: AbortSignal): Promise<ShownFinding> {
  const told = await get('/v1/estate/findings/{fingerprint}', { path: { fingerprint }, query: { at }, signal });
  const path = { steps: told.path, hops: told.path.length, weight: told.total_weight ?? 0 };
  return { fingerprint, title: told.title, subject: told.subject, paths: told.path.length > 0 ? [path] : [] };
}
