// The explorer: what is found, walked and cut is what the API says.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { edgeName, parseEdge } from '../src/entities/estate/edge';
import type { Subgraph } from '../src/entities/estate/types';
import { drawnPaths } from '../src/features/explorer/model/draw';
import { LENSES } from '../src/features/explorer/model/lenses';
import { visible } from '../src/features/explorer/model/visible';
import { aBrowser } from './stage/browser';
import { command, savedAs } from './stage/hands';
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
  const without = await server().admin.post('/v1/estate/what-if', { body: { ...asked, k: 5, by: 'weight', remove_edges: [edge] } });
  expect(without.findings_after).toBeLessThan(without.findings_before);
  await page.getByText(`${without.findings_before} → ${without.findings_after}`, { exact: true }).waitFor();
  await page.getByText(`${told.paths.length} → ${without.paths_after?.paths.length}`, { exact: true }).waitFor();
  await page.getByRole('group', { name: 'Which paths are drawn' }).getByRole('button', { name: 'Without them' }).click();
  await settled(page);
  const left = drawnPaths(without.paths_after?.paths ?? [], new Set());
  if (left.nodes.length > 0) await page.getByRole('application', { name: new RegExp(`^Paths: ${left.nodes.length} nodes?,`) }).waitFor();
  else await page.getByText('No path would be left').waitFor();
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

const estate = (query: object = {}) => server().admin.read<Subgraph>('/v1/estate/graph', { query: { limit: 50_000, ...query } });
const shown = (graph: Subgraph, more: Partial<Parameters<typeof visible>[1]> = {}) =>
  visible(graph, { lens: LENSES[0] as (typeof LENSES)[0], kinds: [], severity: '', origins: [], fold: 'auto', turned: new Set(), keep: new Set(), ...more });

test('what was derived is not offered for cutting, what it rests on is', async () => {
  const derived = (await estate()).edges.find((edge) => edge.kind === 'CAN_REACH');
  if (!derived) throw new Error('the sample has no derived edge');
  const page = await open(`/explorer?lens=attack&edge=${encodeURIComponent(edgeName(derived))}`);
  const drawer = page.getByRole('complementary');
  await drawer.getByText('derived', { exact: true }).waitFor();
  expect(await drawer.getByRole('button', { name: 'What if it were cut' }).count()).toBe(0);
  await drawer.getByRole('button', { name: 'What if this were cut' }).first().click();
  await page.getByRole('heading', { name: 'Without 1 edge' }).waitFor();
  const cut = parseEdge(new URL(page.url()).searchParams.get('cut') ?? '');
  expect((await estate()).edges.find((edge) => cut && edgeName(edge) === edgeName(cut))?.composite).toBe(false);
});

test('every lens shows what the API has for it', async () => {
  const page = await open('/explorer');
  const graph = await estate();
  for (const lens of LENSES.filter(({ id }) => id !== 'changes')) {
    await page.getByRole('radio', { name: lens.label }).click();
    await settled(page);
    expect(new URL(page.url()).searchParams.get('lens') ?? 'topology').toBe(lens.id);
    const { nodes, edges } = shown(graph, { lens });
    await page.getByRole('status').getByText(new RegExp(`^${nodes.length} nodes?, ${edges.length} edges?$`)).waitFor();
  }
  await page.getByRole('radio', { name: 'Choke points' }).click();
  const { cuts } = await server().admin.post('/v1/estate/cuts', { body: { from: 'all agents', to: 'critical resources' } });
  await page.getByText(new RegExp(`^\\s*${cuts.length} edges? taken away`)).waitFor();
});

test('a right click marks a thing, leaves it out and brings it back', async () => {
  const page = await open('/explorer?kind=InstructionFile');
  const graph = await estate();
  const [file] = graph.nodes.filter((node) => node.kind === 'InstructionFile');
  const canvas = page.getByRole('application');
  const box = await canvas.boundingBox();
  const middle = { x: (box?.width ?? 0) / 2, y: (box?.height ?? 0) / 2 };
  await canvas.click({ button: 'right', position: middle });
  const menu = page.getByRole('menu', { name: file?.name ?? '' });
  expect(await menu.getByRole('menuitem', { name: 'Unfold or fold' }).count(), 'it holds nothing').toBe(0);
  await menu.getByRole('menuitem', { name: 'Mark as crown jewel' }).click();
  await page.getByText('Marked as crown jewel').waitFor();
  await settled(page);
  expect((await estate()).nodes.find((node) => node.id === file?.id)?.crown_jewel).toBe(true);

  await canvas.click({ button: 'right', position: middle });
  await menu.getByRole('menuitem', { name: 'Hide' }).click();
  await page.getByText('Nothing to see through this lens').waitFor();
  await page.goBack();
  await settled(page);
  await canvas.click({ button: 'right', position: middle });
  await menu.getByRole('menuitem', { name: 'No crown jewel after all' }).click();
  await page.getByText('No longer marked as crown jewel').waitFor();
});

test('a neighbourhood is shown alone', async () => {
  const graph = await estate();
  const server_ = graph.nodes.find((node) => node.kind === 'MCPServer');
  const page = await open(`/explorer?near=${encodeURIComponent(server_?.id ?? '')}`);
  const { nodes, edges } = shown(graph, { near: server_?.id ?? '' });
  expect(nodes.length).toBeLessThan(graph.nodes.length);
  await page.getByRole('status').getByText(`${nodes.length} nodes, ${edges.length} edges`).waitFor();
  await page.getByRole('button', { name: /show everything/ }).click();
  await page.getByRole('status').getByText(new RegExp(`^${shown(graph).nodes.length} nodes`)).waitFor();
});

test('things stay where they are when one is opened, and files say what is there', async () => {
  const page = await open('/explorer');
  const graph = await estate();
  const before = JSON.parse(await savedAs(page, 'JSON')) as Saved;
  expect(before.nodes.map((node) => node.id).sort()).toEqual(shown(graph).nodes.map((node) => node.id).sort());
  const tool = before.nodes.find((node) => node.name === 'format_report');
  const told = await server().admin.get('/v1/estate/nodes/{id}', { path: { id: tool?.id ?? '' } });
  expect(tool).toMatchObject({ kind: 'MCPTool', risk_score: told.score?.value ?? null, severity: told.findings[0]?.severity ?? null, properties: told.properties });

  await page.getByRole('combobox', { name: 'Find', exact: true }).fill('format_rep');
  await page.getByRole('option').filter({ hasText: 'format_report' }).first().waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('complementary').getByRole('heading', { name: 'format_report' }).waitFor();
  await settled(page);
  const after = JSON.parse(await savedAs(page, 'JSON')) as Saved;
  const places = ({ nodes }: Saved) => Object.fromEntries(nodes.map(({ id, x, y }) => [id, [x, y]]));
  expect(places(after)).toEqual(places(before));
  const svg = await savedAs(page, 'SVG');
  for (const name of ['format_report', 'postgres://prod-db:5432/customers']) expect(svg).toContain(name);
  expect((await savedAs(page, 'PNG')).slice(1, 4)).toBe('PNG');
});

interface Saved {
  nodes: { id: string; name: string; x: number; y: number; kind: string }[];
  edges: unknown[];
}

test('paths stand side by side, hop by hop, and are saved from there', async () => {
  const page = await open('/explorer?from=all+agents&to=critical+resources&k=3');
  const told = await server().admin.post('/v1/estate/paths', { body: { from: 'all agents', to: 'critical resources', k: 3, by: 'weight' } });
  await page.getByRole('button', { name: 'Side by side' }).click();
  const columns = page.getByRole('group', { name: 'Paths side by side' });
  expect(await columns.locator('section').count()).toBe(told.paths.length);
  for (const [at, path] of told.paths.entries()) {
    expect(await columns.locator('section').nth(at).locator('li.hop').count()).toBe(path.hops);
  }
  const saved = JSON.parse(await savedAs(page, 'JSON')) as Saved;
  expect(saved.nodes.length).toBe(drawnPaths(told.paths, new Set()).nodes.length);
});

test('the slider goes through time, and a date says where it is', async () => {
  const page = await open('/explorer');
  const { items } = await server().admin.get('/v1/estate/scans', { query: { limit: 1000 } });
  const first = items.at(-1)?.scan_id ?? '';
  const slider = page.getByRole('slider', { name: 'Point in time' });
  expect(await slider.getAttribute('max')).toBe(String(items.length - 1));
  await slider.focus();
  await page.keyboard.press('Home');
  await expect.poll(() => new URL(page.url()).searchParams.get('at')).toBe(first);
  await settled(page);
  const then = shown(await estate({ at: first }));
  await page.getByRole('status').getByText(new RegExp(`^${then.nodes.length} nodes?, ${then.edges.length} edges?$`)).waitFor();

  const dated = await open('/explorer?at=2026-11-04');
  await dated.getByText(/^\s*2026-11-04: after the scan of/).waitFor();
  expect(Number(await dated.getByRole('slider', { name: 'Point in time' }).inputValue())).toBe(items.length - 2);
  await dated.getByRole('button', { name: 'Back to now' }).click();
  await dated.getByText('as of now').waitFor();
});

test('a comparison is the same in the graph', async () => {
  const page = await open('/scans/compare?from=october-28-laptop&to=monday-laptop');
  await page.getByRole('link', { name: 'In the graph' }).click();
  await page.getByRole('radio', { name: 'Changes', checked: true }).waitFor();
  await settled(page);
  expect(await page.getByLabel('Compared with').inputValue()).toBe('october-28-laptop');
  const { counts } = await server().admin.read<{ counts: { nodes_added: number } }>('/v1/estate/diff', { query: { from: 'october-28-laptop', to: 'monday-laptop' } });
  await page.getByRole('link', { name: `${counts.nodes_added} things came` }).waitFor();
});

test('a question is asked from the palette, with its parameters in the address', async () => {
  const page = await open('/');
  await command(page, 'Who Reaches a Node');
  await page.getByRole('heading', { name: 'Who Reaches a Node', level: 1 }).waitFor();
  await page.getByText('Say node first').waitFor();
  await page.getByLabel(/^node/).fill('critical');
  await page.getByRole('button', { name: 'Ask' }).click();
  await settled(page);
  const told = await server().admin.post('/v1/estate/questions/{name}', { path: { name: 'who-can-reach' }, body: { parameters: { node: 'critical' } } });
  expect(told.total).toBeGreaterThan(1);
  const rows = page.getByRole('table', { name: 'Answer' }).locator('tbody tr');
  expect(await rows.count()).toBe(told.total);
  await page.reload();
  await settled(page);
  expect(await rows.count()).toBe(told.total);
  await rows.first().getByRole('link').first().click();
  await page.getByRole('complementary').getByRole('heading', { level: 2 }).waitFor();
  expect(new URL(page.url()).searchParams.get('focus')).toBe(told.rows[0]?.id);
});
