// Measures the graph canvas against bare sigma in Chromium with software rendering, and fails when a bound is missed.

import { createServer } from 'node:http';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { chromium } from 'playwright-core';
import { build } from 'vite';

const SIZES = [10_000, 50_000];
const ROUNDS = 3;
/** At most so many times as long as bare sigma. */
const BOUND = 1.5;
const MEDIA = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

const folder = await mkdtemp(join(tmpdir(), 'tracehound-canvas-'));
const root = new URL('.', import.meta.url).pathname;
await build({ root, base: './', logLevel: 'error', worker: { format: 'es' }, build: { outDir: folder, emptyOutDir: true, target: 'es2022' } });

const server = createServer(async (request, response) => {
  const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname);
  const file = join(folder, path === '/' ? 'index.html' : path);
  try {
    response.setHeader('content-type', MEDIA[extname(file)] ?? 'application/octet-stream');
    response.end(await readFile(file));
  } catch {
    response.statusCode = 404;
    response.end();
  }
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});

let isMissed = false;
try {
  const page = await browser.newPage({ viewport: { width: 660, height: 420 } });
  page.on('pageerror', (error) => console.error(String(error)));
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.waitForFunction(() => typeof window.compare === 'function');
  // The first round warms up the browser and is not counted.
  await page.evaluate(() => window.compare(1_000));
  for (const size of SIZES) {
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await page.evaluate((size) => window.compare(size), size));
    for (const [name, title] of [['first', 'first picture'], ['pan', 'step of a pan']]) {
      const [ours, bare] = [median(rounds.map((it) => it.ours[name])), median(rounds.map((it) => it.bare[name]))];
      const ratio = ours / bare;
      const word = ratio <= BOUND ? 'ok' : 'MISSED';
      isMissed ||= ratio > BOUND;
      console.log(`${size} nodes, ${title}: ${ours.toFixed(1)} ms, bare sigma ${bare.toFixed(1)} ms: ${ratio.toFixed(2)}x (bound ${BOUND}x) ${word}`);
    }
  }
} finally {
  await browser.close();
  server.close();
  await rm(folder, { recursive: true });
}
process.exitCode = isMissed ? 1 : 0;

function median(values) {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
