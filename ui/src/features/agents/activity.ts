// When agents were last active. The API says it by decisions only: the newest ones tell of most agents at once, the
// others are asked about one by one.

import { get, type Schema } from '$shared/api/client';

type Decision = Schema<'ShownDecision'>;
export type Ask = (query: { limit: number; agent_id?: string }) => Promise<{ items: Decision[] }>;

const NEWEST = 200;
const AT_ONCE = 6;

const askApi =
  (signal: AbortSignal): Ask =>
  (query) =>
    get('/v1/decisions', { query, signal });

/** The newest decision about each agent; agents about whom nothing was decided are not in it. */
export async function lastDecisions(ids: readonly string[], signal: AbortSignal, ask: Ask = askApi(signal)): Promise<Map<string, Decision>> {
  const last = new Map<string, Decision>();
  const newest = await ask({ limit: NEWEST });
  for (const decision of newest.items) if (!last.has(decision.agent_id)) last.set(decision.agent_id, decision);
  // With fewer than a whole page nothing is older than what came.
  const rest = newest.items.length < NEWEST ? [] : ids.filter((id) => !last.has(id));
  for (let at = 0; at < rest.length; at += AT_ONCE) {
    const answers = await Promise.all(rest.slice(at, at + AT_ONCE).map((agent_id) => ask({ limit: 1, agent_id })));
    for (const decision of answers.flatMap((answer) => answer.items)) last.set(decision.agent_id, decision);
  }
  return last;
}
