// How evidence looks: the colours in which such graphs are drawn elsewhere, so that a picture is known again, and letters.

import type { GraphStyle } from '$shared/graph/types';

interface Look {
  color: string;
  letter: string;
  label: string;
}

export const GROUPS: Record<string, Look> = {
  agent: { color: '#4C6EF5', letter: 'A', label: 'agent' },
  run: { color: '#1098AD', letter: 'Ru', label: 'run' },
  tool_call: { color: '#C2880A', letter: 'T', label: 'tool call' },
  decision: { color: '#F76707', letter: 'D', label: 'decision' },
  approval: { color: '#37B24D', letter: 'Ap', label: 'approval' },
  receipt: { color: '#7048E8', letter: 'R', label: 'receipt' },
  incident: { color: '#E03131', letter: 'I', label: 'incident' },
  mcp_server: { color: '#2BA39A', letter: 'S', label: 'MCP server' },
  policy: { color: '#868E96', letter: 'P', label: 'policy' },
};

const EDGES: Record<string, { color: string; label: string }> = {
  triggered_by: { color: '#4C6EF5', label: 'triggered by' },
  executed: { color: '#1098AD', label: 'executed' },
  decided: { color: '#F76707', label: 'decided' },
  approved: { color: '#37B24D', label: 'approved' },
  produced: { color: '#7048E8', label: 'produced' },
  linked_to: { color: '#868E96', label: 'linked to' },
};

/** How verdicts ring a decision, so that what was stopped is seen first. */
export const RINGS: Record<string, string> = {
  deny: '#E03131',
  quarantine: '#E03131',
  require_approval: '#D9A406',
  redact: '#1C7ED6',
};

const unknown = (word: string) => ({ color: '#868E96', letter: '?', label: word.replaceAll('_', ' ') });

export const looks: GraphStyle = {
  node: (group) => GROUPS[group] ?? unknown(group),
  edge: (label) => EDGES[label] ?? unknown(label),
};
