import { may } from '$entities/session/may';
import type { Route } from '$shared/router/router.svelte';

export const routes: Route[] = [
  {
    path: '/agents',
    title: 'Agents',
    page: () => import('./Agents.svelte'),
    nav: { group: 'Control', label: 'Agents', icon: 'agent', order: 10 },
  },
  { path: '/agents/:id', title: 'Agent', page: () => import('./Agent.svelte') },
  {
    path: '/people',
    title: 'People',
    page: () => import('./People.svelte'),
    nav: { group: 'Control', label: 'People', icon: 'person', order: 50, when: may.administrate },
  },
];
