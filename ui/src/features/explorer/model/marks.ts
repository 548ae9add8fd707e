// Marks that people put on things: what an attacker is taken to hold, and what matters most.

import { put } from '$shared/api/client';
import { asProblem } from '$shared/api/problem';
import { say } from '$shared/state/toasts.svelte';

/** Sets or takes back a mark; says what came of it. Whether it was done. */
export async function mark(id: string, which: 'owned' | 'crown_jewel', on: boolean): Promise<boolean> {
  try {
    await put('/v1/estate/nodes/{id}/marks', { path: { id }, body: { [which]: on } });
    say(`${on ? 'Marked' : 'No longer marked'} as ${which === 'owned' ? 'owned' : 'crown jewel'}`);
    return true;
  } catch (thrown) {
    say(`The mark was not changed: ${asProblem(thrown).message}`, 'bad');
    return false;
  }
}
