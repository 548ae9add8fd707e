// The figures of the ledger, in words.

import type { Ledger } from './api';

/** A part of one as percent; what is short of all never reads as all. */
export function percent(part: number | null | undefined): string {
  if (typeof part !== 'number' || !Number.isFinite(part)) return '–';
  const rounded = Math.round(part * 1000) / 10;
  if (rounded === 100 && part < 1) return '> 99.9 %';
  if (rounded === 0 && part > 0) return '< 0.1 %';
  return `${rounded % 1 === 0 ? rounded.toFixed(0) : rounded.toFixed(1)} %`;
}

/** Everything that was measured, each figure with what it is a part of. */
export function figures(ledger: Ledger): [name: string, value: string][] {
  const of = (part: number, all: number) => `${part.toLocaleString('en')} of ${all.toLocaleString('en')}`;
  return [
    ['Precision', percent(ledger.precision)],
    ['Recall', percent(ledger.recall)],
    ['Hostile records matched', of(ledger.matched_hostile, ledger.hostile)],
    ['Matched by no other rule', ledger.matched_alone.toLocaleString('en')],
    ['Benign records matched', of(ledger.matched_benign, ledger.benign)],
  ];
}
