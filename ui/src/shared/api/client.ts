// Requests to the API. Paths, parameters, bodies and answers are typed by its own description.

import { ApiProblem, asProblem, problemOf } from './problem';
import type { components, paths } from './schema';

/** The shapes of the API by name: `Schema<'Finding'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

type Method = 'get' | 'post' | 'put' | 'delete';
/** Paths that take a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: unknown }> ? P : never;
}[keyof paths];

type Operation<P extends keyof paths, M extends Method> = paths[P] extends Record<M, infer O> ? O : never;
type Good = 200 | 201 | 202 | '2XX';
type Content<R> = R extends { content: { 'application/json': infer C } } ? C : undefined;
/** What an operation answers. */
export type Answer<P extends keyof paths, M extends Method = 'get'> =
  Operation<P, M> extends { responses: infer R } ? Content<R[Good & keyof R]> : never;

type Parameters<O> = O extends { parameters: infer P } ? P : object;
type PathPart<O> = Parameters<O> extends { path: infer V } ? { path: V } : { path?: undefined };
type QueryPart<O> = Parameters<O> extends { query?: infer V } ? { query?: V } : { query?: undefined };
type BodyPart<O> = O extends { requestBody?: { content: { 'application/json': infer B } } } ? { body?: B } : object;
/** What an operation can be given. */
export type Given<P extends keyof paths, M extends Method> = PathPart<Operation<P, M>> &
  QueryPart<Operation<P, M>> &
  BodyPart<Operation<P, M>> & { signal?: AbortSignal };
type Arguments<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { parameters: { path: unknown } } ? [given: Given<P, M>] : [given?: Given<P, M>];

/** The server takes changes by cookie only with a header that no other site can set. */
export const OURS = { 'X-Tracehound-Console': '1' };

interface Plain {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  signal?: AbortSignal;
}

/** Reads something. Throws an `ApiProblem`. */
export function get<P extends PathOf<'get'>>(path: P, ...given: Arguments<P, 'get'>): Promise<Answer<P, 'get'>> {
  return send('GET', path, given[0] as Plain) as Promise<Answer<P, 'get'>>;
}

/** Reads something byte for byte, for what is verified rather than shown. Throws an `ApiProblem`. */
export async function getText<P extends PathOf<'get'>>(path: P, ...given: Arguments<P, 'get'>): Promise<string> {
  const response = await asked('GET', path, given[0] as Plain);
  return answered(response.text());
}

/** Does something. Throws an `ApiProblem`. */
export function post<P extends PathOf<'post'>>(path: P, ...given: Arguments<P, 'post'>): Promise<Answer<P, 'post'>> {
  return send('POST', path, given[0] as Plain) as Promise<Answer<P, 'post'>>;
}

/** Puts something in place. Throws an `ApiProblem`. */
export function put<P extends PathOf<'put'>>(path: P, ...given: Arguments<P, 'put'>): Promise<Answer<P, 'put'>> {
  return send('PUT', path, given[0] as Plain) as Promise<Answer<P, 'put'>>;
}

/** Takes something away. Throws an `ApiProblem`. */
export function remove<P extends PathOf<'delete'>>(path: P, ...given: Arguments<P, 'delete'>): Promise<Answer<P, 'delete'>> {
  return send('DELETE', path, given[0] as Plain) as Promise<Answer<P, 'delete'>>;
}

/** An API path with its parameters filled in, for what is not read with `get`: downloads, sockets. */
export function href(path: keyof paths, given: Plain = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(given.path?.[name] ?? '')));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given.query ?? {})) {
    if (value === undefined || value === null || value === '') continue;
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one));
  }
  const search = query.toString();
  return search ? `${filled}?${search}` : filled;
}

async function send(method: string, path: keyof paths, given?: Plain): Promise<unknown> {
  const response = await asked(method, path, given);
  if (response.status === 204) return undefined;
  const text = await answered(response.text());
  return text === '' ? undefined : parsed(text);
}

async function asked(method: string, path: keyof paths, given: Plain = {}): Promise<Response> {
  const headers: Record<string, string> = { Accept: 'application/json, application/problem+json' };
  if (method !== 'GET') Object.assign(headers, OURS);
  const request: RequestInit = { method, headers, credentials: 'same-origin', cache: 'no-store' };
  if (given.signal) request.signal = given.signal;
  if (given.body !== undefined) {
    headers['Content-Type'] = 'application/json';
    request.body = given.body instanceof Blob ? given.body : JSON.stringify(given.body);
  }
  const response = await answered(fetch(href(path, given), request));
  if (!response.ok) throw await problemOf(response);
  return response;
}

async function answered<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (thrown) {
    // An abandoned request is nobody's problem: whoever abandoned it knows.
    if (thrown instanceof DOMException && thrown.name === 'AbortError') throw thrown;
    throw asProblem(thrown);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiProblem(0, 'unreadable', 'the server’s answer could not be read');
  }
}
