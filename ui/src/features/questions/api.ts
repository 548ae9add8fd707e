// What this feature asks the API.

import { get, post, type Schema } from '$shared/api/client';

export type Question = Schema<'ListedQuestion'>;
export type QuestionColumn = Schema<'QuestionColumn'>;
export type Row = Record<string, unknown>;

/** Rows on a page. */
const PART = 200;

export const questions = async (signal: AbortSignal): Promise<Question[]> => (await get('/v1/estate/questions', { signal })).items;

export function ask(name: string, asked: { parameters: Record<string, string>; at: string | undefined; cursor: string | undefined }, signal: AbortSignal) {
  return post('/v1/estate/questions/{name}', { path: { name }, body: { ...asked, limit: PART }, signal });
}
