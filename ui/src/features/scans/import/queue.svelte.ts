// Files on their way in: one after the other, each with how far it is and what became of it.

import { asProblem, ApiProblem } from '$shared/api/problem';
import type { Sending } from '$shared/api/upload';
import { type Imported, importDocument } from '../api';
import { mediaType } from './format';

export type Stage = 'waiting' | 'sending' | 'reading' | 'stored' | 'known' | 'refused' | 'stopped';

/** What is given to be imported: a file, or something that is none and why. */
export type Given = { file: File } | { name: string; fault: string };

/** One file. */
export class Import {
  stage = $state<Stage>('waiting');
  /** How much of it has left, from 0 to 1. */
  part = $state(0);
  imported = $state.raw<Imported>();
  problem = $state.raw<ApiProblem>();
  readonly file: File | undefined;
  readonly name: string;
  readonly size: number;

  constructor(
    readonly id: number,
    given: Given,
  ) {
    this.file = 'file' in given ? given.file : undefined;
    this.name = 'file' in given ? given.file.name : given.name;
    this.size = this.file?.size ?? 0;
    if ('fault' in given) {
      this.stage = 'refused';
      this.problem = new ApiProblem(0, 'not_a_file', given.fault);
    }
  }

  get isOver(): boolean {
    return this.stage !== 'waiting' && this.stage !== 'sending' && this.stage !== 'reading';
  }
}

type Send = (file: Blob, sending: Sending) => Promise<{ isNew: boolean; imported: Imported }>;

/** All files that were given since the console was opened, until they are cleared. */
export class ImportQueue {
  list = $state.raw<Import[]>([]);
  /** Grows with every document that was stored, so that lists can follow. */
  stored = $state(0);
  isBusy = $state(false);
  #next = 1;
  #running: { one: Import; stop: AbortController } | undefined;
  readonly #send: Send;

  constructor(send: Send = importDocument) {
    this.#send = send;
  }

  /** Takes files and begins, unless it is under way. */
  add(given: readonly Given[]): Promise<void> {
    this.list = [...this.list, ...given.map((one) => new Import(this.#next++, one))];
    return this.#work();
  }

  /** Stops a file that is on its way or waits. What the server has read already, it keeps. */
  stop(one: Import): void {
    if (one.stage === 'waiting') one.stage = 'stopped';
    else if (this.#running?.one === one) this.#running.stop.abort();
  }

  /** Sends a file again. */
  again(one: Import): Promise<void> {
    if (one.file && one.isOver) {
      one.stage = 'waiting';
      one.part = 0;
      one.problem = undefined;
    }
    return this.#work();
  }

  /** Forgets what is over. */
  clear(): void {
    this.list = this.list.filter((one) => !one.isOver);
  }

  async #work(): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    for (let one = this.#waiting(); one; one = this.#waiting()) await this.#import(one);
    this.isBusy = false;
  }

  #waiting(): Import | undefined {
    return this.list.find((one) => one.stage === 'waiting');
  }

  async #import(one: Import): Promise<void> {
    if (!one.file) return;
    const stop = new AbortController();
    this.#running = { one, stop };
    one.stage = 'sending';
    try {
      const type = await mediaType(one.file);
      const { isNew, imported } = await this.#send(one.file, {
        type,
        signal: stop.signal,
        onprogress: ({ sent, isSent }) => {
          one.part = one.size > 0 ? Math.min(1, sent / one.size) : 1;
          if (isSent) one.stage = 'reading';
        },
      });
      one.imported = imported;
      one.part = 1;
      one.stage = isNew ? 'stored' : 'known';
      this.stored += 1;
    } catch (thrown) {
      if (stop.signal.aborted) {
        one.stage = 'stopped';
        return;
      }
      // A browser says so when a file was moved or may not be read.
      const isUnreadable = thrown instanceof DOMException;
      one.problem = isUnreadable ? new ApiProblem(0, 'unreadable_file', 'the browser could not read the file') : asProblem(thrown);
      one.stage = 'refused';
    } finally {
      this.#running = undefined;
    }
  }
}

/** Goes on while other pages are looked at. */
export const imports = new ImportQueue();
