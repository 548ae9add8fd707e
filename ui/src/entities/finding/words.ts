// Kinds of findings and what became of them, in words.

import { edgeLook } from '$entities/kind/looks';

/** What sort of finding it is: kinds of edges have words of their own, the ids of checks and rules are words already. */
export function kindWords(kind: string): string {
  const text = /^[A-Z0-9_]+$/.test(kind) ? edgeLook(kind).label : kind.replaceAll('-', ' ');
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** What can have become of a finding that is still there. */
export const FATES = ['new', 'reopened', 'changed', 'persisting'] as const;

const FATE_WORDS: Record<string, string> = {
  new: 'New',
  reopened: 'Reopened',
  changed: 'Changed',
  persisting: 'Still there',
  fixed: 'Fixed',
};

/** What became of a finding since another point. */
export const fateWords = (fate: string): string => FATE_WORDS[fate] ?? fate;
