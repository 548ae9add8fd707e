// A decision that is being written. It outlives an error, a reload and a closed dialog; only sending or discarding it ends it.

import type { Schema } from '$shared/api/client';
import { type Status, statusOf } from '$entities/triage/status';

export interface Draft {
  fingerprints: string[];
  status: Status | '';
  reason: string;
  /** A day as the browser's date field writes it; '' means for good. */
  until: string;
}

/** The most findings that one request decides about. */
export const MOST = 10_000;
const KEY = 'tracehound-triage-draft';

export type Keeping = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Keeps a draft. A browser that keeps nothing is no reason to fail: the page still has it. */
export function keep(storage: Keeping, draft: Draft): void {
  try {
    storage.setItem(KEY, JSON.stringify(draft));
  } catch {
    // Without storage the draft lives as long as the page.
  }
}

export function forget(storage: Keeping): void {
  try {
    storage.removeItem(KEY);
  } catch {
    // Nothing was kept.
  }
}

/** The draft that was kept; undefined when there is none or it is not one. */
export function kept(storage: Keeping): Draft | undefined {
  try {
    const found = JSON.parse(storage.getItem(KEY) ?? 'null') as Partial<Draft> | null;
    if (!found || !Array.isArray(found.fingerprints) || found.fingerprints.length === 0) return undefined;
    if (!found.fingerprints.every((one) => typeof one === 'string')) return undefined;
    return {
      fingerprints: found.fingerprints.slice(0, MOST),
      status: statusOf(found.status) ?? '',
      reason: typeof found.reason === 'string' ? found.reason : '',
      until: typeof found.until === 'string' ? found.until : '',
    };
  } catch {
    return undefined;
  }
}

/** Whether a draft says anything that would be missed. */
export const isWorthKeeping = (draft: Draft): boolean => draft.reason.trim() !== '' || draft.status !== '' || draft.until !== '';

/** What keeps a draft from being sent, in words; '' when nothing does. */
export function missing(draft: Draft, now: Date): string {
  if (draft.fingerprints.length === 0) return 'Choose at least one finding.';
  if (draft.fingerprints.length > MOST) return `At most ${MOST.toLocaleString('en')} findings can be decided about at once.`;
  if (draft.status === '') return 'Choose what they are.';
  if (draft.reason.trim() === '') return 'Say why, so that others can follow.';
  const until = endOfDay(draft.until);
  if (draft.until !== '' && !until) return 'The day is not one.';
  if (until && until <= now) return 'The day is over already.';
  return '';
}

export type Decision = Schema<'TriageAsked'>;

/** The one request that a draft becomes, once nothing is missing in it. */
export function decision(draft: Draft): Decision {
  const until = endOfDay(draft.until);
  return {
    fingerprints: draft.fingerprints,
    status: draft.status || 'new',
    reason: draft.reason.trim(),
    ...(until ? { until: until.toISOString() } : {}),
  };
}

/** The last moment of a day, where the person is. */
function endOfDay(day: string): Date | undefined {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day);
  if (!parts) return undefined;
  const date = new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]), 23, 59, 59);
  return Number.isNaN(date.getTime()) || date.getDate() !== Number(parts[3]) ? undefined : date;
}

/** A day so many days ahead, as the date field writes it. */
export function dayAhead(days: number, now: Date): string {
  const date = new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
