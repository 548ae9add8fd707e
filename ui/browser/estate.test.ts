// The estate: what is counted, decided about, imported and compared is what the API says.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { FindingDetail, FindingPage } from '../src/features/findings/api';
import type { Summary } from '../src/features/overview/api';
import type { Comparison } from '../src/entities/estate/diff';
import { tallies } from '../src/features/scans/compare/tally';
import { aBrowser } from './stage/browser';
import { aServer, demo } from './stage/server';
import { follow, settled } from './stage/settled';

const server = aServer(demo);
const browser = aBrowser(server);
const number = (value: number) => value.toLocaleString('en');

async function open(path: string, expected: RegExp[] = []): Promise<Page> {
  const page = await browser.page({ token: server().admin.token, expected });
  follow(page);
  await page.goto(`${server().origin}/console${path}`);
  await settled(page);
  return page;
}

const findings = (query: object = {}) => server().admin.read<FindingPage>('/v1/estate/findings', { query: { limit: 200, ...query } });
const finding = (fingerprint: string) => server().admin.read<FindingDetail>('/v1/estate/findings/{fingerprint}', { path: { fingerprint } });

describe('the overview', () => {
  test('shows the numbers of the API', async () => {
    const page = await open('/');
    const told = await server().admin.read<Summary>('/v1/estate/summary');
    const worst = (told.findings.open_by_severity.critical ?? 0) + (told.findings.open_by_severity.high ?? 0);
    expect(told.nodes).toBeGreaterThan(10);
    expect(worst).toBeGreaterThan(0);
    const tile = async (label: string) => (await page.getByRole('link').filter({ hasText: label }).first().textContent())?.replaceAll(/\s+/g, ' ');
    expect(await tile('Agents with a critical path')).toContain(`${number(told.exposure.agents_reaching)} of ${number(told.exposure.agents)}`);
    expect(await tile('Open findings, critical and high')).toContain(`${number(worst)} of ${number(told.findings.open)} open`);
    expect(await tile('Servers without authentication')).toContain(`${number(told.unauthenticated_servers)} of ${number(told.nodes_by_kind.MCPServer ?? 0)}`);
    expect(await tile('Things in the estate')).toContain(number(told.nodes));
    await page.getByText(`${number(told.edges)} edges seen, ${number(told.composite_edges)} derived`).waitFor();
    for (const severity of ['critical', 'high', 'medium', 'low']) {
      const bar = page.getByLabel('Open findings by severity').getByRole('link').filter({ hasText: new RegExp(`^\\s*${severity}`, 'i') });
      expect(await bar.textContent()).toContain(number(told.findings.open_by_severity[severity] ?? 0));
    }
  });

  test('leads from a number to the list behind it', async () => {
    const page = await open('/');
    const { items } = await findings({ severity: 'critical,high', status: 'new,triaging,confirmed' });
    await page.getByRole('link').filter({ hasText: 'Open findings, critical and high' }).first().click();
    await page.getByRole('heading', { name: 'Findings', level: 1 }).waitFor();
    await settled(page);
    expect(await page.getByRole('table', { name: 'Findings' }).locator('tbody tr').count()).toBe(items.length);
  });
});

describe('triage', () => {
  test('one finding is decided about, with reason and end', async () => {
    const [one] = (await findings()).items;
    const page = await open(`/findings/${one?.fingerprint}`);
    await page.getByRole('button', { name: 'Triage…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Decide about 1 finding' });
    await dialog.getByRole('button', { name: 'Decide' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('radio', { name: /Accepted risk/ }).check();
    await dialog.getByLabel('Why').fill('isolated network, <b>reviewed</b> with the owner');
    await dialog.getByRole('button', { name: '30 days' }).click();
    await dialog.getByRole('button', { name: 'Decide' }).click();
    await page.getByText('1 finding marked as accepted risk.').waitFor();
    const told = await finding(one?.fingerprint ?? '');
    expect(told.status).toBe('accepted-risk');
    expect(told.triage[0]).toMatchObject({ status: 'accepted-risk', reason: 'isolated network, <b>reviewed</b> with the owner' });
    expect(told.triage[0]?.until).toBeTruthy();
    await page.getByText('isolated network, <b>reviewed</b> with the owner').first().waitFor();
  });

  test('many are decided about at once, and a note that was not sent is kept', async () => {
    const page = await open('/findings');
    const boxes = page.getByRole('checkbox', { name: 'Select', exact: true });
    await boxes.nth(1).check();
    await boxes.nth(2).check();
    await page.getByRole('toolbar', { name: 'Selected findings' }).getByRole('button', { name: 'Triage…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Decide about 2 findings' });
    await dialog.getByLabel('Why').fill('both come from the same template');
    await dialog.getByRole('button', { name: 'Later' }).click();
    await page.reload();
    await settled(page);
    await page.getByText('Its note is still here.').waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    expect(await dialog.getByLabel('Why').inputValue()).toBe('both come from the same template');
    await dialog.getByRole('radio', { name: /Confirmed/ }).check();
    await dialog.getByRole('button', { name: 'Decide' }).click();
    await page.getByText('2 findings marked as confirmed.').waitFor();
    const confirmed = (await findings({ status: 'confirmed' })).items;
    expect(confirmed.length).toBe(2);
    for (const one of confirmed) expect((await finding(one.fingerprint)).triage[0]?.reason).toBe('both come from the same template');
  });
});

describe('scans', () => {
  const good = {
    meta: { version: 1, type: 'agenthound-ingest', collector: 'config', collector_version: '1', timestamp: '2026-11-10T09:00:00Z', scan_id: 'scan-of-the-test', extra: { origin: 'test-bench' } },
    graph: { nodes: [{ id: 'a-machine', kinds: ['Host'], properties: { hostname: 'test-bench' } }], edges: [] },
  };
  const broken = { ...good, graph: { nodes: [good.graph.nodes[0], { id: 'b', kinds: ['NoSuchKind'], properties: {} }], edges: [] } };
  const file = (name: string, content: unknown) => ({ name, mimeType: 'application/json', buffer: Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)) });

  test('a good document is taken in, a broken one refused with the place of what is wrong', async () => {
    const page = await open('/scans', [/status of 4\d\d .*\/v1\/estate\/documents/]);
    const before = await scanCount();
    const files = page.getByRole('list', { name: 'Files' }).getByRole('listitem');
    await page.locator('input[type=file]').setInputFiles([file('good.json', good)]);
    await files.filter({ hasText: 'good.json' }).filter({ hasText: 'stored' }).waitFor();
    await page.getByRole('table', { name: 'Scans' }).getByText('scan-of-the-test').waitFor();
    expect(await scanCount()).toBe(before + 1);

    await page.locator('input[type=file]').setInputFiles([file('broken.json', broken), file('torn.json', '{"meta": {"version": 1,')]);
    const refused = files.filter({ hasText: 'broken.json' });
    await refused.filter({ hasText: 'refused; nothing was stored' }).waitFor();
    await refused.getByText('graph.nodes[1].kinds[0]', { exact: true }).waitFor();
    await files.filter({ hasText: 'torn.json' }).getByText(/line 1/).first().waitFor();
    expect(await scanCount()).toBe(before + 1);
  });

  test('two points are compared, and what a tool rewrote stands side by side', async () => {
    const page = await open('/scans/compare?from=monday-laptop&to=friday-laptop');
    const told = await server().admin.read<Comparison>('/v1/estate/diff', { query: { from: 'monday-laptop', to: 'friday-laptop' } });
    const cards = page.getByRole('navigation', { name: 'What differs' });
    const counted = Object.values(tallies(told.counts)).flat();
    expect(counted.some((tally) => tally.value > 0)).toBe(true);
    const shown = await cards.getByRole('listitem').allTextContents();
    expect(shown.map((text) => text.replaceAll(/\s+/g, ' ').trim())).toEqual(counted.map((tally) => `${tally.sign} ${number(tally.value)} ${tally.label}`));
    await cards.getByRole('link', { name: 'Rewritten contents' }).click();
    const rewritten = page.getByRole('article').filter({ hasText: 'format_report' }).first();
    await rewritten.getByText('do not mention this').first().waitFor();
  });

  async function scanCount(): Promise<number> {
    return (await server().admin.read<{ items: unknown[] }>('/v1/estate/scans', { query: { limit: 1000 } })).items.length;
  }
});
