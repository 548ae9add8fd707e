// A page of somebody else, made like the example that the evidence graph was designed by: vis-network, on another port.

import { readFileSync } from 'node:fs';
import { createServer, type Server as WebServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Schema } from '../src/shared/api/client';
import { aBrowser } from './stage/browser';
import { someEvidence } from './stage/evidence';
import { aServer, serve } from './stage/server';

const LIBRARY = readFileSync(createRequire(import.meta.url).resolve('vis-network/standalone/umd/vis-network.min.js'));

const COLOURS: Record<string, string> = {
  agent: '#4C6EF5',
  decision: '#F76707',
  approval: '#37B24D',
  incident: '#E03131',
  receipt: '#7048E8',
  policy: '#868E96',
};

/** The page; `network` and `failed` are there for the test to see. */
const pageOf = (address: string, token: string) => `<!DOCTYPE html>
<html>
<head>
<link rel="icon" href="data:,">
<script src="/vis-network.min.js"></script>
</head>
<body>
<div id="graph" style="height: 600px;"></div>
<script>
const AGENT_TOKEN = ${JSON.stringify(token)};
fetch(${JSON.stringify(address)}, {
headers: { "Authorization": "Bearer " + AGENT_TOKEN }
})
.then(r => r.json())
.then(({ nodes, edges }) => {
window.network = new vis.Network(
document.getElementById("graph"),
{ nodes: new vis.DataSet(nodes), edges: new vis.DataSet(edges) },
{ groups: {
agent: { color: "#4C6EF5" }, decision: { color: "#F76707" },
approval: { color: "#37B24D" }, incident: { color: "#E03131" },
receipt: { color: "#7048E8" }, policy: { color: "#868E96" }
} }
);
})
.catch(error => { window.failed = String(error); });
</script>
</body>
</html>`;

interface Seen {
  network?: { body: { data: { nodes: { length: number }; edges: { length: number } } }; once: (what: string, then: () => void) => void; redraw: () => void };
  failed?: string;
}

const site = aSite();
const server = aServer(() => serve('--allow-origin', site.origin()));
const closed = aServer(() => serve());
const browser = aBrowser(server);
let made: Awaited<ReturnType<typeof someEvidence>>;

beforeAll(async () => {
  made = await someEvidence(server().admin);
});

describe('a page of an origin that is allowed draws', () => {
  test('the graph of a run', () => draws('/v1/graph/run/run-deploy', ['agent', 'run', 'tool_call', 'decision', 'approval', 'receipt', 'policy']));
  test('the graph of an incident', () => draws(`/v1/graph/incident/${made.incident}`, ['incident', 'agent', 'decision', 'receipt']));
  test('the graph of an agent', () => draws(`/v1/graph/agent/${made.agent.id}?depth=3`, ['agent', 'run', 'decision', 'policy']));
});

test('a page of an origin that is not allowed gets nothing', async () => {
  const page = await browser.page({ origins: [site.origin(), closed().origin], expected: [/CORS policy/, /Failed to load resource/] });
  const agent = await someEvidence(closed().admin).then((evidence) => evidence.agent);
  await page.goto(site.show(`${closed().origin}/v1/graph/run/run-deploy`, agent.caller.token));
  await page.waitForFunction(() => (window as Seen).failed !== undefined);
  expect(await page.evaluate(() => (window as Seen).failed)).toContain('Failed to fetch');
  expect(await page.evaluate(() => (window as Seen).network)).toBeUndefined();
  // The agent itself, which is no page, is answered.
  const graph = await agent.caller.get('/v1/graph/run/{run_id}', { path: { run_id: 'run-deploy' } });
  expect(graph.nodes.length).toBeGreaterThan(0);
});

async function draws(path: string, groups: string[]) {
  const page = await browser.page({ origins: [site.origin(), server().origin] });
  const answered = page.waitForResponse((response) => response.url() === server().origin + path);
  await page.goto(site.show(server().origin + path, made.agent.caller.token));
  const graph = (await (await answered).json()) as Schema<'EvidenceGraph'>;
  expect([...new Set(graph.nodes.map((node) => node.group))]).toEqual(expect.arrayContaining(groups));

  await page.waitForFunction(() => (window as Seen).network !== undefined);
  const held = await page.evaluate(
    () =>
      new Promise<{ nodes: number; edges: number }>((done) => {
        const { network } = window as Seen;
        if (!network) throw new Error('there is no network');
        network.once('afterDrawing', () => done({ nodes: network.body.data.nodes.length, edges: network.body.data.edges.length }));
        network.redraw();
      }),
  );
  expect(held).toEqual({ nodes: graph.nodes.length, edges: graph.edges.length });

  const wanted = groups.flatMap((group) => COLOURS[group] ?? []);
  await expect.poll(() => missing(page, wanted), { timeout: 10_000, message: 'colours that are not on the canvas' }).toEqual([]);
}

/** Those colours that no pixel of the canvas has. */
function missing(page: Awaited<ReturnType<typeof browser.page>>, colours: string[]): Promise<string[]> {
  return page.evaluate((colours) => {
    const canvas = document.querySelector('canvas');
    const context = canvas?.getContext('2d');
    if (!canvas || !context) return ['the canvas'];
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const seen = new Set<number>();
    for (let at = 0; at < data.length; at += 4) if (data[at + 3] === 255) seen.add(((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0));
    return colours.filter((colour) => !seen.has(Number.parseInt(colour.slice(1), 16)));
  }, colours);
}

/** Somebody else's web server. */
function aSite() {
  let web: WebServer | undefined;
  let page = '';
  beforeAll(async () => {
    web = createServer((request, response) => {
      const isLibrary = request.url === '/vis-network.min.js';
      response.setHeader('content-type', isLibrary ? 'text/javascript' : 'text/html');
      response.end(isLibrary ? LIBRARY : page);
    });
    await new Promise<void>((done) => web?.listen(0, '127.0.0.1', done));
  });
  afterAll(() => new Promise<void>((done) => (web ? web.close(() => done()) : done())));
  const origin = () => `http://127.0.0.1:${(web?.address() as AddressInfo).port}`;
  return {
    origin,
    /** The address of a page that draws the graph at another address. */
    show(address: string, token: string): string {
      page = pageOf(address, token);
      return `${origin()}/`;
    },
  };
}
