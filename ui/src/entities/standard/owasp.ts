// The published names of the OWASP lists, for places where the API sends ids alone. Ids may carry the year: `MCP03:2025`.

const NAMES: Record<string, string> = {
  MCP01: 'Token Mismanagement & Secret Exposure',
  MCP02: 'Privilege Escalation via Scope Creep',
  MCP03: 'Tool Poisoning',
  MCP04: 'Software Supply Chain Attacks & Dependency Tampering',
  MCP05: 'Command Injection & Execution',
  MCP06: 'Intent Flow Subversion',
  MCP07: 'Insufficient Authentication & Authorization',
  MCP08: 'Lack of Audit and Telemetry',
  MCP09: 'Shadow MCP Servers',
  MCP10: 'Context Injection & Over-Sharing',
  ASI01: 'Agent Goal Hijack',
  ASI02: 'Tool Misuse and Exploitation',
  ASI03: 'Identity and Privilege Abuse',
  ASI04: 'Agentic Supply Chain Vulnerabilities',
  ASI05: 'Unexpected Code Execution (RCE)',
  ASI06: 'Memory & Context Poisoning',
  ASI07: 'Insecure Inter-Agent Communication',
  ASI08: 'Cascading Failures',
  ASI09: 'Human-Agent Trust Exploitation',
  ASI10: 'Rogue Agents',
  AST01: 'Malicious Skills',
  AST02: 'Supply Chain Compromise',
  AST03: 'Over-Privileged Skills',
  AST04: 'Insecure Metadata',
  AST05: 'Unsafe Deserialization',
  AST06: 'Weak Isolation',
  AST07: 'Update Drift',
  AST08: 'Poor Scanning',
  AST09: 'No Governance',
  AST10: 'Cross-Platform Reuse',
};

/** The id without its year. */
export const shortId = (id: string): string => id.split(':')[0] ?? id;

/** The published name; '' when the id is of another list. */
export const owaspName = (id: string): string => NAMES[shortId(id)] ?? '';

/** The id with its name. */
export function owaspLabel(id: string): string {
  const name = owaspName(id);
  return name ? `${shortId(id)} ${name}` : id;
}

/** Which list an id is of. */
export function listOf(id: string): string {
  if (id.startsWith('MCP')) return 'OWASP MCP Top 10';
  if (id.startsWith('ASI')) return 'OWASP Top 10 for Agentic Applications';
  if (id.startsWith('AST')) return 'OWASP Agentic Skills Top 10';
  if (id.startsWith('LLM')) return 'OWASP Top 10 for LLM Applications';
  if (id.startsWith('AML')) return 'MITRE ATLAS';
  return '';
}
