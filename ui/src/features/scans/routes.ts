import type { Route } from '$shared/router/router.svelte';

export const routes: Route[] = [
  {
    path: '/scans',
    title: 'Scans',
    page: () => import('./Scans.svelte'),
    nav: { group: 'Estate', label: 'Scans', icon: 'scan', order: 40 },
  },
  { path: '/scans/compare', title: 'Two points compared', page: () => import('./compare/Compare.svelte') },
  { path: '/scans/:id', title: 'Scan', page: () => import('./Scan.svelte') },
];
