// What this feature asks the API.

import type { ScanRow } from '$entities/estate/types';
import { type Answer, get, post, remove } from '$shared/api/client';
import { type Sending, upload } from '$shared/api/upload';

export type { Comparison } from '$entities/estate/diff';
export type { ScanRow };
export type ScanPage = Answer<'/v1/estate/scans'>;

export type Imported = Answer<'/v1/estate/documents', 'post'>;
export type Warning = Imported['warnings'][number];

export function scans(cursor: string | undefined, signal: AbortSignal, limit = 100): Promise<ScanPage> {
  return get('/v1/estate/scans', { query: { limit, ...(cursor ? { cursor } : {}) }, signal });
}

export function scan(id: string, signal: AbortSignal): Promise<ScanRow> {
  return get('/v1/estate/scans/{id}', { path: { id }, signal });
}

export async function deleteScan(id: string): Promise<void> {
  await remove('/v1/estate/scans/{id}', { path: { id } });
}

/** Sends a document. 200 instead of 201 says that it was there before. */
export async function importDocument(file: Blob, sending: Sending): Promise<{ isNew: boolean; imported: Imported }> {
  const { status, answer } = await upload('/v1/estate/documents', file, sending);
  return { isNew: status === 201, imported: answer };
}

/** Says that somebody has looked at what a node's contents have become. */
export async function acknowledge(id: string, note: string): Promise<number> {
  const answer = await post('/v1/estate/nodes/{id}/acknowledge', { path: { id }, body: { note } });
  return answer.acknowledged;
}
