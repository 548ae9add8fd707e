// What a person does with the console that several tests do.

import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';

/** Runs a command of the palette. */
export async function command(page: Page, title: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Search and commands' }).waitFor();
  await page.keyboard.type(title);
  await page.getByRole('option', { selected: true }).filter({ hasText: title }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Search and commands' }).waitFor({ state: 'hidden' });
}

/** The file that the palette saves what is shown as. */
export async function savedAs(page: Page, form: 'PNG' | 'SVG' | 'JSON'): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), command(page, `Export as ${form}`)]);
  return readFile(await download.path(), form === 'PNG' ? 'latin1' : 'utf8');
}
