import { expect, test } from 'vitest';
import type { RuleRow } from './api';
import { figures, percent } from './figures';
import { counts, fitting, fromQuery, restrictions } from './filter';

const rule = (id: string, more: Partial<RuleRow> = {}): RuleRow => ({
  id,
  name: `Rule ${id}`,
  version: 1,
  severity: 'high',
  enabled: true,
  kind: 'detection',
  owasp: ['MCP03'],
  tags: ['injection'],
  matcher: 'regex',
  targets: ['tool.description'],
  origin: 'builtin',
  atlas: [],
  ...more,
});
const rules = [
  rule('a', { owasp: ['MCP03', 'ASI01'] }),
  rule('b', { severity: 'low', matcher: 'compound' }),
  rule('c', { kind: 'fingerprint', enabled: false, owasp: [], tags: [] }),
];
const found = (search: string) => fitting(rules, fromQuery(new URLSearchParams(search))).map((one) => one.id).join('');
const counted = (search: string, facet: 'severity' | 'owasp' | 'state') => Object.fromEntries(counts(rules, fromQuery(new URLSearchParams(search)), facet));

test('without restrictions all are shown', () => expect(found('')).toBe('abc'));
test('values of one facet mean any, facets mean all', () => {
  expect(found('severity=high&severity=low')).toBe('abc');
  expect(found('severity=high&owasp=MCP03')).toBe('a');
});
test('all words must occur, in whatever the rule is called by', () => {
  expect([found('q=rule injection'), found('q=asi01'), found('q=zebra')]).toEqual(['ab', 'a', '']);
});
test('rules that are off can be looked for', () => expect(found('state=off')).toBe('c'));
test('counts of a facet heed the others but not itself', () => {
  expect(counted('severity=low', 'severity')).toEqual({ high: 2, low: 1 });
  expect(counted('severity=low', 'owasp')).toEqual({ MCP03: 1, ASI01: 0 });
});
test('restrictions are counted', () => expect(restrictions(fromQuery(new URLSearchParams('q=x&tag=a&tag=b')))).toBe(3));

test('percents never flatter', () =>
  expect([percent(1), percent(0.99999), percent(0.9937), percent(0.5), percent(0.00001), percent(0), percent(null)]).toEqual([
    '100 %',
    '> 99.9 %',
    '99.4 %',
    '50 %',
    '< 0.1 %',
    '0 %',
    '–',
  ]));
test('figures are told with what they are a part of', () =>
  expect(figures({ recall: 0.5, precision: null, matched_hostile: 4, hostile: 1397, matched_benign: 0, benign: 2829, matched_alone: 1 })).toEqual([
    ['Precision', '–'],
    ['Recall', '50 %'],
    ['Hostile records matched', '4 of 1,397'],
    ['Matched by no other rule', '1'],
    ['Benign records matched', '0 of 2,829'],
  ]));
