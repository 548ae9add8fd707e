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

describe('the overview beside the API', () => {
  const rowsOf = async (page: Page, label: string) =>
    Promise.all((await page.getByLabel(label).getByRole('link').all()).map(async (one) => (await one.textContent())?.replaceAll(/\s+/g, ' ').trim() ?? ''));

  test('findings by OWASP category, in both lists, with an address', async () => {
    const told = await server().admin.read<Summary>('/v1/estate/summary');
    const page = await open('/');
    const check = async (counts: Record<string, number>) => {
      const shown = await rowsOf(page, 'Findings by category');
      expect(shown.length).toBe(Object.keys(counts).length);
      for (const [at, [id, value]] of Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)).entries()) {
        expect(shown[at]).toContain(id.split(':')[0]);
        expect(shown[at]).toMatch(new RegExp(`\\b${number(value)}$`));
      }
    };
    await check(told.findings.owasp_mcp);
    await page.getByRole('tab', { name: 'Agentic Top 10' }).click();
    await check(told.findings.owasp_asi);
    await page.reload();
    await settled(page);
    await check(told.findings.owasp_asi);
  });

  test('worst paths, best cuts and changes', async () => {
    const told = await server().admin.read<Summary>('/v1/estate/summary');
    const page = await open('/');
    const section = (title: string) => page.locator('section.panel').filter({ has: page.getByRole('heading', { name: title }) });
    const paths = await section('Worst paths').getByRole('listitem').allTextContents();
    expect(paths.length).toBe(told.worst_paths.length);
    for (const [at, path] of told.worst_paths.entries()) expect(paths[at]).toContain(`${path.hops} hop`);
    const cuts = section('Best cuts');
    expect(await cuts.getByRole('listitem').count()).toBe(told.best_cuts?.changes.length);
    await cuts.getByText(`${Math.round(told.best_cuts?.percent ?? 0)} %`).waitFor();
    const changes = told.changes;
    if (!changes) throw new Error('the sample has several scans');
    const rows = await section('Since the scan before').getByRole('listitem').allTextContents();
    const figures = [changes.findings_new, changes.findings_fixed, changes.rug_pulls, changes.graph.nodes_added, changes.graph.nodes_removed, changes.graph.nodes_changed, changes.graph.edges_added, changes.graph.edges_removed];
    expect(rows.map((row) => Number(/\d+/.exec(row)?.[0]))).toEqual(figures);
    expect(told.trend.length).toBe(told.scans);
    expect(new Set(told.trend.map((point) => Object.values(point.findings_by_severity).reduce((sum, one) => sum + one, 0))).size, 'the trend moves').toBeGreaterThan(3);
  });

  test('agents with a critical path are those agents', async () => {
    const told = await server().admin.read<Summary>('/v1/estate/summary');
    const page = await open('/');
    await page.getByRole('link').filter({ hasText: 'Agents with a critical path' }).first().click();
    await page.getByRole('heading', { name: 'Who Reaches a Node', level: 1 }).waitFor();
    await settled(page);
    expect(await page.getByRole('table', { name: 'Answer' }).locator('tbody tr').count()).toBe(told.exposure.agents_reaching);
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
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(`${new URL(request.url()).pathname} ${request.postDataJSON().fingerprints?.length}`));
    await dialog.getByRole('button', { name: 'Decide' }).click();
    await page.getByText('2 findings marked as confirmed.').waitFor();
    expect(sent, 'one request for all').toEqual(['/v1/estate/findings/triage 2']);
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

  test('a document that is dropped anywhere on the page is taken in', async () => {
    const page = await open('/scans');
    const text = JSON.stringify({ ...good, meta: { ...good.meta, scan_id: 'dropped-scan', timestamp: '2026-11-11T09:00:00Z' } });
    const held = await page.evaluateHandle((text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], 'dropped.json', { type: 'application/json' }));
      return transfer;
    }, text);
    await page.dispatchEvent('main', 'dragover', { dataTransfer: held });
    await page.getByText('Let go to import').waitFor();
    await page.dispatchEvent('main', 'drop', { dataTransfer: held });
    await page.getByRole('list', { name: 'Files' }).getByRole('listitem').filter({ hasText: 'dropped.json' }).filter({ hasText: 'stored' }).waitFor();
    await page.getByRole('table', { name: 'Scans' }).getByText('dropped-scan').waitFor();
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
