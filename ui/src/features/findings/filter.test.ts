import { expect, test } from 'vitest';
import { withQuery } from '$shared/router/match';
import { asked, byFate, fromQuery, restrictions, toQuery, widest } from './filter';

const read = (search: string) => fromQuery(new URLSearchParams(search));
const again = (search: string) => withQuery('', toQuery(read(search)));

test('an address leads to itself', () => {
  const search = '?category=MCP03%3A2025&kind=CAN_REACH&q=billing+db&severity=critical&severity=high&since=monday&sort=-status';
  expect(again(search)).toBe(search);
});
test('the empty state has an empty address', () => expect(again('')).toBe(''));
test('values may be repeated or separated by commas, and count once', () =>
  expect(read('severity=critical,high&severity=high').chosen.severity).toEqual(['critical', 'high']));
test('sorting by what is no column is left out', () => expect(read('sort=-evil').order).toBeUndefined());
test('the API is asked in lists', () => expect(asked(read('severity=low&severity=high&q= x '))).toEqual({ severity: 'low,high', q: 'x' }));
test('what became of findings is filtered here, not asked for', () =>
  expect(asked(read('lifecycle=new&since=monday'))).toEqual({ since: 'monday' }));
test('fates are counted before they are filtered by', () => {
  const rows = [{ lifecycle: 'new' }, { lifecycle: 'persisting' }, { lifecycle: 'new' }, { lifecycle: null }];
  const { counts, kept } = byFate(read('lifecycle=new&since=monday'), rows);
  expect([counts, kept.length]).toEqual([{ new: 2, persisting: 1 }, 2]);
  expect(byFate(read('lifecycle=new'), rows).kept).toHaveLength(4);
});
test('clearing keeps the points', () => {
  const cleared = widest(read('severity=low&q=x&node=n&since=monday&at=friday'));
  expect(withQuery('', toQuery(cleared))).toBe('?at=friday&since=monday');
  expect([restrictions(read('severity=low&q=x&node=n')), restrictions(cleared)]).toEqual([3, 0]);
});
