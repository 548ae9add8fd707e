// Where the person is: the browser's address as state. Pages are chosen in app/, links are plain `<a href>`.

import type { Component } from 'svelte';
import type { IconName } from '../icons/paths';
import { address, inside, type PathParameters, type QueryValue, withQuery } from './match';

/** A place in the navigation. */
export interface NavEntry {
  group: 'Estate' | 'Evidence' | 'Control';
  label: string;
  icon: IconName;
  /** Smaller stands higher in its group. */
  order: number;
  /** Says whether it is offered to whoever is logged in; left out when to everybody. */
  when?: () => boolean;
}

/** A page: `features/<name>/routes.ts` exports a list of these as `routes`. */
export interface Route {
  /** Below the console's prefix, with `:names` for what varies. */
  path: string;
  /** The document's title. */
  title: string;
  /** Loads the page; it is given the path's parameters as properties. */
  page: () => Promise<{ default: Component<never> }>;
  /** Left out when the page is not in the navigation. */
  nav?: NavEntry;
  /** The page fills the window and scrolls inside itself. */
  full?: boolean;
}

class Here {
  path = $state('/');
  search = $state('');
  query = $derived(new URLSearchParams(this.search));

  /** A value of the query; '' when it is not there. */
  one(name: string): string {
    return this.query.get(name) ?? '';
  }

  /** All values of the query with this name. */
  all(name: string): string[] {
    return this.query.getAll(name);
  }
}

/** The current place. Reading it in a component or `$derived` follows it. */
export const here = new Here();

/** Goes to an address of the console: `go(to.finding(id))`. */
export function go(href: string, how: { replace?: boolean } = {}): void {
  const url = new URL(href, window.location.origin);
  if (url.origin !== window.location.origin || inside(url.pathname) === undefined) return;
  const change = how.replace ? 'replaceState' : 'pushState';
  window.history[change](null, '', url.pathname + url.search + url.hash);
  read();
}

/** Changes values of the query and stays on the page. Filters replace; what a person would go back from is pushed. */
export function setQuery(changes: Record<string, QueryValue>, how: { replace?: boolean } = { replace: true }): void {
  const search = withQuery(here.search, changes);
  if (search !== withQuery(here.search, {})) go(address(here.path) + search, how);
}

/** Follows the browser's address and takes clicks on links of the console. Returns what undoes it. */
export function follow(): () => void {
  read();
  window.addEventListener('popstate', read);
  document.addEventListener('click', clicked);
  return () => {
    window.removeEventListener('popstate', read);
    document.removeEventListener('click', clicked);
  };
}

function read(): void {
  here.path = inside(window.location.pathname) ?? '/';
  here.search = window.location.search;
}

function clicked(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || link.target || link.hasAttribute('download')) return;
  const url = new URL(link.href, window.location.origin);
  if (url.origin !== window.location.origin || inside(url.pathname) === undefined) return;
  // A link within the page, such as the skip link, is the browser's own business.
  if (url.pathname === window.location.pathname && url.search === window.location.search && url.hash) return;
  event.preventDefault();
  go(url.href);
}

export { address, type PathParameters };
