// The call that an approval is about, read from what agents wrote.

export interface Call {
  /** `tool.action`. */
  name: string;
  tool: string;
  action: string;
  resource: string;
  mutates: boolean;
  /** The arguments, as they would be sent. */
  parameters: unknown;
}

interface Asked {
  tool_call: unknown;
  edited_tool_call?: unknown;
}

/** What would run: the edited call, if there is one. */
export const callOf = (approval: Asked): Call => read(approval.edited_tool_call ?? approval.tool_call);
/** What was asked for at first. */
export const originalOf = (approval: Asked): Call => read(approval.tool_call);

function read(given: unknown): Call {
  const { tool, action, resource, mutates_state, parameters } = (given ?? {}) as Record<string, unknown>;
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  return {
    name: `${text(tool)}.${text(action)}`,
    tool: text(tool),
    action: text(action),
    resource: text(resource),
    mutates: mutates_state === true,
    parameters: parameters ?? {},
  };
}

/** The whole call as text, to be compared and edited. */
export function written(call: Call): string {
  const { tool, action, resource, mutates, parameters } = call;
  return JSON.stringify({ tool, action, resource: resource || null, mutates_state: mutates, parameters }, null, 2);
}

/** The call that somebody typed, or why it is none. */
export function typed(text: string): { call: { tool: string; action: string; resource: string | null; mutates_state: boolean; parameters: unknown } } | { wrong: string } {
  try {
    const given = JSON.parse(text) as Record<string, unknown> | null;
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return { wrong: 'It is not an object.' };
    const { tool, action, resource = null, mutates_state, parameters = {} } = given;
    if (typeof tool !== 'string' || typeof action !== 'string') return { wrong: '`tool` and `action` are texts.' };
    if (resource !== null && typeof resource !== 'string') return { wrong: '`resource` is a text or null.' };
    if (typeof mutates_state !== 'boolean') return { wrong: '`mutates_state` is true or false.' };
    return { call: { tool, action, resource, mutates_state, parameters } };
  } catch (thrown) {
    return { wrong: thrown instanceof Error ? thrown.message : 'It is not JSON.' };
  }
}
