// What somebody does on a telephone: 390 pixels wide.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { aBrowser } from './stage/browser';
import { aServer, demo } from './stage/server';
import { follow, settled } from './stage/settled';

const server = aServer(demo);
const browser = aBrowser(server);

async function open(path: string): Promise<Page> {
  const page = await browser.page({ token: server().admin.token, size: 'narrow' });
  follow(page);
  await page.goto(`${server().origin}/console${path}`);
  await settled(page);
  return page;
}

test('a finding is found, read and decided about', async () => {
  const page = await open('/');
  await page.getByRole('button', { name: 'Navigation' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Findings', exact: true }).click();
  await page.getByRole('heading', { name: 'Findings', level: 1 }).waitFor();
  await settled(page);
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('checkbox', { name: /^Critical/i }).first().check();
  await settled(page);
  await page.getByRole('table', { name: 'Findings' }).locator('tbody tr').first().getByRole('link').first().click();
  await page.getByRole('button', { name: 'Triage…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Decide about 1 finding' });
  await dialog.getByRole('radio', { name: /Confirmed/ }).check();
  await dialog.getByLabel('Why').fill('seen on the way home');
  const decide = dialog.getByRole('button', { name: 'Decide' });
  const box = await decide.boundingBox();
  expect((box?.x ?? 999) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
  await decide.click();
  await page.getByText('1 finding marked as confirmed.').waitFor();
});

test('the explorer’s panel and drawer open over the graph and close again', async () => {
  const page = await open('/explorer');
  await page.getByRole('button', { name: 'Topology' }).click();
  await page.getByRole('combobox', { name: 'Find', exact: true }).fill('format_rep');
  await page.getByRole('option').filter({ hasText: 'format_report' }).first().waitFor();
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('complementary');
  await drawer.getByRole('heading', { name: 'format_report' }).waitFor();
  await settled(page);
  const box = await drawer.boundingBox();
  expect([(box?.x ?? -1) >= 0, (box?.x ?? 0) + (box?.width ?? 999) <= 390]).toEqual([true, true]);
  await drawer.getByRole('tab', { name: /Connections/ }).click();
  await drawer.getByRole('button', { name: 'Close' }).click();
  await drawer.waitFor({ state: 'hidden' });
});
