// What can be done to stop an agent or let it go, by whom, and when it makes sense.

import type { IconName } from '$shared/icons/paths';
import type { Schema } from '$shared/api/client';

export interface Step {
  id: 'freeze' | 'quarantine' | 'restore' | 'unfreeze' | 'revoke';
  label: string;
  icon: IconName;
  danger: boolean;
  /** What will happen. */
  means: string;
  /** What is said when it was done. */
  done: string;
}

const STEPS: Record<Step['id'], Step> = {
  freeze: { id: 'freeze', label: 'Freeze', icon: 'pause', danger: false, means: 'Every call is refused until somebody lets it go.', done: 'is frozen' },
  quarantine: { id: 'quarantine', label: 'Quarantine', icon: 'lock', danger: true, means: 'Every call is refused, and it is marked as suspected.', done: 'is quarantined' },
  unfreeze: { id: 'unfreeze', label: 'Unfreeze', icon: 'play', danger: false, means: 'Its calls are decided again. Containments of it end.', done: 'may ask again' },
  restore: { id: 'restore', label: 'Restore', icon: 'play', danger: false, means: 'Its calls are decided again. Containments of it end.', done: 'may ask again' },
  revoke: { id: 'revoke', label: 'Revoke', icon: 'close', danger: true, means: 'It is stopped for good. There is no way back: another agent would have to be registered.', done: 'is revoked for good' },
};

/** What somebody may do to an agent as it is. */
export function steps(status: Schema<'AgentStatus'>, may: { analyse: boolean; administrate: boolean }): Step[] {
  const all: Record<Schema<'AgentStatus'>, Step['id'][]> = {
    active: ['freeze', 'quarantine', 'revoke'],
    frozen: ['unfreeze', 'quarantine', 'revoke'],
    quarantined: ['restore', 'revoke'],
    revoked: [],
  };
  return (all[status] ?? []).filter((id) => (id === 'revoke' ? may.administrate : may.analyse)).map((id) => STEPS[id]);
}
