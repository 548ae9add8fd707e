import { expect, test } from 'vitest';
import type { Schema } from '$shared/api/client';
import { besides, callFrom, caseOf, exampleOf, outcome, queryOf } from './call';

const agent: Schema<'Agent'> = {
  id: 'a1',
  tenant_id: 'default',
  agent_key: 'bot',
  name: 'Bot',
  environment: 'prod',
  risk_tier: 'low',
  status: 'frozen',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
};
const call = (changes: Partial<ReturnType<typeof callFrom>> = {}) => ({ ...callFrom(() => ''), agent: 'a1', tool: 'github', action: 'merge', ...changes });

test('a described call survives its address', () => {
  const given = call({ resource: 'shop#1', parameters: '{"a": 1}', trust: 'unknown', mutates: true, environment: 'dev' });
  const query = queryOf(given);
  expect(callFrom((name) => query[name] ?? '')).toEqual(given);
});
test('a trust that does not exist is not taken from an address', () => expect(callFrom(() => 'x').trust).toBe('trusted_internal_signed'));
test('the agent is described as it is registered, with its status', () => {
  expect(caseOf(call(), agent)).toMatchObject({ case: { agent: { id: 'a1', key: 'bot', status: 'frozen', risk_tier: 'low' }, resource: null } });
});
test('arguments that are not JSON are told', () => expect(caseOf(call({ parameters: '{a' }), agent)).toHaveProperty('missing'));
test('without an agent nothing is asked', () => expect(caseOf(call(), undefined)).toEqual({ missing: 'Choose an agent.' }));

const server = (changes: Partial<Schema<'McpServer'>>) =>
  ({ server_key: 'files', status: 'active', tools: [{ tool_key: 'read', status: 'pending' }], ...changes }) as Schema<'McpServer'>;
const mcp = call({ tool: 'mcp:files', action: 'read' });
test('a tool that the agent may not call is told', () => expect(besides(call(), { ...agent, allowed_tools: ['slack'] }, [])[0]?.why).toContain('may only call slack'));
test('a tool that the agent may call is not told', () => expect(besides(call(), { ...agent, allowed_tools: ['GitHub'] }, [])).toEqual([]));
test('an environment in which the agent may not act is told', () =>
  expect(besides(call({ environment: 'dev' }), { ...agent, allowed_environments: ['prod'] }, [])[0]?.why).toContain('may not act in dev'));
test('a server that nobody registered is told', () => expect(besides(mcp, agent, [])[0]?.why).toContain('not registered'));
test('a quarantined server is told', () => expect(besides(mcp, agent, [server({ status: 'quarantined' })])[0]?.why).toContain('quarantined'));
test('a tool that nobody approved is told', () => expect(besides(mcp, agent, [server({})])[0]?.why).toContain('pending'));

test('what the gateway denies, no policy allows', () => expect(outcome('allow', [{ verdict: 'deny', why: '' }])).toBe('deny'));
test('an agent that has to ask asks only for what would be allowed', () => {
  const asks = [{ verdict: 'require_approval' as const, why: '' }];
  expect([outcome('allow', asks), outcome('deny', asks), outcome('quarantine', asks)]).toEqual(['require_approval', 'deny', 'quarantine']);
});
test('without anything besides them policies decide', () => expect(outcome('redact', [])).toBe('redact'));

test('an example has the shape of its schema', () => {
  const schema = { type: 'object', properties: { base: { type: 'string', enum: ['main', 'dev'] }, n: { type: 'integer' }, tags: { type: 'array', items: { type: 'string' } } } };
  expect(exampleOf(schema)).toEqual({ base: 'main', n: 0, tags: [''] });
});
test('a schema without end gives an example with one', () => {
  const schema: Record<string, unknown> = { type: 'object' };
  schema['properties'] = { again: schema };
  expect(JSON.stringify(exampleOf(schema)).length).toBeLessThan(200);
});
