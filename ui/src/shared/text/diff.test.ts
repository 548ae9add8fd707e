import { expect, test } from 'vitest';
import { diff } from './diff';

/** Rows as `left | right`, changed parts in brackets. */
const shown = (before: string, after: string) =>
  diff(before, after).map((row) => {
    const side = (parts: (typeof row)['left']) => parts?.map((part) => (part.changed ? `[${part.text}]` : part.text)).join('') ?? '';
    return `${side(row.left)} | ${side(row.right)}`;
  });

test('equal texts have no changes', () => expect(shown('a\nb', 'a\nb')).toEqual(['a | a', 'b | b']));
test('a changed word is pointed out', () =>
  expect(shown('Reads a file.', 'Reads a secret file.')).toEqual(['Reads a file. | Reads a [secret ]file.']));
test('a line that came in stands alone', () => expect(shown('a\nb', 'a\nx\nb')).toEqual(['a | a', ' | [x]', 'b | b']));
test('a line that went stands alone', () => expect(shown('a\nx\nb', 'a\nb')).toEqual(['a | a', '[x] | ', 'b | b']));
test('very long texts still end', () => {
  const long = Array.from({ length: 5000 }, (_, at) => `line ${at}`).join('\n');
  expect(diff(long, `x\n${long}`)).toHaveLength(5001);
});
test('both sides can be put together again', () => {
  const [before, after] = ['one two\nthree\nfour', 'one 2\nfour\nfive'];
  const side = (which: 'left' | 'right') =>
    diff(before, after)
      .flatMap((row) => (row[which] ? [row[which].map((part) => part.text).join('')] : []))
      .join('\n');
  expect([side('left'), side('right')]).toEqual([before, after]);
});
