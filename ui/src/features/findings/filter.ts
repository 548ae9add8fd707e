// Which findings are shown, as the address says it. Every state of the list is a link.

import type { Order } from '$shared/ui/table';

export const FACETS = ['severity', 'kind', 'category', 'status', 'lifecycle'] as const;

export type Facet = (typeof FACETS)[number];

export interface Filter {
  chosen: Record<Facet, string[]>;
  /** Free text. */
  q: string;
  /** The node that findings are about. */
  node: string;
  /** The point that lifecycles are told against. */
  since: string;
  /** The point that is looked at. */
  at: string;
  order: Order | undefined;
}

const SORTABLE = ['severity', 'title', 'status'];

/** Reads the query of an address. What makes no sense is left out. */
export function fromQuery(query: URLSearchParams): Filter {
  const all = (name: string) => [...new Set(query.getAll(name).flatMap((value) => value.split(',')).filter(Boolean))];
  return {
    chosen: {
      severity: all('severity'),
      kind: all('kind'),
      category: all('category'),
      status: all('status'),
      lifecycle: all('lifecycle'),
    },
    q: query.get('q') ?? '',
    node: query.get('node') ?? '',
    since: query.get('since') ?? '',
    at: query.get('at') ?? '',
    order: orderOf(query.get('sort') ?? ''),
  };
}

/** The query of an address, as `setQuery` and `to.findings` take it. */
export function toQuery(filter: Filter): Record<string, string | string[]> {
  return { ...filter.chosen, q: filter.q, node: filter.node, since: filter.since, at: filter.at, sort: sortOf(filter.order) };
}

/** `-kind` means downwards. */
export function sortOf(order: Order | undefined): string {
  return order ? (order.down ? '-' : '') + order.column : '';
}

function orderOf(sort: string): Order | undefined {
  const down = sort.startsWith('-');
  const column = down ? sort.slice(1) : sort;
  return SORTABLE.includes(column) ? { column, down } : undefined;
}

/** What the API is asked. What became of findings is not for it to filter by. */
export function asked(filter: Filter): Record<string, string> {
  const said: Record<string, string> = {};
  for (const facet of FACETS) {
    if (facet !== 'lifecycle' && filter.chosen[facet].length > 0) said[facet] = filter.chosen[facet].join(',');
  }
  for (const name of ['q', 'node', 'since', 'at'] as const) {
    if (filter[name].trim()) said[name] = filter[name].trim();
  }
  return said;
}

/** How many restrictions there are, for those who can't see them. */
export function restrictions(filter: Filter): number {
  const chosen = FACETS.reduce((sum, facet) => sum + filter.chosen[facet].length, 0);
  return chosen + [filter.q, filter.node].filter(Boolean).length;
}

/** Without any restriction; the points that are looked at stay. */
export function widest(filter: Filter): Filter {
  return { ...filter, q: '', node: '', chosen: { severity: [], kind: [], category: [], status: [], lifecycle: [] } };
}

/** What became of findings, counted and filtered by. Only rows beside another point say it. */
export function byFate<T extends { lifecycle?: string | null }>(filter: Filter, rows: readonly T[]): { counts: Record<string, number>; kept: T[] } {
  const counts: Record<string, number> = {};
  for (const { lifecycle } of rows) if (lifecycle) counts[lifecycle] = (counts[lifecycle] ?? 0) + 1;
  const wanted = filter.since ? filter.chosen.lifecycle : [];
  return { counts, kept: rows.filter((row) => wanted.length === 0 || wanted.includes(row.lifecycle ?? '')) };
}
