// A call that somebody describes, to see what would be decided about it.

import type { Schema } from '$shared/api/client';

export type Trust = Schema<'TrustLevel'>;

/** From what is vouched for to what is suspected. */
export const TRUST: readonly Trust[] = ['trusted_internal_signed', 'trusted_internal_unsigned', 'semi_trusted_customer', 'untrusted_external', 'malicious_suspected', 'unknown'];

export interface CallDraft {
  /** An agent's id. */
  agent: string;
  tool: string;
  action: string;
  resource: string;
  /** JSON. */
  parameters: string;
  trust: Trust;
  mutates: boolean;
  sensitive: boolean;
  /** Where the agent says it runs; where it is registered when nothing is said. */
  environment: string;
}

/** The call that an address describes. */
export function callFrom(one: (name: string) => string): CallDraft {
  return {
    agent: one('agent'),
    tool: one('tool'),
    action: one('action'),
    resource: one('resource'),
    parameters: one('parameters') || '{}',
    trust: TRUST.find((level) => level === one('trust')) ?? 'trusted_internal_signed',
    mutates: one('mutates') === 'yes',
    sensitive: one('sensitive') === 'yes',
    environment: one('environment'),
  };
}

/** The address that describes a call. */
export function queryOf(call: CallDraft): Record<string, string> {
  const { agent, tool, action, resource, environment } = call;
  return {
    ...{ agent, tool, action, resource, environment },
    parameters: call.parameters.trim() === '{}' ? '' : call.parameters,
    trust: call.trust === 'trusted_internal_signed' ? '' : call.trust,
    mutates: call.mutates ? 'yes' : '',
    sensitive: call.sensitive ? 'yes' : '',
  };
}

/** The call as it is sent, or what is still missing. */
export function caseOf(call: CallDraft, agent: Schema<'Agent'> | undefined): { case: Schema<'PolicyCase'> } | { missing: string } {
  if (!agent) return { missing: 'Choose an agent.' };
  if (!call.tool.trim()) return { missing: 'Say which tool is called.' };
  if (!call.action.trim()) return { missing: 'Say which action.' };
  let parameters: unknown;
  try {
    parameters = JSON.parse(call.parameters || '{}');
  } catch (thrown) {
    return { missing: `The arguments are not JSON: ${thrown instanceof Error ? thrown.message : 'they can’t be read'}.` };
  }
  const { id, agent_key: key, environment, risk_tier, owner_team = null, framework = null, status } = agent;
  return {
    case: {
      agent: { id, key, environment, risk_tier, owner_team, framework, status },
      tool: call.tool.trim(),
      action: call.action.trim(),
      resource: call.resource.trim() || null,
      parameters,
      source_trust: call.trust,
      mutates_state: call.mutates,
      contains_sensitive_data: call.sensitive,
      environment: call.environment.trim() || null,
      // Nothing is expected: the answer itself is what is asked for.
      expect: { decision: 'allow' },
    },
  };
}

const MCP = 'mcp:';

/** Something that the gateway looks at besides policies, and what follows from it. */
export interface Besides {
  verdict: 'deny' | 'require_approval';
  why: string;
}

/** What the gateway would find about this call besides policies. */
export function besides(call: CallDraft, agent: Schema<'Agent'>, servers: readonly Schema<'McpServer'>[]): Besides[] {
  const found: Besides[] = [];
  const denied = (why: string) => found.push({ verdict: 'deny', why });
  const [tool, action] = [call.tool.trim().toLowerCase(), call.action.trim().toLowerCase()];
  const among = (list: readonly string[] | undefined, wanted: string) => !list || list.length === 0 || list.some((one) => one.toLowerCase() === wanted);
  if (!among(agent.allowed_tools, tool)) denied(`The agent may only call ${(agent.allowed_tools ?? []).join(', ')}.`);
  const where = call.environment.trim() || agent.environment;
  if (!among(agent.allowed_environments, where.toLowerCase())) denied(`The agent may not act in ${where}.`);
  if (tool.startsWith(MCP)) {
    const server = servers.find((one) => one.server_key.toLowerCase() === tool.slice(MCP.length));
    const offered = server?.tools.find((one) => one.tool_key.toLowerCase() === action);
    if (!server || server.status === 'removed') denied('The MCP server is not registered.');
    else if (server.status === 'quarantined') denied('The MCP server is quarantined.');
    else if (offered && offered.status !== 'approved') denied(`The tool is ${offered.status}, not approved.`);
  }
  if (agent.force_approval) found.push({ verdict: 'require_approval', why: 'A person has to agree to everything of this agent that would be allowed.' });
  return found;
}

/** What would come of it all: a denial wins, and who has to ask asks only for what would be allowed. */
export function outcome(policies: Schema<'Verdict'>, found: readonly Besides[]): Schema<'Verdict'> {
  if (found.some((one) => one.verdict === 'deny')) return policies === 'quarantine' ? policies : 'deny';
  const isAllowed = policies === 'allow' || policies === 'redact';
  return isAllowed && found.some((one) => one.verdict === 'require_approval') ? 'require_approval' : policies;
}

/** Arguments that fit a JSON schema in their shape, to start from. */
export function exampleOf(schema: unknown, depth = 0): unknown {
  if (typeof schema !== 'object' || schema === null || depth > 6) return {};
  const { type, properties, items, enum: choices, default: given } = schema as Record<string, unknown>;
  if (given !== undefined) return given;
  if (Array.isArray(choices) && choices.length > 0) return choices[0];
  const sort = Array.isArray(type) ? type[0] : type;
  if (sort === 'string') return '';
  if (sort === 'number' || sort === 'integer') return 0;
  if (sort === 'boolean') return false;
  if (sort === 'array') return items === undefined ? [] : [exampleOf(items, depth + 1)];
  if (sort === 'null') return null;
  const entries = Object.entries((properties ?? {}) as Record<string, unknown>);
  return Object.fromEntries(entries.map(([name, one]) => [name, exampleOf(one, depth + 1)]));
}
