// Something to look at: a tool, an agent that asks, calls of every sort, an incident.

import { expect } from 'vitest';
import type { Schema } from '../../src/shared/api/client';
import type { Caller } from './caller';
import { until } from './until';

type Trust = Schema<'Cause'>['source_trust'];

export interface Call {
  tool?: string;
  action: string;
  resource?: string;
  mutates?: boolean;
  trust?: Trust;
  run?: string;
  parent?: string;
  parameters?: unknown;
}

/** An agent that asks before it acts. */
export class Agent {
  constructor(
    readonly id: string,
    readonly caller: Caller,
  ) {}

  /** Registers an agent. */
  static async register(admin: Caller, more: Partial<Schema<'NewAgent'>> = {}): Promise<Agent> {
    const body: Schema<'NewAgent'> = { agent_key: 'release-bot', name: 'Release bot', environment: 'production', risk_tier: 'medium', ...more };
    const made = await admin.post('/v1/agents', { body });
    return new Agent(made.id, admin.as(made.agent_token));
  }

  authorize(call: Call) {
    const run = call.run ?? 'run-1';
    const body: Schema<'AuthorizeRequest'> = {
      agent: { id: this.id, environment: 'production' },
      tool_call: {
        tool: call.tool ?? 'shop',
        action: call.action,
        resource: call.resource ?? null,
        mutates_state: call.mutates ?? false,
        parameters: call.parameters ?? {},
      },
      context: { source_trust: call.trust ?? 'trusted_internal_signed', contains_sensitive_data: false },
      trace: { run_id: run, trace_id: `trace-${run}`, parent_run_id: call.parent ?? null },
    };
    return this.caller.post('/v1/authorize', { body });
  }
}

/** The tool whose actions an agent asks for: reading is harmless, rolling out needs a person. */
export async function registerShop(admin: Caller): Promise<void> {
  const action = (action_key: string, risk: Schema<'ToolAction'>['risk'], mutates_state: boolean) => ({ action_key, risk, mutates_state });
  const actions = [action('get_order', 'low', false), action('refund', 'high', true), action('roll_out', 'critical', true)];
  await admin.post('/v1/tools', { body: { tool_key: 'shop', name: 'Shop', actions } as Schema<'Tool'> });
}

/** The call that a person has to agree to. */
export const rollOut = (release: string): Call => ({
  action: 'roll_out',
  resource: `shop@${release}`,
  mutates: true,
  trust: 'semi_trusted_customer',
  run: 'run-deploy',
  parameters: { release, region: 'eu' },
});

/** Denials enough for an incident; waits until it is there. */
export async function denyStorm(admin: Caller, agent: Agent): Promise<string> {
  for (let attempt = 0; attempt < 6; attempt++) {
    const answer = await agent.authorize({ action: 'refund', resource: `order/${attempt}`, mutates: true, trust: 'untrusted_external', run: 'run-misled' });
    expect(answer.decision).toBe('deny');
  }
  return until('an incident', async () => (await admin.get('/v1/incidents')).items[0]?.incident_id);
}

/** Enough for every page of evidence: an allowed call, one that waits, and a storm of denials. */
export async function someEvidence(admin: Caller) {
  await registerShop(admin);
  const agent = await Agent.register(admin);
  const read = await agent.authorize({ action: 'get_order', resource: 'order/1' });
  const waits = await agent.authorize({ ...rollOut('2026.11'), parent: 'run-1' });
  const incident = await denyStorm(admin, agent);
  return { agent, read, waits, incident };
}
