import { expect, test } from 'vitest';
import { draftOf, names, profileOf } from './profile';

const agent = {
  id: 'a1',
  tenant_id: 'default',
  agent_key: 'release-bot',
  name: 'Release bot',
  environment: 'prod',
  risk_tier: 'high',
  status: 'frozen',
  status_reason: 'it merged on a Friday',
  allowed_tools: ['github', 'mcp:files'],
  force_approval: true,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
} as const;

test('an agent that is only looked at is sent back as it was', () => {
  const given = { ...agent, allowed_tools: [...agent.allowed_tools] };
  const sent = profileOf(draftOf(given), given);
  expect(sent).toMatchObject({ name: 'Release bot', environment: 'prod', risk_tier: 'high', force_approval: true });
  expect(sent.allowed_tools).toEqual(['github', 'mcp:files']);
});
test('why an agent is stopped outlives a change of its profile', () => {
  const given = { ...agent, allowed_tools: [] };
  expect(profileOf({ ...draftOf(given), name: 'Another' }, given).status_reason).toBe('it merged on a Friday');
});
test('an agent without a name goes by its key', () => expect(profileOf({ ...draftOf(undefined), key: ' bot ' }, undefined).name).toBe('bot'));
test('what is left empty is not said', () => expect(profileOf(draftOf(undefined), undefined).owner_team).toBeNull());
test('names are told apart by commas and lines, each once', () => {
  expect(names('github, slack\n github,,mcp:files ')).toEqual(['github', 'slack', 'mcp:files']);
});
