// What this feature asks the API.

import { type Answer, get, post } from '$shared/api/client';

export type RuleRow = Answer<'/v1/estate/rules'>['items'][number];
export type RuleDetail = Answer<'/v1/estate/rules/{id}'>;
export type Ledger = NonNullable<RuleRow['ledger']>;
export type Example = RuleDetail['tests'][number];
export type Tried = Answer<'/v1/estate/rules/try', 'post'>;
export type Match = Tried['matches'][number];

const LARGE_PAGE = 1000;

/** All rules; there are hundreds, not more. */
export async function rules(signal: AbortSignal): Promise<RuleRow[]> {
  const found: RuleRow[] = [];
  let cursor: string | null | undefined;
  do {
    const page: Answer<'/v1/estate/rules'> = await get('/v1/estate/rules', { query: { limit: LARGE_PAGE, ...(cursor ? { cursor } : {}) }, signal });
    found.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor);
  return found;
}

export function rule(id: string, signal: AbortSignal): Promise<RuleDetail> {
  return get('/v1/estate/rules/{id}', { path: { id }, signal });
}

/** What the rules say about a text. `target` is what the text is taken for, such as `tool.description`. */
export function tryText(text: string, target: string, signal: AbortSignal): Promise<Tried> {
  const [kind = '', field = ''] = target.split('.');
  return post('/v1/estate/rules/try', { body: { text, ...(kind ? { kind } : {}), ...(field ? { field } : {}) }, signal });
}
