import type { Route } from '$shared/router/router.svelte';

export const routes: Route[] = [
  {
    path: '/findings',
    title: 'Findings',
    page: () => import('./Findings.svelte'),
    nav: { group: 'Estate', label: 'Findings', icon: 'finding', order: 30 },
  },
  { path: '/findings/:fingerprint', title: 'Finding', page: () => import('./Finding.svelte') },
];
