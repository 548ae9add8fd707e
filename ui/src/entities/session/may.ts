// What whoever is logged in may do. The server decides; this only keeps buttons away that it would refuse.

import { session } from './session.svelte';

const is = (...roles: string[]): boolean => {
  const who = session.data?.who;
  return who?.sort === 'operator' || roles.includes(String(who?.role ?? ''));
};

export const may = {
  /** Stop agents, close incidents, triage. */
  analyse: () => is('admin', 'analyst'),
  /** Answer approvals. */
  approve: () => is('admin', 'approver'),
  /** Change what is registered. */
  administrate: () => is('admin'),
};
