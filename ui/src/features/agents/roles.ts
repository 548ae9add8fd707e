// What roles permit, in the words of the documentation.

import type { Schema } from '$shared/api/client';

export const ROLES: Record<Schema<'Role'>, string> = {
  auditor: 'read everything, verify',
  approver: 'also decide about approvals',
  analyst: 'also handle incidents, detection rules, containment',
  admin: 'everything within the tenant',
};
