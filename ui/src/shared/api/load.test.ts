import { describe, expect, test } from 'vitest';
import { backOff } from './live.svelte';
import { Loaded, type Page, Paged } from './load.svelte';
import { ApiProblem, asProblem, problemIn, problemOf, singles, wayOn } from './problem';

/** Answers that come when they are told to. */
function later<T>() {
  const open: ((value: T) => void)[] = [];
  return { ask: () => new Promise<T>((resolve) => open.push(resolve)), answer: (at: number, value: T) => open[at]?.(value) };
}

describe('Loaded', () => {
  test('an older answer that comes late is thrown away', async () => {
    const { ask, answer } = later<string>();
    const loaded = new Loaded(ask);
    const [first, second] = [loaded.again(), loaded.again()];
    answer(1, 'second');
    await second;
    answer(0, 'first');
    await first;
    expect([loaded.data, loaded.busy]).toEqual(['second', false]);
  });
  test('what was shown stays when loading again fails', async () => {
    let isBroken = false;
    const loaded = new Loaded(() => (isBroken ? Promise.reject(new TypeError()) : Promise.resolve('x')));
    await loaded.again();
    isBroken = true;
    await loaded.again();
    expect([loaded.data, loaded.problem?.code]).toEqual(['x', 'unreachable']);
  });
});

describe('Paged', () => {
  const page = (cursor: string | undefined): Promise<Page<number>> =>
    Promise.resolve(cursor === undefined ? { items: [1, 2], next_cursor: 'c' } : { items: [3], next_cursor: null });
  test('pages follow each other to the end', async () => {
    const list = new Paged(page);
    await list.again();
    expect([list.items, list.hasMore]).toEqual([[1, 2], true]);
    await list.more();
    await list.more();
    expect([list.items, list.hasMore]).toEqual([[1, 2, 3], false]);
  });
  test('from the start there is one page again', async () => {
    const list = new Paged(page);
    await list.again();
    await list.more();
    await list.again();
    expect(list.items).toEqual([1, 2]);
  });
});

describe('problems', () => {
  test('the server’s own words are kept', async () => {
    const said = { code: 'bad_document', detail: 'nodes[3] has no id', problems: [{ path: 'nodes[3]' }] };
    const problem = await problemOf(new Response(JSON.stringify(said), { status: 422 }));
    expect([problem.status, problem.code, problem.message, problem.problems.length]).toEqual([422, 'bad_document', 'nodes[3] has no id', 1]);
  });
  test('an answer that is no document still says something', async () =>
    expect((await problemOf(new Response('<html>', { status: 502 }))).message).toContain('502'));
  test('every problem has a way on', () => {
    for (const status of [0, 400, 401, 403, 404, 409, 413, 429, 500]) expect(wayOn(new ApiProblem(status, '', ''))).toMatch(/\.$/);
  });
  test('single things are told with their place, and none is left out', () => {
    const problems = [{ path: '$.nodes[3]', message: 'has no id' }, { message: 'too large' }, 'odd', { path: 'x', message: 'y', line: 3 }];
    const problem = problemIn(422, JSON.stringify({ detail: 'no', problems, problems_total: 90 }));
    expect(singles(problem)).toEqual([
      { path: '$.nodes[3]', message: 'has no id' },
      { path: '', message: 'too large' },
      { path: '', message: 'odd' },
      { path: '', message: '{"path":"x","message":"y","line":3}' },
    ]);
    expect(problem.total).toBe(90);
  });
  test('without a total what is listed is all', () => expect(problemIn(422, '{"problems":["a"]}').total).toBe(1));
  test('what is one stays one', () => {
    const problem = new ApiProblem(404, 'x', 'y');
    expect(asProblem(problem)).toBe(problem);
  });
});

test('the wait for another attempt grows and has an end', () => {
  expect(backOff(0, 1)).toBe(500);
  expect(backOff(3, 0)).toBe(2000);
  expect(backOff(1000, 1)).toBe(30_000);
});
