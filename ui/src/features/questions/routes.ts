import type { Route } from '$shared/router/router.svelte';

export const routes: Route[] = [
  {
    path: '/questions',
    title: 'Questions',
    page: () => import('./Questions.svelte'),
    nav: { group: 'Estate', label: 'Questions', icon: 'question', order: 25 },
  },
  { path: '/questions/:name', title: 'Question', page: () => import('./Question.svelte') },
];
