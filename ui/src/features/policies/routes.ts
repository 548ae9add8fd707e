import type { Route } from '$shared/router/router.svelte';

export const routes: Route[] = [
  {
    path: '/policies',
    title: 'Policies',
    page: () => import('./Policies.svelte'),
    nav: { group: 'Control', label: 'Policies', icon: 'policy', order: 40 },
  },
  { path: '/new-policy', title: 'Write a policy', page: () => import('./NewPolicy.svelte') },
  // Names that the server keeps for itself can't be those of policies.
  { path: '/policies/test', title: 'Try a request', page: () => import('./TryPage.svelte') },
  { path: '/policies/:key', title: 'Policy', page: () => import('./Policy.svelte') },
];
