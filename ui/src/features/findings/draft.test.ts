import { describe, expect, test } from 'vitest';
import { dayAhead, decision, type Draft, forget, isWorthKeeping, keep, kept, type Keeping, missing, MOST } from './draft';

const NOW = new Date(2026, 10, 16, 12);
const draft = (changes: Partial<Draft> = {}): Draft => ({
  fingerprints: ['a'],
  status: 'accepted-risk',
  reason: 'behind a proxy',
  until: '',
  ...changes,
});

function storage(): Keeping & { values: Map<string, string> } {
  const values = new Map<string, string>();
  return {
    values,
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}

describe('keeping', () => {
  test('a draft comes back as it was', () => {
    const here = storage();
    keep(here, draft({ until: '2026-12-01' }));
    expect(kept(here)).toEqual(draft({ until: '2026-12-01' }));
  });
  test('a forgotten one does not', () => {
    const here = storage();
    keep(here, draft());
    forget(here);
    expect(kept(here)).toBeUndefined();
  });
  test('what is no draft is none', () => {
    for (const text of ['', '{', '[]', '{"fingerprints":[]}', '{"fingerprints":[7]}']) {
      const here = storage();
      here.values.set('tracehound-triage-draft', text);
      expect(kept(here)).toBeUndefined();
    }
  });
  test('a status that does not exist is not kept, the note is', () => {
    const here = storage();
    here.values.set('tracehound-triage-draft', JSON.stringify({ ...draft(), status: 'gone' }));
    expect(kept(here)).toEqual(draft({ status: '' }));
  });
  test('a browser without storage does not fail', () => {
    const broken: Keeping = {
      getItem: () => {
        throw new Error('denied');
      },
      setItem: () => {
        throw new Error('denied');
      },
      removeItem: () => {
        throw new Error('denied');
      },
    };
    keep(broken, draft());
    forget(broken);
    expect(kept(broken)).toBeUndefined();
  });
  test('only what would be missed is kept', () =>
    expect([draft(), draft({ status: '', reason: ' ' })].map(isWorthKeeping)).toEqual([true, false]));
});

describe('sending', () => {
  const check = (changes: Partial<Draft>, words: RegExp) => expect(missing(draft(changes), NOW)).toMatch(words);
  test('complete', () => check({}, /^$/));
  test('without findings', () => check({ fingerprints: [] }, /at least one/));
  test('too many', () => check({ fingerprints: Array.from({ length: MOST + 1 }, String) }, /10,000/));
  test('without status', () => check({ status: '' }, /what they are/));
  test('without reason', () => check({ reason: '  ' }, /why/));
  test('a day that is over', () => check({ until: '2026-11-15' }, /over/));
  test('today lasts until its end', () => check({ until: '2026-11-16' }, /^$/));
  test('no day of the calendar', () => check({ until: '2026-02-31' }, /not one/));
  test('the request holds the end of the day', () =>
    expect(decision(draft({ until: '2026-12-01', reason: ' x ' }))).toEqual({
      fingerprints: ['a'],
      status: 'accepted-risk',
      reason: 'x',
      until: new Date(2026, 11, 1, 23, 59, 59).toISOString(),
    }));
  test('for good has no end', () => expect(decision(draft())).not.toHaveProperty('until'));
  test('days ahead cross months', () => expect(dayAhead(30, NOW)).toBe('2026-12-16'));
});
