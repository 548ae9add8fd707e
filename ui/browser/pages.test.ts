// Every page, in both themes and at both widths: as a picture, without scrolling sideways, and fit for assistive technology.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { aBrowser, SIZES } from './stage/browser';
import { examples } from './stage/examples';
import { pictures } from './stage/place';
import { aServer, demo } from './stage/server';
import { follow, settled } from './stage/settled';
import { type Examples, pages, stops } from './stage/walk';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
const EVERYTHING = {};
const COLOURS = { runOnly: COLOUR_RULES };
const STRUCTURE = { rules: Object.fromEntries(COLOUR_RULES.map((rule) => [rule, { enabled: false }])) };

const server = aServer(demo);
const browser = aBrowser(server);
let known: Examples;

beforeAll(async () => {
  known = await examples(server().admin);
}, 90_000);

test.each(pages)('%s', async (path) => {
  for (const stop of stops(path, known)) {
    const page = await browser.page({ token: server().admin.token, theme: 'dark' });
    follow(page);
    await page.goto(server().origin + stop.href);
    await settled(page);
    expect(await looked(page, stop.name), stop.href).toEqual([]);
    await page.close();
  }
});

test('the page for those who are not logged in', async () => {
  const page = await browser.page({ expected: [/status of 401/], theme: 'dark' });
  follow(page);
  await page.goto(`${server().origin}/console/`);
  await page.getByText('You are not logged in.').waitFor();
  expect(await looked(page, 'logged-out')).toEqual([]);
});

test.each([
  ['the palette', '/', async (page: Page) => {
    await page.keyboard.press('/');
    await page.keyboard.type('report');
    await page.getByRole('option').first().waitFor();
  }],
  ['a drawer with its tabs', '/explorer', async (page: Page) => {
    await page.getByRole('combobox', { name: 'Find', exact: true }).fill('format_rep');
    await page.getByRole('option').filter({ hasText: 'format_report' }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('complementary').getByRole('tab', { name: /Connections/ }).click();
  }],
  ['a dialog', '/findings', async (page: Page) => {
    await page.getByRole('checkbox', { name: 'Select', exact: true }).first().check();
    await page.getByRole('toolbar', { name: 'Selected findings' }).getByRole('button', { name: 'Triage…' }).click();
    await page.getByRole('dialog').waitFor();
  }],
  ['a menu', '/explorer?kind=InstructionFile', async (page: Page) => {
    await page.getByRole('application').click({ button: 'right' });
    await page.getByRole('menu').waitFor();
  }],
] as const)('%s, when it is open', async (name, path, show) => {
  for (const theme of ['dark', 'light'] as const) {
    const page = await browser.page({ token: server().admin.token, theme });
    follow(page);
    await page.goto(`${server().origin}/console${path}`);
    await settled(page);
    await show(page);
    await settled(page);
    await page.screenshot({ path: join(pictures(`wide-${theme}`), `open-${name.replaceAll(' ', '-')}.png`) });
    expect(await violations(page, theme === 'dark' ? EVERYTHING : COLOURS), `${name}, ${theme}`).toEqual([]);
    await page.close();
  }
});

/** Looks at a page at both widths in both themes, and tells what is wrong with it. */
async function looked(page: Page, name: string): Promise<string[]> {
  const found: string[] = [];
  for (const size of ['wide', 'narrow'] as const) {
    await page.setViewportSize(SIZES[size]);
    for (const theme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await settled(page);
      await page.screenshot({ path: join(pictures(`${size}-${theme}`), `${name}.png`) });
      // Widths change what is there and themes change colours: neither needs to be looked at twice.
      const rules = size === 'wide' ? (theme === 'dark' ? EVERYTHING : COLOURS) : theme === 'dark' ? STRUCTURE : undefined;
      const faults = [...(await sideways(page)), ...(rules ? await violations(page, rules) : [])];
      found.push(...faults.map((fault) => `${size} ${theme}: ${fault}`));
    }
  }
  return found;
}

/** What is wider than the page, which would have to be scrolled sideways. */
function sideways(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const scrollers = [document.documentElement, document.body, document.querySelector('main')];
    const wide = scrollers.filter((one) => one && one.scrollWidth > one.clientWidth);
    return wide.map((one) => `${one?.tagName.toLowerCase()} is ${one?.scrollWidth} px wide and shows ${one?.clientWidth}`);
  });
}

/** What axe calls serious or critical, with the place of each. */
async function violations(page: Page, rules: object): Promise<string[]> {
  await page.evaluate(AXE);
  const found = await page.evaluate((rules) => {
    const { axe } = window as unknown as { axe: { run: (where: Document, how: object) => Promise<AxeResults> } };
    return axe.run(document, { resultTypes: ['violations'], ...rules });
  }, rules);
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.slice(0, 3).map((node) => `${id} at ${node.target.join(' ')}: ${node.html.slice(0, 160)} ${node.any[0]?.message ?? ''}`));
}
