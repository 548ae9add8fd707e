import { expect, test } from 'vitest';
import { type Ask, lastDecisions } from './activity';

type Decision = Awaited<ReturnType<Ask>>['items'][number];
const decided = (agent_id: string, decision_id: string) => ({ agent_id, decision_id }) as Decision;
const signal = new AbortController().signal;

test('the newest decision about an agent is its last activity', async () => {
  const ask: Ask = async () => ({ items: [decided('a', '3'), decided('b', '2'), decided('a', '1')] });
  const last = await lastDecisions(['a', 'b', 'c'], signal, ask);
  expect([...last].map(([id, one]) => `${id}${one.decision_id}`)).toEqual(['a3', 'b2']);
});
test('agents that the newest page does not name are asked about, and only they', async () => {
  const asked: (string | undefined)[] = [];
  const ask: Ask = async ({ agent_id }) => {
    asked.push(agent_id);
    if (agent_id === 'quiet') return { items: [decided('quiet', '0')] };
    return { items: agent_id ? [] : Array.from({ length: 200 }, (_, at) => decided('busy', String(at))) };
  };
  const last = await lastDecisions(['busy', 'quiet', 'never'], signal, ask);
  expect(asked).toEqual([undefined, 'quiet', 'never']);
  expect([last.get('busy')?.decision_id, last.get('quiet')?.decision_id, last.has('never')]).toEqual(['0', '0', false]);
});
