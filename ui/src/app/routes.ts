// All pages: every feature's `routes.ts`, found by its place. A feature that is not there is not in the navigation.

import type { NavEntry, Route } from '$shared/router/router.svelte';

const found = import.meta.glob<{ routes: Route[] }>('../features/*/routes.ts', { eager: true });

export const routes: readonly Route[] = Object.values(found).flatMap((module) => module.routes);

const GROUPS: readonly NavEntry['group'][] = ['Estate', 'Evidence', 'Control'];

/** The navigation, in order. */
export const navigation = GROUPS.map((group) => ({
  group,
  entries: routes
    .flatMap((route) => (route.nav?.group === group ? [{ path: route.path, ...route.nav }] : []))
    .sort((a, b) => a.order - b.order),
})).filter(({ entries }) => entries.length > 0);

/** Whether whoever is logged in is offered a page. */
export const isOffered = (entry: NavEntry): boolean => entry.when?.() ?? true;
