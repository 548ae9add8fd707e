// Getting in and out.

import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OURS } from '../src/shared/api/client';
import { aBrowser } from './stage/browser';
import { root } from './stage/place';
import { aServer, serve } from './stage/server';

const server = aServer(() => serve());
const browser = aBrowser(server);

// A page that nobody is logged in to asks who it is and is told so; the browser writes that down.
const NOBODY = [/status of 401/];

test('the printed link logs in and shows the overview, and works once', async () => {
  const page = await browser.page({ expected: NOBODY });
  await page.goto(server().link);
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/');
  expect(page.url(), 'the code stays out of the history').not.toContain('code=');

  const other = await browser.page({ expected: NOBODY });
  await other.goto(server().link);
  await other.getByRole('alert').getByText('That link was used already').waitFor();
  expect(await other.context().cookies()).toEqual([]);
});

test('a token logs in, and is not kept by the page', async () => {
  const page = await browser.page({ expected: NOBODY });
  await page.goto(`${server().origin}/console/evidence/decisions`);
  await page.getByLabel('Or log in with your token').fill(server().admin.token);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { name: 'Decisions', level: 1 }).waitFor();
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
  expect(kept + (await page.content())).not.toContain(server().admin.token);
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
});

test.each([
  ['that nobody has', () => 'th_key_wrong'],
  [
    'of an agent',
    async () => {
      const body = { agent_key: 'somebody', name: 'Somebody', environment: 'test', risk_tier: 'low' as const };
      return (await server().admin.post('/v1/agents', { body })).agent_token;
    },
  ],
])('a token %s is refused in words', async (_, token) => {
  const page = await browser.page({ expected: [...NOBODY, /status of 403/] });
  await page.goto(`${server().origin}/console/`);
  await page.getByLabel('Or log in with your token').fill(await token());
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText('You could not be logged in').waitFor();
  expect(await page.context().cookies()).toEqual([]);
});

test('logging out ends the session, also for whoever kept the cookie', async () => {
  const page = await browser.page({ token: server().admin.token, expected: NOBODY });
  await page.goto(`${server().origin}/console/evidence/decisions`);
  await page.getByRole('heading', { name: 'Decisions', level: 1 }).waitFor();
  const before = await page.context().cookies();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByText('You are not logged in.').waitFor();
  expect(await page.context().cookies()).toEqual([]);
  await page.context().addCookies(before);
  await page.goto(`${server().origin}/console/evidence/decisions`);
  await page.getByText('You are not logged in.').waitFor();
});

test('every page of the console forbids script that is not its own', async () => {
  for (const path of ['/console/', '/console/findings', '/console/login?used=1']) {
    const answer = await fetch(server().origin + path);
    const policy = answer.headers.get('content-security-policy') ?? '';
    const parts = Object.fromEntries(policy.split(';').map((part) => [part.trim().split(' ')[0], part.trim().split(' ').slice(1).join(' ')]));
    expect(parts, path).toMatchObject({ 'default-src': "'none'", 'script-src': "'self'", 'frame-ancestors': "'none'", 'base-uri': "'none'" });
    expect(policy, path).not.toMatch(/unsafe|\*|https?:/);
    expect(answer.headers.get('x-content-type-options'), path).toBe('nosniff');
  }
});

describe('over TLS', () => {
  const certificates = join(root, 'peers/certificates');
  const secure = aServer(() => serve('--tls-cert', join(certificates, 'good.pem'), '--tls-key', join(certificates, 'leaf.key')));

  /** Logs in, trusting only the authority that signed the certificate. */
  function logIn(): Promise<{ status: number | undefined; cookie: string }> {
    return new Promise((done, fail) => {
      const headers = { ...OURS, 'Content-Type': 'application/json' };
      const asked = request(`${secure().origin}/console/login`, { method: 'POST', headers, ca: readFileSync(join(certificates, 'authority.pem')) }, (answer) => {
        answer.resume();
        done({ status: answer.statusCode, cookie: String(answer.headers['set-cookie']) });
      });
      asked.on('error', fail);
      asked.end(JSON.stringify({ token: secure().admin.token }));
    });
  }

  test('the cookie travels over TLS alone', async () => {
    expect(secure().origin).toMatch(/^https:/);
    const { status, cookie } = await logIn();
    expect(status).toBe(204);
    expect(cookie).toMatch(/; Secure/);
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict/);
  });
});
