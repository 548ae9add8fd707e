// What MCP servers show, as text to compare: who reads a tool's text is steered by it, so every word counts.

import type { Schema } from '$shared/api/client';

type Seen = Pick<Schema<'SeenTool'>, 'name' | 'risk' | 'mutates_state'> & Partial<Schema<'SeenTool'>>;
type Manifest = Schema<'SeenManifest'>;

/** All that a tool says about itself, in one text. */
export function written(tool: Seen): string {
  const lines = [
    `name: ${tool.name}`,
    `risk: ${tool.risk}`,
    `changes something: ${tool.mutates_state ? 'yes' : 'no'}`,
    `needs approval: ${tool.approval_required ? 'yes' : 'no'}`,
    '',
    tool.description || '(no description)',
  ];
  if (tool.input_schema !== undefined && tool.input_schema !== null) lines.push('', JSON.stringify(ordered(tool.input_schema), null, 2));
  return lines.join('\n');
}

/** What became of one tool between two manifests. */
export interface ToolChange {
  key: string;
  /** The gravest of what is different. */
  severity: Schema<'Severity'>;
  what: string[];
  before: string | undefined;
  after: string | undefined;
}

const GRAVITY: Schema<'Severity'>[] = ['critical', 'high', 'medium', 'low'];

/** The tools that differ from the manifest before, the gravest first. */
export function changes(before: Manifest | undefined, after: Manifest): ToolChange[] {
  const keys = [...new Set(after.drift.map((one) => one.tool_key))];
  const found = keys.map((key): ToolChange => {
    const drift = after.drift.filter((one) => one.tool_key === key);
    const text = (manifest: Manifest | undefined) => {
      const tool = manifest?.manifest.find((one) => one.tool_key === key);
      return tool && written(tool);
    };
    return {
      key,
      severity: GRAVITY.find((level) => drift.some((one) => one.severity === level)) ?? 'low',
      what: drift.map((one) => one.kind.replaceAll('_', ' ')),
      before: text(before),
      after: text(after),
    };
  });
  return found.sort((a, b) => GRAVITY.indexOf(a.severity) - GRAVITY.indexOf(b.severity));
}

/** A manifest with the one before it, the newest first. */
export function pairs(all: readonly Manifest[]): { now: Manifest; before: Manifest | undefined }[] {
  const newest = [...all].sort((a, b) => b.number - a.number);
  return newest.map((now, at) => ({ now, before: newest[at + 1] }));
}

/** The tool as the server showed it last in another form; undefined when it never was anything else. */
export function lastDifferent(all: readonly Manifest[], tool: Schema<'McpTool'>): Schema<'SeenTool'> | undefined {
  const now = written(tool);
  const seen = pairs(all).map(({ now: manifest }) => manifest.manifest.find((one) => one.tool_key === tool.tool_key));
  return seen.find((one) => one !== undefined && written(one) !== now);
}

/** How many tools of a server are in each state. */
export function tally(tools: readonly Schema<'McpTool'>[]): Record<Schema<'McpToolStatus'>, number> {
  const found = { approved: 0, pending: 0, disabled: 0 };
  for (const tool of tools) found[tool.status] += 1;
  return found;
}

/** The same value with its keys in order, so that only what differs is told as different. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, ordered(one)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
