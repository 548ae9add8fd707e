import { expect, test } from 'vitest';
import { heardDecision, openServer, type TrendPoint } from './api';
import { change, pillars } from './trend';

const point = (critical: number, low: number): TrendPoint => ({
  scan_id: 's',
  time: '',
  nodes: 0,
  edges: 0,
  findings_by_severity: { critical, high: 0, medium: 0, low },
  exposure: { agents: 0, agents_reaching: 0, resources: 0, resources_reached: 0 },
});

test('the highest column fills the height, the worst is on top', () => {
  const [first, second] = pillars([point(1, 1), point(1, 3)]);
  expect(second?.segments).toEqual([
    { severity: 'low', count: 3, from: 0, height: 0.75 },
    { severity: 'critical', count: 1, from: 0.75, height: 0.25 },
  ]);
  expect(first?.total).toBe(2);
});
test('scans without findings have empty columns', () => expect(pillars([point(0, 0)])[0]?.segments).toEqual([]));
test('changes are told with their sign', () =>
  expect([change([1, 3]), change([3, 1]), change([2, 2]), change([7])]).toEqual(['+2', '−2', '', '']));

test('a live event that is a decision is one', () =>
  expect(heardDecision({ kind: 'authorize_decision', decision: 'deny', tool: 'git', action: 'push', decision_id: 'd' })).toMatchObject({
    id: 'd',
    verdict: 'deny',
    what: 'git · push',
  }));
test('others are none', () => expect([{}, { type: 'events_dropped' }, { kind: 'incident', tool: 'x' }].map(heardDecision)).toEqual([undefined, undefined, undefined]));

test('a row that lacks a column is shown without it', () => {
  expect(openServer({ server_name: 'files', tool_count: null, server_id: 7 })).toEqual({ server_name: 'files', endpoint: '', transport: '', tool_count: 0, server_id: '' });
});
