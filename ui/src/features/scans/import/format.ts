// What a file is by its first bytes. It is sent as it is; the media type says how to read it.

import { count } from '$shared/text/safe';

const MARKS: { type: string; bytes: number[] }[] = [
  { type: 'application/gzip', bytes: [0x1f, 0x8b] },
  { type: 'application/zstd', bytes: [0x28, 0xb5, 0x2f, 0xfd] },
];

/** The media type of a document. What is not compressed is taken for JSON, and the server says where it is not. */
export async function mediaType(file: Blob): Promise<string> {
  const head = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  return MARKS.find(({ bytes }) => bytes.every((byte, at) => head[at] === byte))?.type ?? 'application/json';
}

/** What a document brought, in words. What was known before is not told. */
export function newsIn(added: Record<string, number>): string {
  const told = [
    ['new_nodes', 'new thing', 'new things'],
    ['changed_nodes', 'changed thing', 'changed things'],
    ['new_edges', 'new edge', 'new edges'],
    ['changed_edges', 'changed edge', 'changed edges'],
  ] as const;
  const news = told.flatMap(([name, single, several]) => ((added[name] ?? 0) > 0 ? [count(added[name] ?? 0, single, several)] : []));
  return news.length > 0 ? news.join(', ') : 'nothing new';
}

/** A size in words: `512 B`, `1.4 kB`, `3.0 MB`. */
export function bytes(size: number): string {
  const UNITS = ['B', 'kB', 'MB', 'GB'];
  let at = 0;
  let left = size;
  while (left >= 999.5 && at < UNITS.length - 1) {
    left /= 1000;
    at += 1;
  }
  return `${at === 0 || left >= 99.95 ? Math.round(left).toLocaleString('en') : left.toFixed(1)} ${UNITS[at] ?? ''}`;
}
