import { describe, expect, test } from 'vitest';
import { Feed, fits } from './feed.svelte';

const event = (reason: string) => ({ kind: 'decision', decision: 'deny', tool: 'github', action: 'merge', agent_id: 'a', reason });
const reasons = (feed: Feed) => feed.list.map((heard) => heard.event.reason).join(' ');

describe('the feed', () => {
  test('shows the newest first', () => {
    const feed = new Feed();
    ['1', '2'].forEach((one) => feed.hear(event(one)));
    expect(reasons(feed)).toBe('2 1');
  });
  test('is bounded and says what it let go', () => {
    const feed = new Feed(2);
    ['1', '2', '3', '4', '5'].forEach((one) => feed.hear(event(one)));
    expect([reasons(feed), feed.letGo]).toEqual(['5 4', 3]);
  });
  test('stands still while it is paused, and goes on with what came meanwhile', () => {
    const feed = new Feed();
    feed.hear(event('1'));
    feed.pause();
    feed.hear(event('2'));
    expect([reasons(feed), feed.waiting]).toEqual(['1', 1]);
    feed.go();
    expect([reasons(feed), feed.waiting]).toEqual(['2 1', 0]);
  });
  test('holds no more than its bound while it is paused', () => {
    const feed = new Feed(2);
    feed.pause();
    ['1', '2', '3'].forEach((one) => feed.hear(event(one)));
    feed.go();
    expect([reasons(feed), feed.letGo]).toEqual(['3 2', 1]);
  });
  test('counts what the server left out', () => {
    const feed = new Feed();
    feed.hear({ type: 'events_dropped', count: 17 });
    expect([feed.missed, feed.list.length]).toEqual([17, 0]);
  });
  test('takes no notice of what is no event', () => {
    const feed = new Feed();
    feed.hear({ hello: 1 });
    expect(feed.list).toEqual([]);
  });
});

test.each([
  [{}, true],
  [{ verdict: 'deny', agent: 'a', text: 'MERGE git' }, true],
  [{ verdict: 'allow' }, false],
  [{ agent: 'b' }, false],
  [{ kind: 'alert' }, false],
  [{ text: 'nothing like it' }, false],
])('%o fits: %s', (wanted, is) => expect(fits(event('x'), wanted)).toBe(is));
