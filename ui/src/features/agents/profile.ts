// What is said about an agent, as a form holds it: empty fields and lists in one line.

import type { Schema } from '$shared/api/client';

export interface Draft {
  key: string;
  name: string;
  environment: string;
  tier: Schema<'RiskTier'>;
  team: string;
  purpose: string;
  framework: string;
  provider: string;
  model: string;
  /** Names with commas or lines between them. */
  tools: string;
  environments: string;
  asksAlways: boolean;
}

export const TIERS: readonly Schema<'RiskTier'>[] = ['low', 'medium', 'high'];

/** The form for an agent; for one that is not registered yet, an empty one. */
export function draftOf(agent: Schema<'Agent'> | undefined): Draft {
  return {
    key: agent?.agent_key ?? '',
    name: agent?.name ?? '',
    environment: agent?.environment ?? 'prod',
    tier: agent?.risk_tier ?? 'medium',
    team: agent?.owner_team ?? '',
    purpose: agent?.purpose ?? '',
    framework: agent?.framework ?? '',
    provider: agent?.model_provider ?? '',
    model: agent?.model_name ?? '',
    tools: (agent?.allowed_tools ?? []).join(', '),
    environments: (agent?.allowed_environments ?? []).join(', '),
    asksAlways: agent?.force_approval ?? false,
  };
}

/** What is sent. What the form does not show stays as it is. */
export function profileOf(draft: Draft, agent: Schema<'Agent'> | undefined): Schema<'AgentProfile'> {
  const said = (text: string) => text.trim() || null;
  return {
    name: draft.name.trim() || draft.key.trim(),
    environment: draft.environment.trim(),
    risk_tier: draft.tier,
    owner_team: said(draft.team),
    purpose: said(draft.purpose),
    framework: said(draft.framework),
    model_provider: said(draft.provider),
    model_name: said(draft.model),
    allowed_tools: names(draft.tools),
    allowed_environments: names(draft.environments),
    force_approval: draft.asksAlways,
    status_reason: agent?.status_reason ?? null,
  };
}

/** Each name once, in the order in which they were typed. */
export function names(text: string): string[] {
  const all = text.split(/[,\n]/).map((one) => one.trim());
  return [...new Set(all.filter(Boolean))];
}
