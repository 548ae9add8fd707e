// The list that is shown: in the server's order page by page, or, in another order or beside another point, all of it at once.

import { rank } from '$entities/severity/severity';
import { Loaded } from '$shared/api/load.svelte';
import { asProblem, type ApiProblem } from '$shared/api/problem';
import type { Column } from '$shared/ui/table';
import { ordered } from '$shared/ui/table';
import { everything, type FindingPage, type FindingRow, page } from './api';
import { MOST } from './draft';
import { byFate, type Filter } from './filter';

export const COLUMNS: Column<FindingRow>[] = [
  { id: 'severity', label: 'Severity', width: '100px', wide: true, sort: (row) => rank(row.severity) },
  { id: 'title', label: 'Finding', sort: (row) => row.title },
  { id: 'status', label: 'Status', width: '132px', wide: true, sort: (row) => row.status },
];

/** How many rows are put into the page at once. */
const STEP = 200;

/** Findings in a list, with their facets. */
export class FindingList {
  first = $state.raw<FindingPage>();
  rows = $state.raw<FindingRow[]>([]);
  problem = $state.raw<ApiProblem>();
  #shown = $state(STEP);
  #filter: Filter | undefined;
  #cursor = $state<string | null>(null);
  #loading: Loaded<void> | undefined;
  isSlow = $derived.by(() => this.#busy?.slow ?? false);
  #busy = $state.raw<Loaded<void>>();

  /** The rows that are on the page. */
  visible = $derived(this.rows.slice(0, this.#shown));
  hasMore = $derived(this.#shown < this.rows.length || this.#cursor !== null);
  total = $state(0);
  /** Sorted and filtered here, but there were too many to have them all. */
  isPartial = $state(false);
  /** What became of findings, counted. */
  fates = $state.raw<Record<string, number>>({});

  /** Loads the first rows; what is shown stays until they are there. */
  load(filter: Filter): () => void {
    this.#filter = filter;
    this.#loading?.stop();
    const loading = new Loaded<void>(async (signal) => {
      const isWhole = filter.order !== undefined || filter.since !== '';
      const found = isWhole ? await everything(filter, MOST, signal) : await page(filter, undefined, signal);
      const { counts, kept } = byFate(filter, found.items);
      const isFiltered = kept.length < found.items.length;
      this.first = found;
      this.fates = counts;
      this.total = isFiltered ? kept.length : found.total;
      this.isPartial = isWhole && found.items.length < found.total;
      this.rows = [...ordered(kept, COLUMNS, filter.order)];
      this.#cursor = isWhole ? null : (found.next_cursor ?? null);
      this.#shown = STEP;
    });
    this.#loading = loading;
    this.#busy = loading;
    void loading.again().then(() => {
      if (this.#loading === loading) this.problem = loading.problem;
    });
    return loading.stop;
  }

  again = (): void => {
    if (this.#filter) this.load(this.#filter);
  };

  more = async (): Promise<void> => {
    if (this.#shown < this.rows.length) {
      this.#shown += STEP;
      return;
    }
    const [filter, cursor] = [this.#filter, this.#cursor];
    if (!filter || cursor === null || this.#loading?.busy) return;
    const loading = new Loaded<void>(async (signal) => {
      const next = await page(filter, cursor, signal);
      this.rows = [...this.rows, ...next.items];
      this.#cursor = next.next_cursor ?? null;
      this.#shown += next.items.length;
    });
    this.#loading = loading;
    this.#busy = loading;
    await loading.again();
    if (loading.problem) this.problem = asProblem(loading.problem);
  };
}

/** The list that was looked at last, so that a finding's page leads to its neighbours and back. */
export const last = $state<{ fingerprints: string[]; search: string }>({ fingerprints: [], search: '' });
