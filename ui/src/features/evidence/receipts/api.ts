// Receipts as they are stored, byte for byte, and the keys that sign them.

import { get, getText } from '$shared/api/client';
import type { TrustedKey } from './verify';

/** The keys that the server says sign its receipts. */
export async function serversKeys(signal?: AbortSignal): Promise<TrustedKey[]> {
  const { keys } = await get('/v1/receipts/keys', signal ? { signal } : {});
  return keys.map((key) => key.public_key);
}

/** A receipt with the one before it, so that its link can be looked at. */
export function withPredecessor(sequence: number): Promise<string> {
  const from = Math.max(0, sequence - 1);
  return getText('/v1/receipts', { query: { from, limit: sequence - from + 1 } });
}

/** The most receipts that are verified at once in a browser. */
export const MOST_IN_RANGE = 10_000;
const PAGE = 1000;

/** Receipts from one place of the chain to another, as texts that follow each other; of too many, the newest. */
export async function between(first: number, last: number, ask = page): Promise<string[]> {
  const texts: string[] = [];
  for (let from = Math.max(first, last - MOST_IN_RANGE + 1); from <= last; from += PAGE) texts.push(await ask(from, Math.min(PAGE, last - from + 1)));
  return texts;
}

const page = (from: number, limit: number): Promise<string> => getText('/v1/receipts', { query: { from, limit } });

/** The newest receipts of the chain, newest first. */
export const newest = (limit: number): Promise<string> => getText('/v1/receipts', { query: { limit } });

/** Keys in what somebody typed: 64 hex digits each, alone or in the lines of a key file. */
export function keysIn(text: string): TrustedKey[] {
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim());
  return lines.flatMap((line) => line.match(/\b[0-9a-f]{64}\b/g) ?? []);
}
