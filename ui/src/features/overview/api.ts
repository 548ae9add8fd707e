// What this feature asks the API.

import { get, post, type Schema } from '$shared/api/client';

export type Summary = Schema<'EstateSummary'>;
export type TrendPoint = Schema<'TrendPoint'>;
export type Cut = Schema<'ProposedCut'>;
export type BestCuts = Schema<'BestCuts'>;
export type LastChanges = Schema<'LastChanges'>;
export type WorstPath = Schema<'FoundPath'>;

export const summary = (signal: AbortSignal): Promise<Summary> => get('/v1/estate/summary', { signal });

/** A row of the question; which columns there are is the question's own business, so each is looked at. */
export interface OpenServer {
  server_name: string;
  endpoint: string;
  transport: string;
  tool_count: number;
  server_id: string;
}

/** Tool servers that demand nothing of their callers. */
export async function openServers(cursor: string | undefined, signal: AbortSignal): Promise<{ items: OpenServer[]; total: number; next_cursor: string | null }> {
  const answer = await post('/v1/estate/questions/{name}', { path: { name: 'no-auth-servers' }, body: { limit: 200, cursor }, signal });
  return { items: answer.rows.map(openServer), total: answer.total, next_cursor: answer.next_cursor ?? null };
}

export function openServer(row: Record<string, unknown>): OpenServer {
  const text = (name: string) => (typeof row[name] === 'string' ? row[name] : '');
  const { tool_count: tools } = row;
  return {
    server_name: text('server_name'),
    endpoint: text('endpoint'),
    transport: text('transport'),
    tool_count: typeof tools === 'number' ? tools : 0,
    server_id: text('server_id'),
  };
}

/** A decision of the gateway, as lists and live events tell it. */
export interface DecisionRow {
  id: string;
  time: string;
  verdict: string;
  agent: string;
  what: string;
  reason: string;
}

type Recorded = Schema<'ShownDecision'>;

export async function decisions(signal: AbortSignal): Promise<DecisionRow[]> {
  const page = await get('/v1/decisions', { query: { limit: 8 }, signal });
  return page.items.map((one) => ({
    id: one.decision_id,
    time: one.created_at,
    verdict: one.decision,
    agent: one.agent_id,
    what: called(one),
    reason: one.reason,
  }));
}

/** The decision that a live event tells of; undefined when it tells of something else. */
export function heardDecision(event: unknown): DecisionRow | undefined {
  const heard = event as Partial<Recorded> & { kind?: string; occurred_at?: string; evidence?: { decision_id?: string } | null };
  const id = heard.decision_id ?? heard.evidence?.decision_id;
  if (typeof heard.decision !== 'string' || typeof heard.tool !== 'string' || typeof id !== 'string') return undefined;
  return {
    id,
    time: heard.occurred_at ?? heard.created_at ?? '',
    verdict: heard.decision,
    agent: heard.agent_id ?? '',
    what: called(heard),
    reason: heard.reason ?? '',
  };
}

function called(call: { tool?: string; action?: string; resource?: string | null }): string {
  const name = [call.tool, call.action].filter(Boolean).join(' · ');
  return call.resource ? `${name} · ${call.resource}` : name;
}
