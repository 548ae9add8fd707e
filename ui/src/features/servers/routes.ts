import type { Route } from '$shared/router/router.svelte';

export const routes: Route[] = [
  {
    path: '/tools',
    title: 'Tools',
    page: () => import('./Tools.svelte'),
    nav: { group: 'Control', label: 'Tools', icon: 'target', order: 20 },
  },
  {
    path: '/servers',
    title: 'MCP servers',
    page: () => import('./Servers.svelte'),
    nav: { group: 'Control', label: 'MCP servers', icon: 'system', order: 30 },
  },
  { path: '/servers/:key', title: 'MCP server', page: () => import('./Server.svelte') },
];
