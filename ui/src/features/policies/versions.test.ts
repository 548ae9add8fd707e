import { expect, test } from 'vitest';
import { chosen } from './versions';

const versions = [{ version: 3 }, { version: 2 }, { version: 1 }];
const check = (from: number, to: number, wanted: [number, number]) => {
  const pair = chosen(versions, from, to);
  expect([pair?.from.version, pair?.to.version]).toEqual(wanted);
};

test('the newest is compared with the one before it', () => check(0, 0, [2, 3]));
test('two versions that were asked for are compared', () => check(1, 3, [1, 3]));
test('an older version is compared with the one before it', () => check(0, 2, [1, 2]));
test('a version that does not exist is not asked for', () => check(9, 9, [2, 3]));
test('a single version has nothing to be compared with', () => expect(chosen([{ version: 1 }], 0, 0)).toBeUndefined());
