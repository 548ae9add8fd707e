// What was looked at, in the order in which one thing rests on another, so that a page can say which check failed.

import type { Fault, Problem, Report } from './verify';

export interface Check {
  id: string;
  title: string;
  /** What it means when it holds. */
  good: string;
  faults: readonly Fault[];
}

export const CHECKS: readonly Check[] = [
  {
    id: 'readable',
    title: 'Readable in one way only',
    good: 'Strict JSON of a known version, no member twice, whole numbers only.',
    faults: ['malformed', 'duplicate_key', 'unknown_version'],
  },
  {
    id: 'contents',
    title: 'Contents are unchanged',
    good: 'The SHA-256 of the canonical form (RFC 8785) is the hash that is stated.',
    faults: ['altered'],
  },
  {
    id: 'chain',
    title: 'Linked into the chain',
    good: 'It names the hash of the receipt before it, and none is missing in between.',
    faults: ['broken_link', 'gap', 'fork', 'repeated', 'out_of_order', 'other_tenant'],
  },
  {
    id: 'key',
    title: 'Signed by a trusted key',
    good: 'The key that it names is one of those that are trusted.',
    faults: ['unsigned', 'wrong_key'],
  },
  {
    id: 'signature',
    title: 'Signature is genuine',
    good: 'The Ed25519 signature over the hash is that of the key.',
    faults: ['bad_signature'],
  },
];

export interface Outcome extends Check {
  state: 'passed' | 'failed' | 'unknown';
  problems: Problem[];
}

/** Each check with how it went. What can't be read was not looked at further. */
export function outcomes(report: Report): Outcome[] {
  const isUnread = report.receipts > 0 && report.first === undefined;
  return CHECKS.map((check) => {
    const problems = report.problems.filter((problem) => check.faults.includes(problem.fault));
    const isBlind = (check.id === 'signature' && keyFailed(report)) || (isUnread && check.id !== 'readable');
    return { ...check, problems, state: problems.length > 0 ? 'failed' : isBlind ? 'unknown' : 'passed' };
  });
}

/** Without a key there is no signature to look at, when there is only one receipt. */
function keyFailed(report: Report): boolean {
  return report.receipts === 1 && report.problems.some(({ fault }) => fault === 'unsigned' || fault === 'wrong_key');
}
