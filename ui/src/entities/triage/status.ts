// What people think of a finding: the words of the API, in words of people.

import type { IconName } from '$shared/icons/paths';

export const STATUSES = ['new', 'triaging', 'confirmed', 'accepted-risk', 'false-positive'] as const;

export type Status = (typeof STATUSES)[number];

interface Look {
  label: string;
  /** What choosing it means. */
  means: string;
  tone: 'accent' | 'high' | 'medium' | 'good' | 'info';
  icon: IconName;
}

const LOOKS: Record<Status, Look> = {
  new: { label: 'New', means: 'nobody has looked at it', tone: 'accent', icon: 'flag' },
  triaging: { label: 'Triaging', means: 'somebody is looking into it', tone: 'medium', icon: 'search' },
  confirmed: { label: 'Confirmed', means: 'it is real and will be mended', tone: 'high', icon: 'warning' },
  'accepted-risk': { label: 'Accepted risk', means: 'it is real and stays; it no longer counts as open', tone: 'info', icon: 'check' },
  'false-positive': { label: 'False positive', means: 'it is not real; it no longer counts as open', tone: 'good', icon: 'close' },
};

/** Findings that still want something from somebody. */
export const OPEN: readonly Status[] = ['new', 'triaging', 'confirmed'];

export function statusOf(word: string | null | undefined): Status | undefined {
  return STATUSES.find((one) => one === word);
}

export function statusLook(word: string): Look {
  const known = statusOf(word);
  return known ? LOOKS[known] : { label: word, means: '', tone: 'info', icon: 'info' };
}
