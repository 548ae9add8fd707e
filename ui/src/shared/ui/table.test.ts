import { expect, test } from 'vitest';
import { type Column, ordered } from './table';

const columns: Column<{ n: number; s: string }>[] = [
  { id: 'n', label: 'N', sort: (row) => row.n },
  { id: 's', label: 'S', sort: (row) => row.s },
  { id: 'x', label: 'X' },
];
const rows = [
  { n: 10, s: 'b' },
  { n: 9, s: 'a' },
  { n: 10, s: 'a' },
];
const shown = (column: string, down: boolean) => ordered(rows, columns, { column, down }).map((row) => row.n + row.s);

test('numbers are compared as numbers', () => expect(shown('n', false)).toEqual(['9a', '10b', '10a']));
test('equal rows stay as they came, upwards and downwards', () => expect(shown('n', true)).toEqual(['10b', '10a', '9a']));
test('a column that can’t be sorted changes nothing', () => expect(shown('x', true)).toEqual(['10b', '9a', '10a']));
