// Everything without a mouse.

import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { aBrowser } from './stage/browser';
import { someEvidence } from './stage/evidence';
import { aServer, serve } from './stage/server';
import { follow, settled } from './stage/settled';
import { labels } from './stage/walk';

const server = aServer(() => serve());
const browser = aBrowser(server);
let made: Awaited<ReturnType<typeof someEvidence>>;

beforeAll(async () => {
  made = await someEvidence(server().admin);
});

async function open(path: string): Promise<Page> {
  const page = await browser.page({ token: server().admin.token });
  follow(page);
  await page.goto(`${server().origin}/console${path}`);
  await settled(page);
  return page;
}

test('the palette goes to every page of the navigation', async () => {
  const page = await open('/evidence/decisions');
  expect(labels.length).toBeGreaterThan(6);
  for (const label of labels) {
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search and commands' }).waitFor();
    await page.keyboard.type(`Go to ${label}`);
    await page.getByRole('option', { selected: true, name: `Go to ${label}` }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.getByRole('navigation').getByRole('link', { name: label, exact: true }).and(page.locator('[aria-current=page]')).waitFor();
    await settled(page);
  }
});

test('arrows choose a command, Escape closes the palette and changes nothing', async () => {
  const page = await open('/evidence/decisions');
  const before = page.url();
  await page.keyboard.press('Control+k');
  const chosen = page.getByRole('listbox', { name: 'Results' }).getByRole('option', { selected: true });
  const first = await chosen.textContent();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => chosen.textContent()).not.toBe(first);
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => chosen.textContent()).toBe(first);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  expect(page.url()).toBe(before);
});

test('a slash searches, but not while somebody types', async () => {
  const page = await open('/evidence/decisions');
  await page.keyboard.press('/');
  const field = page.getByRole('combobox', { name: 'Search or command' });
  await field.and(page.locator(':focus')).waitFor();
  expect(await field.inputValue()).toBe('');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.getByLabel('Run').focus();
  await page.keyboard.type('a/b');
  expect(await page.getByLabel('Run').inputValue()).toBe('a/b');
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('arrows move through a list and Enter opens', async () => {
  const page = await open('/evidence/decisions');
  await tabTo(page, 'tbody tr');
  const rows = await server().admin.get('/v1/decisions', { query: { limit: 3 } });
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/console/evidence/decisions/${rows.items[1]?.decision_id}`);
});

test('arrows walk along the edges of a graph, Escape lets go', async () => {
  const page = await open('/evidence/runs/run-deploy');
  const graph = await server().admin.get('/v1/graph/run/{run_id}', { path: { run_id: 'run-deploy' } });
  const chosen = () => new URL(page.url()).searchParams.get('node') ?? '';
  const areJoined = (a: string, b: string) => graph.edges.some((edge) => (edge.from === a && edge.to === b) || (edge.from === b && edge.to === a));
  await tabTo(page, '[role=application]');
  await page.keyboard.press('ArrowDown');
  await expect.poll(chosen).not.toBe('');

  const seen = new Set([chosen()]);
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft', 'ArrowDown']) {
    const before = chosen();
    await page.keyboard.press(key);
    await settled(page);
    if (chosen() === before) continue;
    expect(areJoined(before, chosen()), `${before} and ${chosen()}`).toBe(true);
    seen.add(chosen());
  }
  expect(seen.size, 'some way was walked').toBeGreaterThan(3);
  expect(await page.locator('[aria-live=polite].visually-hidden').textContent(), 'told to those who do not see it').toMatch(/\S selected$/);
  await page.keyboard.press('Escape');
  await expect.poll(chosen).toBe('');
});

test('an approval is answered with the keyboard alone', async () => {
  const id = made.waits.approval?.approval_id ?? '';
  const page = await open(`/evidence/approvals/${id}`);
  await tabTo(page, 'button:has-text("Reject")');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Reject the call' }).getByLabel('Reason').and(page.locator(':focus')).waitFor();
  await page.keyboard.type('not today');
  await tabTo(page, 'dialog button[type=submit]');
  await page.keyboard.press('Enter');
  await page.getByText('“not today”').waitFor();
  expect((await server().admin.get('/v1/approvals/{id}', { path: { id } })).reason).toBe('not today');
});

test('whatever has the focus shows it', async () => {
  for (const path of ['/evidence/runs/run-deploy', '/evidence/receipts']) {
    const page = await open(path);
    const seen = new Set<string>();
    for (let step = 0; step < 60; step++) {
      await page.keyboard.press('Tab');
      const { name, isShown, isBody } = await focused(page);
      if (isBody && seen.size > 0) break;
      expect(isShown, `${path}: the focus on ${name}`).toBe(true);
      seen.add(name);
    }
    expect(seen.size, path).toBeGreaterThan(10);
    await page.close();
  }
});

test('the first stop skips the navigation', async () => {
  const page = await open('/evidence/decisions');
  await page.keyboard.press('Tab');
  await page.getByRole('link', { name: 'Skip to the page' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
});

test('findings are chosen and decided about with the keyboard alone', async () => {
  await server().admin.post('/v1/estate/documents', { body: estate() as never });
  const page = await open('/findings');
  await tabTo(page, 'tbody tr');
  await page.keyboard.press('x');
  await page.keyboard.press('t');
  const dialog = page.getByRole('dialog', { name: 'Decide about 1 finding' });
  await dialog.waitFor();
  await tabTo(page, 'input[type=radio]');
  for (let step = 0; step < 8 && !(await dialog.getByRole('radio', { name: /Confirmed/ }).isChecked()); step++) await page.keyboard.press('ArrowDown');
  await tabTo(page, 'textarea');
  await page.keyboard.type('looked at it');
  await tabTo(page, 'button[type=submit]');
  await page.keyboard.press('Enter');
  await page.getByText('1 finding marked as confirmed.').waitFor();
});

test('a path is found, chosen and cut with the keyboard alone', async () => {
  const page = await open('/explorer?panel=paths');
  await tabTo(page, '[role=combobox][placeholder*="all agents"]');
  await page.keyboard.type('all agents');
  await page.keyboard.press('Enter');
  await tabTo(page, '[role=combobox][placeholder*="critical resources"]');
  await page.keyboard.type('critical resources');
  await page.keyboard.press('Enter');
  await settled(page);
  await tabTo(page, 'button[aria-label="What if this hop were cut"]');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Without 1 edge' }).waitFor();
  await settled(page);
  await tabTo(page, '[role=application]');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => new URL(page.url()).searchParams.get('focus') ?? '').not.toBe('');
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menu').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'hidden' });
});

/** An agent that gets to a critical file. */
function estate() {
  const edge = (source: string, kind: string, target: string) => ({ source, kind, target, properties: { confidence: 1, risk_weight: 0.1, is_composite: false, evidence: 'seen' } });
  const node = (id: string, kind: string, properties: object) => ({ id, kinds: [kind], properties });
  return {
    meta: { version: 1, type: 'agenthound-ingest', collector: 'scan', collector_version: '1', timestamp: '2026-11-10T09:00:00Z', scan_id: 'keyboard', extra: { origin: 'laptop' } },
    graph: {
      nodes: [
        node('agent', 'AgentInstance', { name: 'agent', framework: 'cursor' }),
        node('files', 'MCPServer', { name: 'files', endpoint: 'npx', transport: 'stdio', auth_method: 'none' }),
        node('read', 'MCPTool', { name: 'read', description: 'Reads a file.', capability_surface: ['file_read'] }),
        node('env', 'MCPResource', { uri: 'file:///home/me/.env', name: '.env', uri_scheme: 'file', sensitivity: 'critical' }),
      ],
      edges: [edge('agent', 'TRUSTS_SERVER', 'files'), edge('files', 'PROVIDES_TOOL', 'read'), edge('files', 'PROVIDES_RESOURCE', 'env')],
    },
  };
}

/** Presses Tab until an element that fits has the focus. */
async function tabTo(page: Page, selector: string) {
  for (let step = 0; step < 80; step++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement !== document.body) && (await page.locator(`:focus`).and(page.locator(selector)).count())) return;
  }
  throw new Error(`Tab does not lead to ${selector}`);
}

/** What has the focus, and whether an outline or something like it is drawn around it. */
function focused(page: Page) {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return { name: 'nothing', isShown: true, isBody: true };
    const isMarked = (one: Element) => {
      const style = getComputedStyle(one);
      return (style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 1) || style.boxShadow !== 'none';
    };
    // What is hidden from the eye shows its focus on what stands for it.
    const standsFor = element.classList.contains('visually-hidden') ? element.parentElement : element;
    const box = standsFor?.getBoundingClientRect();
    const isShown = standsFor !== null && isMarked(standsFor) && (box?.width ?? 0) > 0;
    const name = `${element.tagName.toLowerCase()} ${element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40) ?? ''}`;
    return { name, isShown, isBody: false };
  });
}
