// Getting in and out.

import { expect, test } from 'vitest';
import { aBrowser } from './stage/browser';
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
