// Which route a path means. Paths here are without the console's own prefix.

/** The prefix that all pages of the console share. */
export const BASE = '/console';

/** What stood in place of a pattern's `:names`. */
export type PathParameters = Record<string, string>;

/** The parameters when the path fits the pattern (`/findings/:id`), undefined when it does not. */
export function fits(pattern: string, path: string): PathParameters | undefined {
  const wanted = parts(pattern);
  const given = parts(path);
  if (wanted.length !== given.length) return undefined;
  const found: PathParameters = {};
  for (const [at, want] of wanted.entries()) {
    const have = given[at] ?? '';
    if (want.startsWith(':')) {
      const value = decoded(have);
      if (value === undefined) return undefined;
      found[want.slice(1)] = value;
    } else if (want !== have) {
      return undefined;
    }
  }
  return found;
}

/** The first route whose pattern fits; one without parameters goes before one with. */
export function match<R extends { path: string }>(routes: readonly R[], path: string) {
  const exact = routes.filter((route) => !route.path.includes(':'));
  const open = routes.filter((route) => route.path.includes(':'));
  for (const route of [...exact, ...open]) {
    const parameters = fits(route.path, path);
    if (parameters) return { route, parameters };
  }
  return undefined;
}

/** A path within the console as an address, with its query; empty values are left out. */
export function address(path: string, query: Record<string, QueryValue> = {}): string {
  const search = withQuery('', query);
  return `${BASE}${path === '/' ? '/' : path}${search}`;
}

export type QueryValue = string | number | boolean | null | undefined | readonly string[];

/** The query after some of its values were changed: null, undefined, '' and false take one out, a list repeats it. */
export function withQuery(search: string, changes: Record<string, QueryValue>): string {
  const query = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    query.delete(name);
    if (value === null || value === undefined || value === '' || value === false) continue;
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one));
  }
  query.sort();
  const text = query.toString();
  return text ? `?${text}` : '';
}

/** The path within the console; undefined when the address belongs to something else. */
export function inside(pathname: string): string | undefined {
  if (pathname === BASE) return '/';
  if (!pathname.startsWith(`${BASE}/`)) return undefined;
  return pathname.slice(BASE.length);
}

function parts(path: string): string[] {
  return path.split('/').filter((part) => part !== '');
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
