// The real program, started for a test and ended after it.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { Caller } from './caller';
import { dist, program } from './place';

const START = 30_000;
const END = 10_000;

/** A program that runs and serves. */
export class Server {
  readonly #child: ChildProcess;
  readonly #data: string;

  private constructor(
    child: ChildProcess,
    data: string,
    /** Such as `http://127.0.0.1:41234`. */
    readonly origin: string,
    /** The link that logs in once. */
    readonly link: string,
    /** Whoever got the token of the first start. */
    readonly admin: Caller,
  ) {
    this.#child = child;
    this.#data = data;
  }

  /** Starts the program in a data directory of its own and reads what it prints. */
  static async start(arguments_: (data: string) => string[]): Promise<Server> {
    const data = await mkdtemp(join(tmpdir(), 'tracehound-browser-'));
    const child = spawn(program, arguments_(join(data, 'data')), {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, HOME: data, TRACEHOUND_CONSOLE_DIST: dist },
    });
    try {
      const said = await printed(child);
      const origin = one(said, /^listening on (https?:\S+)$/m);
      const token = one(said, /^administrator's token, shown once: (\S+)$/m);
      const link = one(said, /^console \(.*\): (https?:\S+)$/m);
      return new Server(child, data, origin, link, new Caller(origin, token));
    } catch (thrown) {
      await ended(child);
      await rm(data, { recursive: true, force: true });
      throw thrown;
    }
  }

  async stop(): Promise<void> {
    await ended(this.#child);
    await rm(this.#data, { recursive: true, force: true });
  }

  /** The arguments for a command that finds this server through its data directory. */
  get data(): string {
    return join(this.#data, 'data');
  }
}

/** An empty server. */
export const serve = (...more: string[]) => Server.start((data) => ['--data', data, 'serve', '--listen', '127.0.0.1:0', ...more]);

/** The sample estate with agents at work. */
export const demo = () => Server.start((data) => ['demo', '--listen', '127.0.0.1:0', '--keep', data]);

/** One server for all tests of a file. */
export function aServer(start: () => Promise<Server>): () => Server {
  let server: Server | undefined;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server?.stop());
  return () => {
    if (!server) throw new Error('the server has not been started');
    return server;
  };
}

/** What the program says until it serves. */
function printed(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    let complained = '';
    const timer = setTimeout(() => reject(new Error(`the program did not serve in time\n${said}\n${complained}`)), START);
    child.stdout?.on('data', (part) => {
      said += String(part);
      if (!/^console \(.*\): http\S+\n/m.test(said)) return;
      clearTimeout(timer);
      resolve(said);
    });
    child.stderr?.on('data', (part) => (complained += String(part)));
    child.once('error', reject);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`the program ended with ${code}\n${said}\n${complained}`));
    });
  });
}

function one(said: string, pattern: RegExp): string {
  const found = pattern.exec(said)?.[1];
  if (!found) throw new Error(`the program did not print ${pattern}:\n${said}`);
  return found;
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), END);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill('SIGTERM');
  });
}
