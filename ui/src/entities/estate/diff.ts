// Two points of the estate compared.

import { type Answer, get } from '$shared/api/client';

export type Comparison = Answer<'/v1/estate/diff'>;
export type Counts = Comparison['counts'];
export type Changed = Comparison['nodes'][number]['properties'][number];
export type Rewrite = Comparison['rug_pulls'][number];

/** How many entries of each list one answer may hold. */
export const MOST_CHANGES = 1000;

export function compare(from: string, until: string, limit: number, signal: AbortSignal): Promise<Comparison> {
  return get('/v1/estate/diff', { query: { from, to: until, limit }, signal });
}
