// Text of others is shown and does nothing: every page is walked with an estate and evidence that an attacker wrote.

import { beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { aBrowser } from './stage/browser';
import { Agent, registerShop, rollOut } from './stage/evidence';
import { examples } from './stage/examples';
import { hostile, hostileEstate, hostileLink, shortly, TURNING, VISIBLE } from './stage/hostile';
import { aServer, serve } from './stage/server';
import { follow, settled } from './stage/settled';
import { type Examples, pages, stops } from './stage/walk';

const server = aServer(() => serve());
const browser = aBrowser(server);
const part = encodeURIComponent;
// One of the addresses asks for paths to what is not there.
const NO_SUCH_END = /status of 4\d\d .*\/v1\/estate\/(paths|nodes)/;
let known: Examples;
let seen = 0;

beforeAll(async () => {
  const { admin } = server();
  for (const number of [1, 2]) await admin.post('/v1/estate/documents', { body: hostileEstate(number) as never });
  await evidence();
  const { items } = await admin.read<{ items: { node: { id: string } }[] }>('/v1/estate/search', { query: { q: 'script', limit: 1 } });
  const node = part(items[0]?.node.id ?? '');
  const [newer, older] = (await admin.read<{ items: { scan_id: string }[] }>('/v1/estate/scans')).items.map((scan) => part(scan.scan_id));
  known = {
    ...(await examples(admin)),
    '/explorer': [`/explorer?focus=${node}`, `/explorer?from=all+agents&to=critical+resources`, `/explorer?from=${node}&to=${part(hostileLink('query'))}&panel=paths`],
    '/findings': [`/findings?q=${part(VISIBLE)}`],
    '/scans/compare': ['things', 'rewritten', 'edges'].map((show) => `/scans/compare?from=${older}&to=${newer}&show=${show}`),
  };
}, 90_000);

test.each(pages)('%s', async (path) => {
  for (const stop of stops(path, known)) {
    const page = await browser.page({ token: server().admin.token, expected: [NO_SUCH_END] });
    follow(page);
    await page.goto(`${server().origin}/console/`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await go(page, stop.href);
    await settled(page);
    const { text, links, told } = await found(page);
    expect(links, `${stop.href} has links that lead elsewhere`).toEqual([]);
    expect(TURNING.test(text + told), `${stop.href} shows what turns the reading order`).toBe(false);
    if (text.includes(VISIBLE)) seen++;
    for (const tab of await page.locator('main [role=tab]').all()) {
      if (!(await tab.isVisible())) continue;
      await tab.click();
      await settled(page);
      const behind = await found(page);
      expect(behind.links, `${stop.href} has links that lead elsewhere behind a tab`).toEqual([]);
      expect(TURNING.test(behind.text + behind.told), `${stop.href} shows what turns the reading order behind a tab`).toBe(false);
    }
    await page.close();
  }
});

/** Nothing on the page leads elsewhere or turns the reading order, and something of an attacker is on it. */
async function isInert(page: Page, what: string) {
  await settled(page);
  const { text, links, told } = await found(page);
  expect(links, what).toEqual([]);
  expect(TURNING.test(text + told), what).toBe(false);
  expect(text, what).toContain(VISIBLE);
}

async function opened(path: string): Promise<Page> {
  const page = await browser.page({ token: server().admin.token });
  follow(page);
  await page.goto(`${server().origin}/console/`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await go(page, `/console${path}`);
  await settled(page);
  return page;
}

test('what the palette finds', async () => {
  const page = await opened('/');
  await page.keyboard.press('/');
  await page.keyboard.type('script');
  await page.getByRole('option').filter({ hasText: VISIBLE }).first().waitFor();
  await isInert(page, 'the palette');
  await page.keyboard.press('Enter');
  await page.getByRole('complementary').getByRole('heading').first().waitFor();
  await isInert(page, 'what was found');
});

test('the drawer of an edge', async () => {
  const { edges } = await server().admin.read<{ edges: { source: string; kind: string; target: string }[] }>('/v1/estate/graph', { query: { composite: 'no', limit: 1000 } });
  const names = edges.map((edge) => `${edge.source} ${edge.kind} ${edge.target}`).filter((name) => name.split(' ').length === 3);
  const node = (await server().admin.read<{ items: { node: { id: string } }[] }>('/v1/estate/search', { query: { q: 'MCPServer', limit: 1 } })).items[0]?.node.id ?? '';
  const page = await opened(names[0] ? `/explorer?edge=${part(names[0])}` : `/explorer?focus=${part(node)}&tab=connections`);
  if (!names[0]) await page.getByRole('complementary').getByRole('button', { name: 'edge' }).first().click();
  await page.getByRole('complementary').getByRole('heading').first().waitFor();
  await isInert(page, 'an edge');
});

test('an event that comes while somebody looks', async () => {
  const page = await opened('/evidence/live');
  await page.getByRole('status').getByText('Connected').waitFor();
  const agent = await Agent.register(server().admin, { agent_key: 'late', name: shortly('late_agent') });
  await agent.authorize({ tool: shortly('late_tool'), action: shortly('late_action'), resource: hostileLink('late_resource'), run: shortly('late_run') });
  await page.getByRole('list', { name: 'Events' }).getByRole('listitem').first().waitFor();
  await isInert(page, 'a live event');
});

test('what was put there was seen, as text', () => expect(seen).toBeGreaterThan(8));

test('a name of a megabyte is shown cut', async () => {
  const page = await browser.page({ token: server().admin.token });
  follow(page);
  await page.goto(`${server().origin}/console/explorer?focus=MCPTool-long`);
  await settled(page);
  const drawer = page.getByRole('complementary');
  await drawer.getByRole('heading').first().waitFor();
  expect((await drawer.innerText()).length).toBeLessThan(50_000);
});

/** Goes to an address as links of the console do, whatever names are in it. */
async function go(page: Page, href: string) {
  await page.evaluate((href) => {
    window.history.pushState(null, '', href);
    window.dispatchEvent(new PopStateEvent('popstate'));
  }, href);
  await page.locator('main h1').first().waitFor();
}

/** What a page shows, what it says in attributes, and links that are not ways within the console. */
function found(page: Page) {
  return page.evaluate(() => {
    const own = `${window.location.origin}/console/`;
    const links = [...document.querySelectorAll('a[href], area[href], form[action], [formaction], iframe, object, embed')]
      .map((one) => one.getAttribute('href') ?? one.getAttribute('action') ?? one.tagName)
      .filter((href) => !href.startsWith('#') && !new URL(href, window.location.href).href.startsWith(own));
    const told = [...document.querySelectorAll('*')].flatMap((one) => [...one.attributes].filter(({ name }) => !['href', 'value'].includes(name)).map(({ value }) => value));
    return { text: document.body.innerText, links: links.map((href) => href.slice(0, 200)), told: told.join('\n') };
  });
}

/** Agents and servers that write nothing else. */
async function evidence() {
  const { admin } = server();
  await registerShop(admin);
  const agent = await Agent.register(admin, { name: shortly('agent'), purpose: shortly('purpose'), owner_team: shortly('team'), framework: shortly('framework'), model_name: shortly('model') });
  const body = { server_key: 'hostile', name: shortly('server'), transport: 'http' as const, endpoint: 'http://127.0.0.1:9/mcp', trust_level: 'internal' };
  await admin.post('/v1/mcp/servers', { body });
  for (const number of [1, 2]) {
    const tools = [{ tool_key: 'read', name: shortly('tool_name'), description: `${hostile('tool_description')} ${number}`, risk: 'low' as const, mutates_state: false }];
    await admin.post('/v1/mcp/servers/{key}/tools', { path: { key: 'hostile' }, body: { tools } });
  }
  const run = shortly('run');
  const asked = { resource: hostileLink('resource'), run, parameters: { [hostile('argument')]: hostile('value'), long: hostile('long').padEnd(900_000, 'x') } };
  await agent.authorize({ tool: shortly('tool'), action: shortly('action'), ...asked });
  await agent.authorize({ tool: 'mcp:hostile', action: 'read', ...asked });
  await agent.authorize({ ...rollOut('1'), ...asked });
  for (let attempt = 0; attempt < 6; attempt++) await agent.authorize({ action: 'refund', mutates: true, trust: 'untrusted_external', ...asked });
}
