import { expect, test } from 'vitest';
import { type Command, commands, fitting, offer } from './commands.svelte';

const command = (title: string, group = 'Estate'): Command => ({ id: title, title, group, run: () => {} });
const list = ['Go to Findings', 'Paths from here', 'Find a path'].map((title) => command(title));
const titles = (typed: string) => fitting(list, typed).map((one) => one.title);

test('nothing typed shows everything', () => expect(titles('')).toHaveLength(3));
test('all words must occur', () => expect(titles('path here')).toEqual(['Paths from here']));
test('the start counts more', () => expect(titles('find')[0]).toBe('Find a path'));
test('what does not fit is not shown', () => expect(titles('zebra')).toEqual([]));
test('commands go when their page goes', () => {
  const takeBack = offer(list);
  expect(commands.all).toHaveLength(3);
  takeBack();
  expect(commands.all).toEqual([]);
});
