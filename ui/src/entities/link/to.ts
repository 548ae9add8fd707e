// Where things are shown. Features link to each other only through here, so that none needs to know another.

import { address } from '$shared/router/match';

const part = encodeURIComponent;

export const to = {
  overview: () => address('/'),
  /** The explorer; `focus` is a node's id. */
  explorer: (
    query: Partial<Record<'focus' | 'lens' | 'since' | 'from' | 'to' | 'at' | 'finding' | 'edge' | 'kind' | 'panel', string>> & {
      /** Edges that are taken away, each as `source KIND target`. */
      cut?: readonly string[];
    } = {},
  ) => address('/explorer', query),
  questions: () => address('/questions'),
  /** A question with its parameters, and the kind of things that are shown of its answer. */
  question: (name: string, parameters: Readonly<Record<string, string>> = {}, kind = '') =>
    address(`/questions/${part(name)}`, { ...Object.fromEntries(Object.entries(parameters).map(([key, value]) => [`p.${key}`, value])), kind }),
  node: (id: string) => address('/explorer', { focus: id }),
  findings: (query: Record<string, string | readonly string[]> = {}) => address('/findings', query),
  /** Tool servers that demand nothing of their callers. */
  openServers: () => address('/open-servers'),
  finding: (fingerprint: string) => address(`/findings/${part(fingerprint)}`),
  scans: () => address('/scans'),
  scan: (id: string) => address(`/scans/${part(id)}`),
  /** Two points compared; `show` and `change` choose the list. */
  compare: (from: string, until: string, list: Partial<Record<'show' | 'change', string>> = {}) =>
    address('/scans/compare', { from, to: until, ...list }),
  decisions: (query: Record<string, string> = {}) => address('/evidence/decisions', query),
  decision: (id: string) => address(`/evidence/decisions/${part(id)}`),
  run: (id: string) => address(`/evidence/runs/${part(id)}`),
  /** The runs around a run, across agents. */
  chain: (id: string) => address(`/evidence/runs/${part(id)}`, { view: 'chain' }),
  /** What is on record about an agent, as a graph. */
  agentEvidence: (id: string) => address(`/evidence/agents/${part(id)}`),
  incidents: (query: Record<string, string> = {}) => address('/evidence/incidents', query),
  incident: (id: string) => address(`/evidence/incidents/${part(id)}`),
  approvals: () => address('/evidence/approvals'),
  approval: (id: string) => address(`/evidence/approvals/${part(id)}`),
  receipts: () => address('/evidence/receipts'),
  receipt: (id: string) => address(`/evidence/receipts/${part(id)}`),
  live: () => address('/evidence/live'),
  agents: () => address('/agents'),
  agent: (id: string) => address(`/agents/${part(id)}`),
  servers: () => address('/servers'),
  server: (key: string) => address(`/servers/${part(key)}`),
  /** The registered MCP server that a node of the estate is. */
  serverOfNode: (id: string) => address('/servers', { node: id }),
  tools: () => address('/tools'),
  people: () => address('/people'),
  policies: () => address('/policies'),
  policy: (key: string, query: Partial<Record<'view' | 'line', string>> = {}) => address(`/policies/${part(key)}`, query),
  newPolicy: () => address('/new-policy'),
  /** The policy of which a part has this name in decisions. */
  policyNamed: (name: string) => address('/policies', { part: name }),
  /** Describes a call and says what would be decided. No policy can be called `test`. */
  tryCall: (call: Partial<Record<'agent' | 'tool' | 'action' | 'resource' | 'trust', string>> = {}) => address('/policies/test', call),
  rules: (query: Record<string, string | readonly string[]> = {}) => address('/rules', query),
  tryText: () => address('/rules/try'),
  rule: (id: string) => address(`/rules/${part(id)}`),
};
