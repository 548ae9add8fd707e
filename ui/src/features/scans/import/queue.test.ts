import { describe, expect, test } from 'vitest';
import { ApiProblem } from '$shared/api/problem';
import type { Sending } from '$shared/api/upload';
import type { Imported } from '../api';
import { bytes, mediaType, newsIn } from './format';
import { ImportQueue } from './queue.svelte';

const imported = { scan: { scan_id: 's' }, warnings: [] } as unknown as Imported;
const file = (name: string, text = '{}') => ({ file: new File([text], name) });
const stages = (queue: ImportQueue) => queue.list.map((one) => `${one.name} ${one.stage}`).join(', ');

describe('files on their way in', () => {
  test('go one after the other, and one that is refused stops no other', async () => {
    const order: string[] = [];
    const queue = new ImportQueue(async (sent) => {
      order.push((sent as File).name);
      if ((sent as File).name === 'bad') throw new ApiProblem(422, 'invalid_document', 'no', [{ path: '$.nodes[3]', message: 'has no id' }], 7);
      return { isNew: true, imported };
    });
    await queue.add([file('one'), file('bad'), file('two')]);
    expect(order).toEqual(['one', 'bad', 'two']);
    expect(stages(queue)).toBe('one stored, bad refused, two stored');
    expect([queue.list[1]?.problem?.total, queue.stored, queue.isBusy]).toEqual([7, 2, false]);
  });
  test('what was there before is told as such', async () => {
    const queue = new ImportQueue(() => Promise.resolve({ isNew: false, imported }));
    await queue.add([file('one')]);
    expect(stages(queue)).toBe('one known');
  });
  test('progress is told, and when the server has all of it', async () => {
    const seen: string[] = [];
    const queue = new ImportQueue(async (_, { onprogress }) => {
      const one = queue.list[0];
      for (const progress of [{ sent: 5, isSent: false }, { sent: 10, isSent: true }]) {
        onprogress(progress);
        seen.push(`${one?.part} ${one?.stage}`);
      }
      return { isNew: true, imported };
    });
    await queue.add([file('one', '0123456789')]);
    expect(seen).toEqual(['0.5 sending', '1 reading']);
  });
  test('one that is stopped can be sent again', async () => {
    let attempts = 0;
    const queue = new ImportQueue((_, { signal }: Sending) => {
      attempts += 1;
      if (attempts > 1) return Promise.resolve({ isNew: true, imported });
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError'))));
    });
    const working = queue.add([file('one'), file('two')]);
    await Promise.resolve();
    const [one, two] = queue.list;
    if (two) queue.stop(two);
    while (attempts === 0) await Promise.resolve().then(() => new Promise((later) => setTimeout(later)));
    if (one) queue.stop(one);
    await working;
    expect(stages(queue)).toBe('one stopped, two stopped');
    if (one) await queue.again(one);
    expect(stages(queue)).toBe('one stored, two stopped');
  });
  test('what is no file is named and refused', async () => {
    const queue = new ImportQueue(() => Promise.resolve({ isNew: true, imported }));
    await queue.add([{ name: 'scans', fault: 'it is a folder' }, file('one')]);
    expect([stages(queue), queue.list[0]?.problem?.message]).toEqual(['scans refused, one stored', 'it is a folder']);
    queue.clear();
    expect(queue.list).toEqual([]);
  });
});

describe('formats', () => {
  const type = (...head: number[]) => mediaType(new Blob([new Uint8Array(head)]));
  test('are told by the first bytes, whatever the name', async () =>
    expect(await Promise.all([type(0x1f, 0x8b, 8), type(0x28, 0xb5, 0x2f, 0xfd, 1), type(0x7b), type()])).toEqual([
      'application/gzip',
      'application/zstd',
      'application/json',
      'application/json',
    ]));
  test('what came is told, not what was known', () => {
    const added = { new_nodes: 2, changed_nodes: 0, same_nodes: 9, new_edges: 1, changed_edges: 0, same_edges: 30 };
    expect([newsIn(added), newsIn({ ...added, new_nodes: 0, new_edges: 0 })]).toEqual(['2 new things, 1 new edge', 'nothing new']);
  });
  test('sizes are told in words', () =>
    expect([0, 999, 1000, 1449, 99_999, 3_000_000, 123_456_789].map(bytes)).toEqual(['0 B', '999 B', '1.0 kB', '1.4 kB', '100 kB', '3.0 MB', '123 MB']));
});
