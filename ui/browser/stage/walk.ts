// Every page of the console, taken from its own router, so that a new page is walked without being listed.

import { navigation, routes } from '../../src/app/routes';
import { BASE } from '../../src/shared/router/match';

/** What stands in place of `:names`, by the path of the route. */
export type Examples = Readonly<Record<string, readonly string[]>>;

/** A page to look at. */
export interface Stop {
  /** Fit for the name of a file. */
  name: string;
  /** Within the server, such as `/console/findings`. */
  href: string;
}

/** The paths of all pages. */
export const pages = routes.map((route) => route.path);

/** A page as it can be gone to. One with `:names` needs an example, others may have some with a query besides. */
export function stops(path: string, examples: Examples): Stop[] {
  const paths = [...(path.includes(':') ? [] : [path]), ...(examples[path] ?? [])];
  if (paths.length === 0) throw new Error(`the page ${path} needs an example`);
  return paths.map((one, at) => ({ name: nameOf(path, at), href: BASE + one }));
}

/** The labels of the navigation. */
export const labels = navigation.flatMap(({ entries }) => entries.map((entry) => entry.label));

function nameOf(path: string, at: number): string {
  const words = path.replaceAll(/[/:]+/g, '-').replaceAll(/^-|-$/g, '') || 'overview';
  return at === 0 ? words : `${words}-${at + 1}`;
}
