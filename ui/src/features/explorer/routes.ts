import type { Route } from '$shared/router/router.svelte';

export const routes: Route[] = [
  {
    path: '/explorer',
    title: 'Explorer',
    page: () => import('./Explorer.svelte'),
    nav: { group: 'Estate', label: 'Explorer', icon: 'explorer', order: 20 },
    full: true,
  },
];
