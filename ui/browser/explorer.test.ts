// The explorer: what is found, walked and cut is what the API says.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { aBrowser } from './stage/browser';
import { aServer, demo } from './stage/server';
import { follow, settled } from './stage/settled';

const server = aServer(demo);
const browser = aBrowser(server);

async function open(path: string): Promise<Page> {
  const page = await browser.page({ token: server().admin.token });
  follow(page);
  await page.goto(`${server().origin}/console${path}`);
  await settled(page);
  return page;
}

test('finds things as somebody types and opens what is chosen', async () => {
  const page = await open('/');
  await page.keyboard.press('/');
  await page.keyboard.type('format_rep');
  await page.getByRole('option').filter({ hasText: 'format_report' }).first().waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => new URL(page.url()).pathname).toBe('/console/explorer');
  await page.getByRole('complementary').getByRole('heading', { name: 'format_report' }).waitFor();
});

test('finds the paths that the API finds, and says what a cut would change', async () => {
  const page = await open('/explorer?panel=paths');
  await page.getByRole('combobox', { name: 'From' }).fill('all agents');
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'To' }).fill('critical resources');
  await page.keyboard.press('Enter');
  await settled(page);
  const asked = { from: 'all agents', to: 'critical resources' };
  const told = await server().admin.post('/v1/estate/paths', { body: { ...asked, k: 5, by: 'weight' } });
  const [first] = told.paths;
  expect(told.paths.length).toBeGreaterThan(0);
  await page.getByText(new RegExp(`^\\s*${told.paths.length} paths? from`)).waitFor();
  const hops = page.getByRole('list', { name: 'Hops of the path' }).getByRole('listitem');
  expect(await hops.count()).toBe(first?.hops);
  await page.getByRole('application', { name: /^Paths/ }).waitFor();

  await hops.first().getByRole('button', { name: 'What if this hop were cut' }).click();
  await page.getByRole('heading', { name: 'Without 1 edge' }).waitFor();
  await settled(page);
  const step = first?.steps[0];
  const edge = { source: step?.source.id ?? '', kind: step?.kind ?? '', target: step?.target.id ?? '' };
  const without = await server().admin.post('/v1/estate/what-if', { body: { ...asked, remove_edges: [edge] } });
  expect(without.findings_after).toBeLessThan(without.findings_before);
  await page.getByText(`${without.findings_before} → ${without.findings_after}`, { exact: true }).waitFor();
  expect((await server().admin.post('/v1/estate/paths', { body: { ...asked, k: 5, by: 'weight' } })).paths.length, 'nothing is changed by asking').toBe(told.paths.length);
});

test('an address brings back what was looked at', async () => {
  const page = await open('/explorer?from=all+agents&to=critical+resources&path=1');
  const address = page.url();
  await page.reload();
  await settled(page);
  expect(page.url()).toBe(address);
  await page.getByRole('button', { pressed: true }).filter({ hasText: 'hop' }).waitFor();
});
