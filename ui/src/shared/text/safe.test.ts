import { render } from 'svelte/server';
import { describe, expect, test } from 'vitest';
import SafeText from '../ui/SafeText.svelte';
import { count, cut, laidOut, pieces, plain } from './safe';

describe('pieces', () => {
  test('plain text is one piece', () => expect(pieces('grüße, 世界 👩‍💻'.replace('\u200d', ''))).toHaveLength(1));
  test('a bidirectional override is spelled out', () =>
    expect(pieces('a\u202eb')).toEqual([{ text: 'a' }, { text: '\u202e', code: 'U+202E' }, { text: 'b' }]));
  test('tag characters are spelled out, one by one', () =>
    expect(pieces('\u{e0041}\u{e0042}').map((piece) => piece.code)).toEqual(['U+E0041', 'U+E0042']));
  test('half a surrogate pair is spelled out', () => expect(pieces('\ud83d')).toEqual([{ text: '\ud83d', code: 'U+D83D' }]));
  test('tabs and line feeds stay', () => expect(pieces('a\tb\nc')).toEqual([{ text: 'a\tb\nc' }]));
  test('nothing is lost', () => {
    const text = 'x\u0000y\u200bz\ufeff';
    expect(
      pieces(text)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text);
  });
});

describe('plain', () => {
  test('is one line', () => expect(plain('a\n\tb   c')).toBe('a b c'));
  test('spells out what is hidden', () => expect(plain('ab\u202e')).toBe('ab[U+202E]'));
  test('cuts long text and says so', () => expect(plain('x'.repeat(1_000_000), 10)).toBe('xxxxxxxxx…'));
  test('says so too when the cut part was only far away', () => expect(plain(`a${' '.repeat(1000)}b`, 10)).toMatch(/…$/));
  test('takes any value', () => expect([plain(null), plain(3), plain({ a: 1 })]).toEqual(['', '3', '{"a":1}']));
});

test('a cut never halves a character', () => expect(cut('ab😀', 3)).toBe('ab'));
test('numbers have their nouns', () => expect([count(1, 'finding'), count(1234, 'finding')]).toEqual(['1 finding', '1,234 findings']));

describe('SafeText', () => {
  const shown = (text: unknown) => render(SafeText, { props: { text } }).body;

  test('markup is text', () => {
    const body = shown('<script>alert(1)</script><img src=x onerror=alert(1)>');
    expect(body).not.toMatch(/<script|<img/);
    expect(body).toContain('&lt;script');
  });
  test('no link is made of an address', () => expect(shown('javascript:alert(1) https://example.com')).not.toContain('<a'));
  test('a megabyte is cut', () => {
    const body = shown('x'.repeat(1_000_000));
    expect(body.length).toBeLessThan(2000);
    expect(body).toContain('1,000,000 characters');
  });
});

test('JSON is laid out, anything else stays as it is', () =>
  expect([laidOut('{"a":[1]}'), laidOut({ b: 2 }), laidOut('{not json'), laidOut('plain'), laidOut(undefined)]).toEqual([
    '{\n  "a": [\n    1\n  ]\n}',
    '{\n  "b": 2\n}',
    '{not json',
    'plain',
    '',
  ]));
