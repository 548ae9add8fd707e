import { expect, test } from 'vitest';
import { words } from './ticks';

/** Names in brackets. */
const shown = (text: string) =>
  words(text)
    .map((word) => (word.isName ? `[${word.text}]` : word.text))
    .join('');

test('names stand between backticks', () => expect(shown('agent `a b` trusts `c`')).toBe('agent [a b] trusts [c]'));
test('a backtick without a partner stays', () => expect(shown('agent `a` says `')).toBe('agent [a] says `'));
test('a text without names is one word', () => expect(words('plain')).toEqual([{ text: 'plain', isName: false }]));
test('empty names are nothing', () => expect(shown('a `` b')).toBe('a  b'));
