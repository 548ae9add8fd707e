// What stands in place of `:names` in the addresses of pages, taken from what a server has.

import type { Caller } from './caller';
import { until } from './until';
import type { Examples } from './walk';

const part = encodeURIComponent;

/** Examples for every page that needs one. Waits until the server has them. */
export async function examples(caller: Caller): Promise<Examples> {
  const incident = await until('an incident', async () => (await caller.get('/v1/incidents')).items[0]);
  const approval = await until('an approval that waits', async () => (await caller.get('/v1/approvals', { query: { status: 'pending' } })).items[0]);
  const decisions = await caller.get('/v1/decisions', { query: { limit: 50 } });
  const [receipt] = await caller.get('/v1/receipts', { query: { limit: 1 } });
  const decision = decisions.items.find((one) => one.decision === 'deny') ?? decisions.items[0];
  const { items: scans } = await caller.read<{ items: { scan_id: string }[] }>('/v1/estate/scans');
  const { items: findings } = await caller.read<{ items: { fingerprint: string }[] }>('/v1/estate/findings', { query: { limit: 1 } });
  const { items: rules } = await caller.read<{ items: { id: string }[] }>('/v1/estate/rules', { query: { limit: 1 } });
  const { items: servers } = await caller.get('/v1/mcp/servers', { query: { limit: 1 } });
  const asked = await caller.get('/v1/decisions/{id}', { path: { id: approval.decision_id } });
  return {
    '/evidence/decisions': ['/evidence/decisions?decision=deny'],
    '/evidence/decisions/:id': [`/evidence/decisions/${part(decision?.decision_id ?? '')}`],
    '/evidence/runs/:id': [`/evidence/runs/${part(asked.run_id ?? '')}`, `/evidence/runs/${part(asked.run_id ?? '')}?view=chain`],
    '/evidence/agents/:id': [`/evidence/agents/${part(incident.agent_id ?? '')}`],
    '/evidence/incidents/:id': [`/evidence/incidents/${part(incident.incident_id)}`],
    '/evidence/approvals': ['/evidence/approvals?show=all'],
    '/evidence/approvals/:id': [`/evidence/approvals/${part(approval.approval_id)}`],
    '/findings/:fingerprint': findings.map((one) => `/findings/${part(one.fingerprint)}`),
    '/questions/:name': ['/questions/no-auth-servers', '/questions/who-can-reach?p.node=critical'],
    '/rules/:id': rules.map((one) => `/rules/${part(one.id)}`),
    '/scans/:id': scans.slice(0, 1).map((one) => `/scans/${part(one.scan_id)}`),
    '/agents/:id': [`/agents/${part(incident.agent_id ?? '')}`],
    '/servers/:key': servers.map((one) => `/servers/${part(one.server_key)}`),
    '/policies/:key': ['/policies/default'],
    '/evidence/receipts/:id': [`/evidence/receipts/${part(receipt?.event_id ?? '')}`],
  };
}
