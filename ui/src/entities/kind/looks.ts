// How kinds look: a colour of their family and one or two letters, so that they are told apart without the colour.
// A kind that is not listed still gets a colour and letters, made from its name.

/** How things of a kind are drawn. */
export interface NodeLook {
  color: string;
  letter: string;
  /** In words, for one. */
  label: string;
}

/** How edges of a kind are drawn. */
export interface EdgeLook {
  color: string;
  label: string;
}

const AGENT = '#4c8dee';
const SERVER = '#2ba39a';
const OFFER = '#6d9f3e';
const DATA = '#b98622';
const SECRET = '#d9682f';
const MACHINE = '#7e8ea3';
const FILE = '#9a7f62';
const SERVICE = '#9a6fe0';
const GROUP = '#64788c';

const NODES: Record<string, NodeLook> = {
  AgentInstance: { color: AGENT, letter: 'A', label: 'agent' },
  A2AAgent: { color: AGENT, letter: 'A2', label: 'A2A agent' },
  MCPServer: { color: SERVER, letter: 'S', label: 'MCP server' },
  MCPTool: { color: OFFER, letter: 'T', label: 'tool' },
  MCPPrompt: { color: OFFER, letter: 'P', label: 'prompt' },
  A2ASkill: { color: OFFER, letter: 'Sk', label: 'skill' },
  MCPResource: { color: DATA, letter: 'R', label: 'resource' },
  Identity: { color: SECRET, letter: 'Id', label: 'identity' },
  Credential: { color: SECRET, letter: 'C', label: 'credential' },
  Host: { color: MACHINE, letter: 'H', label: 'machine' },
  ConfigFile: { color: FILE, letter: 'F', label: 'configuration file' },
  InstructionFile: { color: FILE, letter: 'I', label: 'instruction file' },
  OllamaInstance: { color: SERVICE, letter: 'Ol', label: 'Ollama' },
  VLLMInstance: { color: SERVICE, letter: 'vL', label: 'vLLM' },
  QdrantInstance: { color: SERVICE, letter: 'Qd', label: 'Qdrant' },
  MLflowServer: { color: SERVICE, letter: 'ML', label: 'MLflow' },
  LiteLLMGateway: { color: SERVICE, letter: 'Li', label: 'LiteLLM gateway' },
  JupyterServer: { color: SERVICE, letter: 'Ju', label: 'Jupyter server' },
  LangServeApp: { color: SERVICE, letter: 'La', label: 'LangServe app' },
  OpenWebUIInstance: { color: SERVICE, letter: 'Ow', label: 'Open WebUI' },
  AIService: { color: SERVICE, letter: 'Ai', label: 'AI service' },
  AIModel: { color: SERVICE, letter: 'M', label: 'model' },
  ExtractedTrainingSignal: { color: SERVICE, letter: 'X', label: 'training signal' },
  ResourceGroup: { color: GROUP, letter: 'Rg', label: 'resource group' },
  TrustZone: { color: GROUP, letter: 'Z', label: 'trust zone' },
};

const TRUST = '#4c8dee';
const HOLDS = '#7b8da0';
const KEYS = '#d98a3d';
const ATTACK = '#e5544b';
const POISON = '#cf5fb4';
const CROSS = '#9a6fe0';

const EDGES: Record<string, EdgeLook> = {
  TRUSTS_SERVER: { color: TRUST, label: 'trusts server' },
  DELEGATES_TO: { color: CROSS, label: 'delegates to' },
  SAME_AUTH_DOMAIN: { color: CROSS, label: 'same auth domain' },
  PROVIDES_TOOL: { color: HOLDS, label: 'provides tool' },
  PROVIDES_RESOURCE: { color: HOLDS, label: 'provides resource' },
  PROVIDES_PROMPT: { color: HOLDS, label: 'provides prompt' },
  PROVIDES_MODEL: { color: HOLDS, label: 'provides model' },
  ADVERTISES_SKILL: { color: HOLDS, label: 'advertises skill' },
  RUNS_ON: { color: HOLDS, label: 'runs on' },
  CONFIGURED_IN: { color: HOLDS, label: 'configured in' },
  LOADS_INSTRUCTIONS: { color: POISON, label: 'loads instructions' },
  EXPOSES: { color: HOLDS, label: 'exposes' },
  EXTRACTED_FROM: { color: HOLDS, label: 'extracted from' },
  AUTHENTICATES_WITH: { color: KEYS, label: 'authenticates with' },
  USES_CREDENTIAL: { color: KEYS, label: 'uses credential' },
  HAS_ENV_VAR: { color: KEYS, label: 'is given secret' },
  EXPOSES_CREDENTIAL: { color: KEYS, label: 'exposes credential' },
  INGESTS_UNTRUSTED: { color: POISON, label: 'ingests untrusted' },
  HAS_ACCESS_TO: { color: ATTACK, label: 'has access to' },
  CAN_EXECUTE: { color: ATTACK, label: 'can execute on' },
  CAN_REACH: { color: ATTACK, label: 'can reach' },
  CAN_EXFILTRATE_VIA: { color: ATTACK, label: 'can exfiltrate via' },
  CAN_IMPERSONATE: { color: CROSS, label: 'can impersonate' },
  CONFUSED_DEPUTY: { color: CROSS, label: 'confused deputy' },
  TAINTS: { color: POISON, label: 'taints' },
  IFC_VIOLATION: { color: POISON, label: 'flow violation' },
  POISONS_CONTEXT: { color: POISON, label: 'poisons context' },
  SHADOWS: { color: POISON, label: 'shadows' },
  POISONED_DESCRIPTION: { color: POISON, label: 'poisoned description' },
  POISONED_INSTRUCTIONS: { color: POISON, label: 'poisoned instructions' },
};

/** How things of a kind are drawn. */
export function nodeLook(kind: string): NodeLook {
  return NODES[kind] ?? { color: fallback(kind), letter: kind.slice(0, 2), label: spaced(kind) };
}

/** How edges of a kind are drawn. */
export function edgeLook(kind: string): EdgeLook {
  return EDGES[kind] ?? { color: fallback(kind), label: spaced(kind) };
}

/** All kinds that have a look of their own, in the order of lists. */
export const NODE_KINDS: readonly string[] = Object.keys(NODES);
export const EDGE_KINDS: readonly string[] = Object.keys(EDGES);

function spaced(kind: string): string {
  return kind.replace(/_/g, ' ').toLowerCase();
}

function fallback(kind: string): string {
  let hash = 7;
  for (const letter of kind) hash = (hash * 31 + letter.charCodeAt(0)) % 360;
  return hsl(hash);
}

/** A colour of middling lightness; as six digits because the graph's renderer reads nothing else. */
function hsl(hue: number): string {
  const channel = (shift: number) => {
    const k = (shift + hue / 30) % 12;
    const value = 0.55 - 0.45 * 0.45 * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${channel(0)}${channel(8)}${channel(4)}`;
}
