import type { Route } from '$shared/router/router.svelte';

export const routes: Route[] = [{ path: '/bench', title: 'Graph bench', page: () => import('./Bench.svelte'), full: true }];
