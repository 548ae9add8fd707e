import { describe, expect, test } from 'vitest';
import { left, standing } from './standing';

const now = new Date('2026-01-01T12:00:00Z');
const approval = { status: 'created', expires_at: '2026-01-01T12:30:00Z', consumed_at: null };

describe('how an approval stands', () => {
  test('nobody answered', () => expect(standing(approval, now)).toBe('waiting'));
  test('it ran out', () => expect(standing({ ...approval, expires_at: '2026-01-01T12:00:00Z' }, now)).toBe('expired'));
  test('somebody agreed', () => expect(standing({ ...approval, status: 'APPROVED' }, now)).toBe('approved'));
  test('it was agreed to but not used in time', () =>
    expect(standing({ ...approval, status: 'APPROVED', expires_at: '2026-01-01T11:00:00Z' }, now)).toBe('expired'));
  test('it was used', () =>
    expect(standing({ ...approval, status: 'APPROVED', consumed_at: '2026-01-01T11:59:00Z', expires_at: '2026-01-01T11:59:30Z' }, now)).toBe('consumed'));
  test('somebody refused', () => expect(standing({ ...approval, status: 'REJECTED' }, now)).toBe('rejected'));
});

test('the time that is left', () => {
  expect(left('2026-01-01T12:30:00Z', now)).toBe('30 min');
  expect(left('2026-01-01T12:00:45Z', now)).toBe('45 s');
  expect(left('2026-01-01T15:00:00Z', now)).toBe('3 h');
  expect(left('2026-01-01T11:00:00Z', now)).toBe('0 s');
});
