// A browser that lets nothing out and keeps account of whatever should not happen: requests to other origins, errors of
// pages, refusals of the Content-Security-Policy, dialogs, and script that came from data.

import { type Browser, type BrowserContext, chromium as driver, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { OURS } from '../../src/shared/api/client';
import { chromium } from './place';
import type { Server } from './server';

/** What script in hostile text calls. A test fails if anything does. */
export const RAN = 'tracehoundRan';
const REFUSED = 'tracehoundRefused';
const PATIENCE = 15_000;

export const SIZES = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 844 } } as const;

export interface Opening {
  /** Whose token the session stands for; nobody's when left out. */
  token?: string;
  size?: keyof typeof SIZES;
  theme?: 'dark' | 'light';
  /** Other origins that may be asked. */
  origins?: readonly string[];
  /** Messages on the browser's console that belong to the test. */
  expected?: readonly RegExp[];
}

const FLAGS = [
  '--no-sandbox',
  // Graphs are drawn without a graphics card.
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Nothing but this machine can be reached: other names and addresses are not even looked for.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/** One browser for all tests of a file. After each test its pages are closed, and it fails if anything was noticed. */
export function aBrowser(server: () => Server) {
  let browser: Browser | undefined;
  let open: BrowserContext[] = [];
  let noticed: string[] = [];

  beforeAll(async () => {
    browser = await driver.launch({ executablePath: chromium, args: FLAGS });
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    const [contexts, faults] = [open, noticed];
    [open, noticed] = [[], []];
    await Promise.all(contexts.map((context) => context.close()));
    expect(faults, 'what the browser noticed').toEqual([]);
  });

  return {
    /** A page in a browser session of its own. */
    async page(opening: Opening = {}): Promise<Page> {
      if (!browser) throw new Error('the browser has not been started');
      const { origin } = server();
      const context = await browser.newContext({
        viewport: SIZES[opening.size ?? 'wide'],
        colorScheme: opening.theme ?? 'dark',
        reducedMotion: 'reduce',
        acceptDownloads: true,
      });
      open.push(context);
      context.setDefaultTimeout(PATIENCE);
      await watch(context, [origin, ...(opening.origins ?? [])], opening.expected ?? [], (what) => noticed.push(what));
      if (opening.token) await logIn(context, origin, opening.token);
      return context.newPage();
    },
    /** What was noticed so far, for tests that want to say more about it. */
    noticed: () => [...noticed],
  };
}

async function watch(context: BrowserContext, origins: readonly string[], expected: readonly RegExp[], notice: (what: string) => void) {
  const isOwn = (url: string) => /^(data|blob|about):/.test(url) || origins.includes(new URL(url).origin.replace(/^ws/, 'http'));
  context.on('request', (request) => {
    if (!isOwn(request.url())) notice(`request to another origin: ${request.url().slice(0, 200)}`);
  });
  await context.exposeFunction(RAN, (where: unknown) => notice(`script of data ran: ${String(where)}`));
  await context.exposeFunction(REFUSED, (what: unknown) => notice(`refused by the policy of the page: ${String(what)}`));
  await context.addInitScript((told: string) => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const tell = (window as unknown as Record<string, (what: string) => void>)[told];
      tell?.(`${event.effectiveDirective} ${event.blockedURI} ${event.sample}`);
    });
  }, REFUSED);
  context.on('console', (message) => {
    const said = `${message.text().slice(0, 500)} (${message.location().url})`;
    if (message.type() !== 'error' || expected.some((pattern) => pattern.test(said))) return;
    notice(`error on the console: ${said}`);
  });
  context.on('weberror', (error) => notice(`error of the page: ${error.error().stack ?? error.error().message}`));
  context.on('dialog', (dialog) => {
    notice(`dialog: ${dialog.message().slice(0, 200)}`);
    void dialog.dismiss();
  });
  context.on('page', (page) => {
    page.on('websocket', (socket) => {
      if (!isOwn(socket.url())) notice(`socket to another origin: ${socket.url()}`);
    });
  });
}

async function logIn(context: BrowserContext, origin: string, token: string) {
  const answer = await context.request.post(`${origin}/console/login`, { headers: OURS, data: { token } });
  if (!answer.ok()) throw new Error(`the browser could not be logged in: ${answer.status()} ${await answer.text()}`);
}
