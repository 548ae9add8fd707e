// Loading for pages: one thing, or a list that comes in pages. Keeps what is shown until its successor is there.

import { asProblem, type ApiProblem } from './problem';

/** How long nothing is said about waiting. */
export const PATIENCE = 200;

/** One thing that is loaded, and loaded again when what it depends on changes. */
export class Loaded<T> {
  data = $state.raw<T>();
  problem = $state.raw<ApiProblem>();
  /** A request is on its way. */
  busy = $state(false);
  /** It has been on its way for so long that a person wants to know. */
  slow = $state(false);
  #running: AbortController | undefined;
  readonly #ask: (signal: AbortSignal) => Promise<T>;

  constructor(ask: (signal: AbortSignal) => Promise<T>) {
    this.#ask = ask;
  }

  /** Asks (again). An older request that still runs is abandoned. */
  again = async (): Promise<void> => {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    this.busy = true;
    const timer = setTimeout(() => (this.slow = this.#running === running), PATIENCE);
    try {
      const data = await this.#ask(running.signal);
      if (this.#running !== running) return;
      this.data = data;
      this.problem = undefined;
    } catch (thrown) {
      if (this.#running !== running) return;
      this.problem = asProblem(thrown);
    } finally {
      clearTimeout(timer);
      if (this.#running === running) {
        this.busy = false;
        this.slow = false;
      }
    }
  };

  /** Abandons what is on its way. */
  stop = (): void => {
    this.#running?.abort();
    this.#running = undefined;
    this.busy = false;
    this.slow = false;
  };
}

/**
 * Loads in a component and follows what the question reads before its first `await`:
 * `const node = load((signal) => get('/v1/estate/nodes/{id}', { path: { id }, signal }))`.
 */
export function load<T>(ask: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const loaded = new Loaded(ask);
  $effect(() => {
    void loaded.again();
    return loaded.stop;
  });
  return loaded;
}

/** A page of a list, as the API sends it. */
export interface Page<T> {
  items: T[];
  next_cursor?: string | null;
}

/** A list that comes in pages. */
export class Paged<T> {
  items = $state.raw<T[]>([]);
  problem = $state.raw<ApiProblem>();
  busy = $state(false);
  slow = $state(false);
  /** The first page is there. */
  ready = $state(false);
  #cursor = $state<string | null | undefined>();
  #running: AbortController | undefined;
  readonly #ask: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>;

  constructor(ask: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>) {
    this.#ask = ask;
  }

  /** There are more pages. */
  get hasMore(): boolean {
    return typeof this.#cursor === 'string';
  }

  /** From the start; what is shown stays until the first page is there. */
  again = (): Promise<void> => this.#load(undefined);

  /** The next page. */
  more = async (): Promise<void> => {
    if (typeof this.#cursor === 'string' && !this.busy) await this.#load(this.#cursor);
  };

  stop = (): void => {
    this.#running?.abort();
    this.#running = undefined;
    this.busy = false;
    this.slow = false;
  };

  async #load(cursor: string | undefined): Promise<void> {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    this.busy = true;
    const timer = setTimeout(() => (this.slow = this.#running === running), PATIENCE);
    try {
      const page = await this.#ask(cursor, running.signal);
      if (this.#running !== running) return;
      this.items = cursor === undefined ? page.items : [...this.items, ...page.items];
      this.#cursor = page.next_cursor;
      this.problem = undefined;
      this.ready = true;
    } catch (thrown) {
      if (this.#running === running) this.problem = asProblem(thrown);
    } finally {
      clearTimeout(timer);
      if (this.#running === running) {
        this.busy = false;
        this.slow = false;
      }
    }
  }
}

/** A list in a component: follows what the question reads before its first `await`. */
export function paged<T>(ask: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>): Paged<T> {
  const list = new Paged(ask);
  $effect(() => {
    void list.again();
    return list.stop;
  });
  return list;
}
