// Which decisions are shown: the query of the page and of the API are the same words, but for the length of time.

export const VERDICTS = ['deny', 'require_approval', 'quarantine', 'redact', 'allow'] as const;
export type Verdict = (typeof VERDICTS)[number];

export const SPANS: readonly { id: string; label: string; minutes: number }[] = [
  { id: '15m', label: 'Last 15 minutes', minutes: 15 },
  { id: '1h', label: 'Last hour', minutes: 60 },
  { id: '24h', label: 'Last 24 hours', minutes: 1440 },
  { id: '7d', label: 'Last 7 days', minutes: 10_080 },
];

export interface DecisionQuery {
  decision?: Verdict;
  agent_id?: string;
  run_id?: string;
  mcp_server?: string;
  from?: string;
}

/** What the API is asked for. Unknown words are left out rather than refused: an old link still shows something. */
export function asked(one: (name: string) => string, now: Date): DecisionQuery {
  const query: DecisionQuery = {};
  const verdict = VERDICTS.find((known) => known === one('decision'));
  if (verdict) query.decision = verdict;
  if (one('agent')) query.agent_id = one('agent');
  if (one('run')) query.run_id = one('run');
  if (one('server')) query.mcp_server = one('server');
  const span = SPANS.find(({ id }) => id === one('span'));
  if (span) query.from = new Date(now.getTime() - span.minutes * 60_000).toISOString();
  return query;
}
