// When a page has come to rest: nothing is being asked, nothing is being arranged, and what came is painted.

import type { Page, Request } from 'playwright-core';

const QUIET = 150;
const busy = new WeakMap<Page, Set<Request>>();

/** Keeps account of what a page asks; before the page goes anywhere. */
export function follow(page: Page): void {
  const open = new Set<Request>();
  busy.set(page, open);
  page.on('request', (request) => open.add(request));
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
}

/** Waits until the page is at rest. */
export async function settled(page: Page, patience = 20_000): Promise<void> {
  const open = busy.get(page);
  if (!open) throw new Error('the page is not followed');
  const end = Date.now() + patience;
  let since = Date.now();
  while (Date.now() - since < QUIET) {
    if (Date.now() > end) throw new Error(`${page.url()} does not come to rest: ${[...open].map((one) => one.url()).join(', ')}`);
    await painted(page);
    const isWaiting = await page.locator('.waiting, .note.quiet').count();
    if (open.size > 0 || isWaiting > 0) since = Date.now();
  }
}

/** Two frames: what was changed in the first is on the screen after the second. */
export async function painted(page: Page): Promise<void> {
  await page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));
}
