// Somebody who uses the API with a token, beside the browser: what the console shows is compared with what they get.

import { type Answer, type Given, href, type PathOf } from '../../src/shared/api/client';
import type { paths } from '../../src/shared/api/schema';

/** An answer that was not a success. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly said: string,
  ) {
    super(`${status} ${said}`);
  }
}

export class Caller {
  constructor(
    readonly origin: string,
    readonly token: string,
  ) {}

  get<P extends PathOf<'get'>>(path: P, given?: Given<P, 'get'>): Promise<Answer<P, 'get'>> {
    return this.#ask('GET', path, given) as Promise<Answer<P, 'get'>>;
  }

  post<P extends PathOf<'post'>>(path: P, given?: Given<P, 'post'>): Promise<Answer<P, 'post'>> {
    return this.#ask('POST', path, given) as Promise<Answer<P, 'post'>>;
  }

  put<P extends PathOf<'put'>>(path: P, given?: Given<P, 'put'>): Promise<Answer<P, 'put'>> {
    return this.#ask('PUT', path, given) as Promise<Answer<P, 'put'>>;
  }

  /** An answer in the shape that a page of the console reads it in. */
  async read<Shape>(path: PathOf<'get'>, given?: object): Promise<Shape> {
    return (await this.#ask('GET', path, given)) as Shape;
  }

  /** The same server, as somebody else. */
  as(token: string): Caller {
    return new Caller(this.origin, token);
  }

  async #ask(method: string, path: keyof paths, given: object = {}): Promise<unknown> {
    const { body } = given as { body?: unknown };
    const headers: Record<string, string> = { Authorization: `Bearer ${this.token}` };
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    const response = await fetch(this.origin + href(path, given), {
      method,
      headers,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Refused(response.status, text);
    return text === '' ? undefined : JSON.parse(text);
  }
}
