// What a receipt is about, in a few words.

interface Told {
  kind: string;
  tool?: string | null;
  action?: string | null;
  decision?: string | null;
  detail?: Record<string, unknown> | null;
}

export function about(receipt: Told): string {
  if (receipt.kind === 'decision') return `${receipt.tool}.${receipt.action}: ${receipt.decision?.replaceAll('_', ' ')}`;
  const { detail } = receipt;
  const said = ['step', 'what', 'status', 'kind', 'next_key_id'].map((name) => detail?.[name]).find((one) => typeof one === 'string');
  const named = ['policy_key', 'server_key', 'server', 'name', 'key', 'tool', 'agent_key'].map((name) => detail?.[name]).find((one) => typeof one === 'string');
  return [said, named].filter(Boolean).join(' ').replaceAll('_', ' ') || receipt.kind;
}
