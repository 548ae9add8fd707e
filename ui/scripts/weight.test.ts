import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type Chunk, early, fault, MOST, weights } from './weight';

const chunk = (fileName: string, changes: Partial<Chunk> = {}): Chunk => ({ fileName, code: fileName, imports: [], dynamicImports: [], moduleIds: [], isEntry: false, ...changes });
const size = (...names: string[]) => names.reduce((sum, name) => sum + gzipSync(name).length, 0);

test('a page weighs what it and the shell import at once, each file counted once', () => {
  const chunks = [
    chunk('shell', { isEntry: true, imports: ['shared'], dynamicImports: ['page'] }),
    chunk('page', { imports: ['shared', 'table'], dynamicImports: ['graph'] }),
    ...['shared', 'table', 'graph'].map((name) => chunk(name)),
  ];
  expect(weights(chunks)).toEqual([{ page: 'page', weight: size('shell', 'page', 'shared', 'table') }]);
});
test('the heaviest page comes first', () => {
  const chunks = [chunk('shell', { isEntry: true, dynamicImports: ['light', 'heavy'] }), chunk('light'), chunk('heavy', { code: randomBytes(999).toString('hex') })];
  expect(weights(chunks).map((one) => one.page)).toEqual(['heavy', 'light']);
});
test('graph code in the shell is found, behind a page it is not', () => {
  const graph = { moduleIds: ['/x/node_modules/sigma/dist/sigma.js'] };
  expect(early([chunk('shell', { isEntry: true, imports: ['g'] }), chunk('g', graph)])).toHaveLength(1);
  expect(early([chunk('shell', { isEntry: true, dynamicImports: ['g'] }), chunk('g', graph)])).toEqual([]);
});
test('a build with a page beyond the limit fails', () => {
  const heavy = [chunk('shell', { isEntry: true, dynamicImports: ['page'] }), chunk('page', { code: randomBytes(MOST).toString('hex') })];
  expect(fault(heavy)).toContain('at most 250 kB');
  expect(fault(heavy.slice(0, 1))).toBeUndefined();
});
