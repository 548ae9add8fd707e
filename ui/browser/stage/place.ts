// Where things are: the program, the browser, the built console, and where pictures go.

import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../../..');

/** The repository's root. */
export const root = ROOT;

/** The program under test. */
export const program = there(process.env.TRACEHOUND ?? join(target(), 'debug/tracehound'), 'TRACEHOUND', 'cargo build');

/** The browser; Debian's unless another one is named. */
export const chromium = there(process.env.CHROMIUM ?? '/usr/bin/chromium', 'CHROMIUM', 'apt-get install chromium');

/** The console as `npm run build` left it. */
export const dist = there(join(ROOT, 'ui/dist'), undefined, 'npm run build');

/** A folder below the build's own for what somebody may want to look at afterwards. */
export function pictures(folder: string): string {
  const place = join(target(), 'console-pictures', folder);
  mkdirSync(place, { recursive: true });
  return place;
}

function target(): string {
  return process.env.CARGO_TARGET_DIR ?? join(ROOT, 'target');
}

function there(place: string, variable: string | undefined, remedy: string): string {
  if (existsSync(place)) return place;
  throw new Error(`\`${place}\` is not there; ${remedy}${variable ? `, or name it with ${variable}` : ''}`);
}
