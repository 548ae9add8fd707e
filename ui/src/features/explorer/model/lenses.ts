// Lenses: which edges, and with them which things, a person looks at.

import type { IconName } from '$shared/icons/paths';

export type LensId = 'topology' | 'attack' | 'credentials' | 'poisoning' | 'cross' | 'blast' | 'choke' | 'changes' | 'all';

export interface Lens {
  id: LensId;
  label: string;
  /** What it answers. */
  about: string;
  icon: IconName;
  /** Kinds of edges that are shown; all when not given. */
  kinds?: readonly string[];
  /** Things without a shown edge are shown too. */
  withLone?: boolean;
}

const STRUCTURE = [
  'TRUSTS_SERVER',
  'PROVIDES_TOOL',
  'PROVIDES_RESOURCE',
  'PROVIDES_PROMPT',
  'PROVIDES_MODEL',
  'ADVERTISES_SKILL',
  'DELEGATES_TO',
  'SAME_AUTH_DOMAIN',
  'RUNS_ON',
  'CONFIGURED_IN',
  'LOADS_INSTRUCTIONS',
  'EXPOSES',
  'EXTRACTED_FROM',
];

export const LENSES: readonly Lens[] = [
  { id: 'topology', label: 'Topology', about: 'What is connected to what', icon: 'explorer', kinds: STRUCTURE, withLone: true },
  {
    id: 'attack',
    label: 'Attack surface',
    about: 'What an agent can be made to do',
    icon: 'target',
    kinds: ['HAS_ACCESS_TO', 'CAN_EXECUTE', 'CAN_REACH', 'CAN_EXFILTRATE_VIA', 'CAN_IMPERSONATE', 'CONFUSED_DEPUTY'],
  },
  {
    id: 'credentials',
    label: 'Credentials',
    about: 'Who holds which secret',
    icon: 'lock',
    kinds: ['AUTHENTICATES_WITH', 'USES_CREDENTIAL', 'HAS_ENV_VAR', 'EXPOSES_CREDENTIAL'],
  },
  {
    id: 'poisoning',
    label: 'Poisoning',
    about: 'Where foreign text steers an agent',
    icon: 'warning',
    kinds: [
      'SHADOWS',
      'POISONED_DESCRIPTION',
      'POISONED_INSTRUCTIONS',
      'POISONS_CONTEXT',
      'TAINTS',
      'IFC_VIOLATION',
      'INGESTS_UNTRUSTED',
      'LOADS_INSTRUCTIONS',
    ],
  },
  { id: 'cross', label: 'Cross-protocol', about: 'Where MCP and A2A meet', icon: 'link' },
  { id: 'blast', label: 'Blast radius', about: 'What can be reached from a thing, or who reaches it', icon: 'incident', withLone: true },
  { id: 'choke', label: 'Choke points', about: 'The fewest changes that cut agents off from what is critical', icon: 'cut', withLone: true },
  { id: 'changes', label: 'Changes', about: 'What came and went since another scan', icon: 'diff', withLone: true },
  { id: 'all', label: 'Everything', about: 'All edges at once', icon: 'expand', withLone: true },
];

/** The lens with this id; the first one when there is none. */
export function lensOf(id: string): Lens {
  return LENSES.find((lens) => lens.id === id) ?? (LENSES[0] as Lens);
}

const A2A = new Set(['A2AAgent', 'A2ASkill']);
const MCP = new Set(['MCPServer', 'MCPTool', 'MCPResource', 'MCPPrompt', 'AgentInstance']);

/** Whether an edge between things of these kinds is shown. */
export function isSeen(lens: Lens, kind: string, source: string, target: string): boolean {
  if (lens.id === 'cross') return (A2A.has(source) && MCP.has(target)) || (MCP.has(source) && A2A.has(target)) || kind === 'CONFUSED_DEPUTY';
  return lens.kinds?.includes(kind) ?? true;
}
