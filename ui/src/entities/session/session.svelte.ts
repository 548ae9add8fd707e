// Who is logged in, and what they may do.

import { get, OURS, type Answer } from '$shared/api/client';
import { Loaded } from '$shared/api/load.svelte';
import { problemOf } from '$shared/api/problem';

export type Who = Answer<'/v1/whoami'>;

/** Whoever's session this is; `problem.status` 401 means that nobody is logged in. */
export const session = new Loaded<Who>((signal) => get('/v1/whoami', { signal }));

/** Begins a session with a person's token, which the page forgets at once. Throws an `ApiProblem`. */
export async function logIn(token: string): Promise<void> {
  const response = await fetch('/console/login', {
    method: 'POST',
    credentials: 'same-origin',
    headers: { ...OURS, 'Content-Type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  if (!response.ok) throw await problemOf(response);
}

/** Ends the session and shows the page for those who are not logged in. */
export async function logOut(): Promise<void> {
  await fetch('/console/logout', {
    method: 'POST',
    credentials: 'same-origin',
    headers: OURS,
  });
  window.location.assign('/console/');
}
