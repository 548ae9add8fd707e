// The explorer's state, all of it in the address.

import { parseEdge } from '$entities/estate/edge';
import { here, setQuery } from '$shared/router/router.svelte';
import { lensOf } from './model/lenses';
import type { View } from './model/visible';

const list = (name: string) => here.all(name).join('\n');
const split = (joined: string) => (joined ? joined.split('\n') : []);

/** What ends the showing of paths. */
const NO_PATHS = { from: null, to: null, path: null, finding: null, beside: null, after: null };

/** What the address says. Lists are compared as text, so that what did not change causes nothing. */
export class ExplorerView {
  at = $derived(here.one('at'));
  lens = $derived(lensOf(here.one('lens')));
  focus = $derived(here.one('focus'));
  edge = $derived(here.one('edge'));
  severity = $derived(here.one('severity'));
  fold = $derived.by((): View['fold'] => {
    const fold = here.one('fold');
    return fold === 'on' || fold === 'off' ? fold : 'auto';
  });
  from = $derived(here.one('from'));
  to = $derived(here.one('to'));
  by = $derived<'hops' | 'weight'>(here.one('by') === 'hops' ? 'hops' : 'weight');
  k = $derived(Math.min(50, Math.max(1, Number.parseInt(here.one('k'), 10) || 5)));
  path = $derived(Number.parseInt(here.one('path'), 10) || 0);
  of = $derived(here.one('of'));
  direction = $derived<'forward' | 'reverse'>(here.one('direction') === 'reverse' ? 'reverse' : 'forward');
  /** The finding whose path is shown. */
  finding = $derived(here.one('finding'));
  panel = $derived(here.one('panel') || (this.from || this.to || this.finding ? 'paths' : 'view'));
  #kinds = $derived(list('kind'));
  #origins = $derived(list('origin'));
  #turned = $derived(list('turned'));
  #cuts = $derived(list('cut'));
  #hidden = $derived(list('hide'));
  hidden = $derived<ReadonlySet<string>>(new Set(split(this.#hidden)));
  /** Only this thing and what it is connected to is shown. */
  near = $derived(here.one('near'));
  kinds = $derived(split(this.#kinds));
  origins = $derived(split(this.#origins));
  turned = $derived<ReadonlySet<string>>(new Set(split(this.#turned)));
  cuts = $derived(split(this.#cuts).flatMap((name) => parseEdge(name) ?? []));
  cutNames = $derived<ReadonlySet<string>>(new Set(split(this.#cuts)));
  /** The point that the lens of changes compares with. */
  since = $derived(here.one('since'));
  /** Paths are shown beside each other instead of drawn. */
  isBeside = $derived(here.one('beside') !== '');
  /** Paths are drawn as they would be without what is cut. */
  isAfter = $derived(here.one('after') !== '' && this.#cuts !== '');
  tab = $derived(here.one('tab'));
  /** Both ends of paths are there. */
  hasEnds = $derived(this.from !== '' && this.to !== '');
  /** Paths are shown instead of the estate. */
  hasPaths = $derived(this.hasEnds || this.finding !== '');

  /** Selects a node and keeps it in the history, so that going back goes back. */
  select = (node: string | undefined) => setQuery({ focus: node, edge: null }, { replace: false });
  /** Looks at a thing in the estate, wherever one is. */
  show = (node: string) => setQuery({ focus: node, edge: null, ...NO_PATHS }, { replace: false });
  /** The estate through a lens. */
  look = (lens: string, more: Record<string, string | null> = {}) =>
    setQuery({ lens: lens === 'topology' ? null : lens, panel: null, ...NO_PATHS, ...more }, { replace: false });
  selectEdge = (edge: string) => setQuery({ edge, focus: null }, { replace: false });

  turn = (holder: string) => {
    const turned = new Set(this.turned);
    if (!turned.delete(holder)) turned.add(holder);
    setQuery({ turned: [...turned] });
  };

  /** Leaves a thing out of the picture. */
  hide = (node: string) => setQuery({ hide: [...new Set([...this.hidden, node])], ...(this.focus === node ? { focus: null } : {}) }, { replace: false });

  cut = (edge: string) => {
    const cuts = new Set(this.cutNames);
    if (!cuts.delete(edge)) cuts.add(edge);
    setQuery({ cut: [...cuts], panel: 'what-if' }, { replace: false });
  };
}
