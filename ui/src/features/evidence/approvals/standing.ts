// How an approval stands, and how long it still can be answered.

export type Standing = 'waiting' | 'approved' | 'consumed' | 'rejected' | 'expired';

interface Answered {
  status: string;
  expires_at: string;
  consumed_at?: string | null;
}

/** One that ran out counts as such at once, whenever the server gets round to writing it down. */
export function standing(approval: Answered, now: Date): Standing {
  const status = approval.status.toLowerCase();
  if (approval.consumed_at) return 'consumed';
  if (status === 'rejected' || status === 'expired') return status;
  if (new Date(approval.expires_at) <= now) return 'expired';
  return status === 'approved' ? 'approved' : 'waiting';
}

/** The time that is left, to the second when it gets short: `24 min`, `45 s`. */
export function left(until: string, now: Date): string {
  const seconds = Math.max(0, Math.round((new Date(until).getTime() - now.getTime()) / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min`;
  return `${Math.floor(seconds / 3600)} h`;
}
