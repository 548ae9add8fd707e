// Which rules are shown, as the address says it, and the exact counts beside each choice.

import type { RuleRow } from './api';

export const FACETS = ['severity', 'kind', 'owasp', 'matcher', 'target', 'origin', 'tag', 'state'] as const;

export type Facet = (typeof FACETS)[number];

export interface Filter {
  chosen: Record<Facet, string[]>;
  q: string;
}

const VALUES: Record<Facet, (rule: RuleRow) => readonly string[]> = {
  severity: (rule) => [rule.severity],
  kind: (rule) => [rule.kind],
  owasp: (rule) => rule.owasp,
  matcher: (rule) => [rule.matcher],
  target: (rule) => rule.targets,
  origin: (rule) => [rule.origin],
  tag: (rule) => rule.tags,
  state: (rule) => [rule.enabled ? 'on' : 'off'],
};

/** Reads the query of an address. */
export function fromQuery(query: URLSearchParams): Filter {
  const chosen = Object.fromEntries(FACETS.map((facet) => [facet, [...new Set(query.getAll(facet).filter(Boolean))]]));
  return { chosen: chosen as Filter['chosen'], q: query.get('q') ?? '' };
}

/** How many restrictions there are. */
export const restrictions = (filter: Filter): number =>
  FACETS.reduce((sum, facet) => sum + filter.chosen[facet].length, filter.q.trim() ? 1 : 0);

/** The rules that fit. Several values of one facet mean any of them, several words all of them. */
export function fitting(rules: readonly RuleRow[], filter: Filter, besides?: Facet): RuleRow[] {
  const words = filter.q.toLowerCase().split(/\s+/).filter(Boolean);
  return rules.filter((rule) => {
    const text = `${rule.id} ${rule.name} ${rule.tags.join(' ')} ${rule.owasp.join(' ')}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) return false;
    return FACETS.every((facet) => {
      const wanted = filter.chosen[facet];
      return facet === besides || wanted.length === 0 || VALUES[facet](rule).some((value) => wanted.includes(value));
    });
  });
}

/** How many rules each value of a facet would leave, with everything else chosen as it is. */
export function counts(rules: readonly RuleRow[], filter: Filter, facet: Facet): Map<string, number> {
  const found = new Map<string, number>();
  for (const rule of rules) for (const value of VALUES[facet](rule)) found.set(value, 0);
  for (const rule of fitting(rules, filter, facet)) {
    for (const value of new Set(VALUES[facet](rule))) found.set(value, (found.get(value) ?? 0) + 1);
  }
  return found;
}
