import type { Route } from '$shared/router/router.svelte';

export const routes: Route[] = [
  {
    path: '/',
    title: 'Overview',
    page: () => import('./Overview.svelte'),
    nav: { group: 'Estate', label: 'Overview', icon: 'overview', order: 10 },
  },
  { path: '/open-servers', title: 'Servers without authentication', page: () => import('./OpenServers.svelte') },
];
