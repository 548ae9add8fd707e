// What can be reached from a thing, or who reaches it: all of it, part by part.

import { post } from '$shared/api/client';

/** How many things one answer may name. */
const PART = 1000;

export interface Reach {
  of: string;
  /** With the thing itself. */
  nodes: ReadonlySet<string>;
  byKind: Record<string, number>;
  byDistance: Record<string, number>;
  total: number;
}

export async function reached(of: string, direction: 'forward' | 'reverse', at: string | undefined, signal: AbortSignal): Promise<Reach> {
  const nodes = new Set([of]);
  let cursor: string | undefined;
  for (;;) {
    const body = { from: of, direction, at, limit: PART, ...(cursor ? { cursor } : {}) };
    const answer = await post('/v1/estate/reach', { body, signal });
    for (const { node } of answer.nodes) nodes.add(node.id);
    cursor = answer.next_cursor ?? undefined;
    if (!cursor) return { of, nodes, byKind: answer.by_kind, byDistance: answer.by_distance, total: answer.total };
  }
}
