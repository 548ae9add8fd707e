import type { Route } from '$shared/router/router.svelte';

export const routes: Route[] = [
  {
    path: '/evidence/decisions',
    title: 'Decisions',
    page: () => import('./decisions/Decisions.svelte'),
    nav: { group: 'Evidence', label: 'Decisions', icon: 'decision', order: 1 },
  },
  { path: '/evidence/decisions/:id', title: 'Decision', page: () => import('./decisions/Decision.svelte') },
  { path: '/evidence/runs/:id', title: 'Run', page: () => import('./graph/Run.svelte'), full: true },
  { path: '/evidence/agents/:id', title: 'Evidence about an agent', page: () => import('./graph/AgentEvidence.svelte'), full: true },
  {
    path: '/evidence/incidents',
    title: 'Incidents',
    page: () => import('./incidents/Incidents.svelte'),
    nav: { group: 'Evidence', label: 'Incidents', icon: 'incident', order: 2 },
  },
  { path: '/evidence/incidents/:id', title: 'Incident', page: () => import('./incidents/Incident.svelte') },
  {
    path: '/evidence/approvals',
    title: 'Approvals',
    page: () => import('./approvals/Approvals.svelte'),
    nav: { group: 'Evidence', label: 'Approvals', icon: 'approval', order: 3 },
  },
  { path: '/evidence/approvals/:id', title: 'Approval', page: () => import('./approvals/Approval.svelte') },
  {
    path: '/evidence/live',
    title: 'Live',
    page: () => import('./live/LiveFeed.svelte'),
    nav: { group: 'Evidence', label: 'Live', icon: 'live', order: 4 },
  },
  {
    path: '/evidence/receipts',
    title: 'Receipts',
    page: () => import('./receipts/Receipts.svelte'),
    nav: { group: 'Evidence', label: 'Receipts', icon: 'receipt', order: 5 },
  },
  { path: '/evidence/receipts/:id', title: 'Receipt', page: () => import('./receipts/Receipt.svelte') },
];
