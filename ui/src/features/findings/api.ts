// What this feature asks the API.

import { type Answer, get, post, type Schema } from '$shared/api/client';
import type { Decision } from './draft';
import { asked, type Filter } from './filter';

export type FindingPage = Answer<'/v1/estate/findings'>;
export type FindingRow = FindingPage['items'][number];
export type FindingDetail = Schema<'FindingDetail'>;
export type Matched = Schema<'MatchedPart'>;
export type NodeHistory = Schema<'NodeHistory'>;

/** How many rows come at once. */
const PAGE = 200;
/** How many rows come at once when all are wanted. */
const LARGE_PAGE = 1000;

export function page(filter: Filter, cursor: string | undefined, signal: AbortSignal, limit = PAGE): Promise<FindingPage> {
  const query = { ...asked(filter), limit, ...(cursor ? { cursor } : {}) };
  return get('/v1/estate/findings', { query, signal });
}

/** All findings that fit, up to a number; `total` says how many there are. */
export async function everything(filter: Filter, most: number, signal: AbortSignal): Promise<FindingPage> {
  const first = await page(filter, undefined, signal, LARGE_PAGE);
  const items = [...first.items];
  let cursor = first.next_cursor;
  while (cursor && items.length < most) {
    const next: FindingPage = await page(filter, cursor, signal, LARGE_PAGE);
    items.push(...next.items);
    cursor = next.next_cursor;
  }
  return { ...first, items: items.slice(0, most), next_cursor: null };
}

export function detail(fingerprint: string, at: string, signal: AbortSignal): Promise<FindingDetail> {
  return get('/v1/estate/findings/{fingerprint}', { path: { fingerprint }, query: at ? { at } : {}, signal });
}

/** One request for all of them. */
export function decide(body: Decision): Promise<Answer<'/v1/estate/findings/triage', 'post'>> {
  return post('/v1/estate/findings/triage', { body });
}

/** When scans saw a node, and how its contents changed. */
export async function historyOf(node: string, signal: AbortSignal): Promise<NodeHistory> {
  return (await get('/v1/estate/nodes/{id}', { path: { id: node }, signal })).history;
}
