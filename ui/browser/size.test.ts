// How much has to come over the wire before the overview is there.

import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { aBrowser } from './stage/browser';
import { follow, settled } from './stage/settled';
import { someEvidence } from './stage/evidence';
import { aServer, serve } from './stage/server';

const MOST = 250_000;
const server = aServer(() => serve());
const browser = aBrowser(server);

test('the overview loads less than 250 kB of script, and graph code comes when a graph does', async () => {
  await someEvidence(server().admin);
  const page = await browser.page({ token: server().admin.token });
  follow(page);
  const scripts = new Map<string, Promise<number>>();
  page.on('response', (response) => {
    if (!/\.js$/.test(new URL(response.url()).pathname)) return;
    scripts.set(response.url(), response.body().then((body) => gzipSync(body, { level: 9 }).length));
  });
  const loaded = async () => (await Promise.all(scripts.values())).reduce((sum, size) => sum + size, 0);
  const names = () => [...scripts.keys()].map((url) => url.split('/').at(-1)).join(' ');
  const GRAPH = /\bScene-/;

  await page.goto(`${server().origin}/console/`);
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await settled(page);
  expect(await loaded(), names()).toBeLessThan(MOST);
  expect(await loaded(), 'something is loaded').toBeGreaterThan(10_000);
  expect(names()).not.toMatch(GRAPH);

  await page.goto(`${server().origin}/console/evidence/runs/run-deploy`);
  await page.getByRole('application').waitFor();
  await settled(page);
  expect(names()).toMatch(GRAPH);
});
