import { describe, expect, test } from 'vitest';
import { address, fits, inside, match, withQuery } from './match';

describe('fits', () => {
  test('a path without parameters fits itself', () => expect(fits('/findings', '/findings')).toEqual({}));
  test('a trailing slash does not matter', () => expect(fits('/findings', '/findings/')).toEqual({}));
  test('what stands in place of a name is decoded', () =>
    expect(fits('/nodes/:id', '/nodes/sha256%3Aab%2Fc')).toEqual({ id: 'sha256:ab/c' }));
  test('more parts than the pattern has do not fit', () => expect(fits('/findings', '/findings/1')).toBeUndefined());
  test('a broken escape does not fit', () => expect(fits('/nodes/:id', '/nodes/%E0%A4')).toBeUndefined());
});

test('a fixed path goes before one with a name', () => {
  const routes = [{ path: '/scans/:id' }, { path: '/scans/compare' }];
  expect(match(routes, '/scans/compare')?.route.path).toBe('/scans/compare');
  expect(match(routes, '/scans/7')?.parameters).toEqual({ id: '7' });
});

test('an address is below the prefix of the console', () => {
  expect(address('/')).toBe('/console/');
  expect(address('/explorer', { focus: 'sha256:1', lens: '' })).toBe('/console/explorer?focus=sha256%3A1');
});

test('only paths of the console are inside', () => {
  expect(inside('/console')).toBe('/');
  expect(inside('/console/findings')).toBe('/findings');
  expect(inside('/consoles')).toBeUndefined();
  expect(inside('/v1/whoami')).toBeUndefined();
});

describe('withQuery', () => {
  test('values are changed, taken out and repeated', () =>
    expect(withQuery('?a=1&b=2', { b: null, c: ['x', 'y'], a: 3 })).toBe('?a=3&c=x&c=y'));
  test('the same state gives the same address whatever the order', () =>
    expect(withQuery('?b=2&a=1', {})).toBe(withQuery('?a=1&b=2', {})));
  test('nothing left means no question mark', () => expect(withQuery('?a=1', { a: false })).toBe(''));
});
