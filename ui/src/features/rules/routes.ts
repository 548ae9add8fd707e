import type { Route } from '$shared/router/router.svelte';

export const routes: Route[] = [
  {
    path: '/rules',
    title: 'Rules',
    page: () => import('./Rules.svelte'),
    nav: { group: 'Estate', label: 'Rules', icon: 'rule', order: 50 },
  },
  { path: '/rules/try', title: 'Try a text', page: () => import('./TryPage.svelte') },
  { path: '/rules/:id', title: 'Rule', page: () => import('./Rule.svelte') },
];
