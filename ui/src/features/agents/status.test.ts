import { expect, test } from 'vitest';
import { steps } from './status';

const check = (status: Parameters<typeof steps>[0], may: { analyse: boolean; administrate: boolean }, wanted: string[]) =>
  expect(steps(status, may).map((step) => step.id)).toEqual(wanted);
const admin = { analyse: true, administrate: true };
const analyst = { analyse: true, administrate: false };
const auditor = { analyse: false, administrate: false };

test('an analyst stops an agent, but not for good', () => check('active', analyst, ['freeze', 'quarantine']));
test('only an administrator revokes', () => check('active', admin, ['freeze', 'quarantine', 'revoke']));
test('what is frozen can be let go', () => check('frozen', analyst, ['unfreeze', 'quarantine']));
test('what is quarantined can be restored', () => check('quarantined', admin, ['restore', 'revoke']));
test('nothing leads back from revoked', () => check('revoked', admin, []));
test('who only reads is offered nothing', () => check('active', auditor, []));
