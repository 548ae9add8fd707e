// Verification of receipts in the browser: the same rules as docs/receipts.md, with nothing but the text and the keys.

import { hex, importKey, isSigned, keyId, sha256 } from './crypto';
import { canonical, type Members, parse, Refusal, type Value } from './strict';

export type Fault =
  | 'malformed'
  | 'duplicate_key'
  | 'unknown_version'
  | 'altered'
  | 'broken_link'
  | 'gap'
  | 'fork'
  | 'repeated'
  | 'out_of_order'
  | 'other_tenant'
  | 'unsigned'
  | 'wrong_key'
  | 'bad_signature';

/** Something that is wrong. */
export interface Problem {
  fault: Fault;
  /** The place in the list, from 0. */
  index: number;
  message: string;
}

export interface Report {
  status: 'verified' | 'empty' | 'unsigned' | 'failed';
  receipts: number;
  first?: number;
  last?: number;
  problems: Problem[];
}

/** A key that is trusted because somebody gave it, in 64 hex digits. */
export type TrustedKey = string;

interface Receipt {
  index: number;
  tenant: string;
  sequence: number;
  previous: string;
  stated: string;
  actual: string;
  signature: unknown;
  signer: unknown;
  nextKey: string | undefined;
}

const VERSION = 'tracehound-receipt-1';
const UNHASHED = ['receipt_hash', 'signature', 'signer_key_id'];
const HASH = /^[0-9a-f]{64}$/;

/** The receipts in a text: one a line, a list, or `{"receipts": […]}`. Each is a value or why it can't be read. */
export function listed(text: string): (Value | Refusal)[] {
  const whole = read(text);
  if (Array.isArray(whole)) return whole;
  if (whole instanceof Map) {
    const within = whole.get('receipts');
    return Array.isArray(within) ? within : [whole];
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return [];
  // A text that begins as one list is one, even if it is broken.
  return text.trimStart().startsWith('[') ? [whole] : lines.map(read);
}

function read(text: string): Value | Refusal {
  try {
    return parse(text);
  } catch (thrown) {
    if (thrown instanceof Refusal) return thrown;
    throw thrown;
  }
}

/** Verifies receipts, oldest first, or newest first if the whole list is. Linear in their length. */
export async function verify(items: readonly (Value | Refusal)[], keys: readonly TrustedKey[]): Promise<Report> {
  const checker = new Checker();
  for (const key of keys) await checker.trust(key);
  const found: Receipt[] = [];
  for (const [index, item] of items.entries()) {
    const receipt = await facts(item, index);
    if ('fault' in receipt) checker.problems.push(receipt);
    else found.push(receipt);
  }
  const isNewestFirst = found.length > 1 && found.every((one, at) => at === 0 || one.sequence < (found[at - 1]?.sequence ?? 0));
  if (isNewestFirst) found.reverse();
  for (const receipt of found) await checker.add(receipt);
  return checker.report(items.length);
}

async function facts(item: Value | Refusal, index: number): Promise<Receipt | Problem> {
  if (item instanceof Refusal) return { fault: item.fault, index, message: item.message };
  const malformed = (message: string): Problem => ({ fault: 'malformed', index, message });
  if (!(item instanceof Map)) return malformed('it is not an object');
  const text = (name: string) => {
    const value = item.get(name);
    return typeof value === 'string' ? value : undefined;
  };
  const version = text('canon_version');
  if (version === undefined) return malformed('it has no `canon_version`');
  if (version !== VERSION) return { fault: 'unknown_version', index, message: `the version \`${version.slice(0, 60)}\` is not known` };
  const [tenant, previous, stated, sequence] = [text('tenant_id'), text('prev_receipt_hash'), text('receipt_hash'), item.get('sequence')];
  if (tenant === undefined || !text('event_id')) return malformed('it has no `tenant_id` or `event_id`');
  if (previous === undefined || (previous !== '' && !HASH.test(previous))) return malformed('its `prev_receipt_hash` is not a hash');
  if (stated === undefined || !HASH.test(stated)) return malformed('its `receipt_hash` is not a hash');
  if (typeof sequence !== 'number' || sequence < 0) return malformed('its `sequence` is not a place');
  return {
    index,
    tenant,
    sequence,
    previous,
    stated,
    actual: await contentHash(item),
    signature: item.get('signature') ?? null,
    signer: item.get('signer_key_id') ?? null,
    nextKey: nextKey(item),
  };
}

/** The hash of what a receipt says. */
export async function contentHash(receipt: Members): Promise<string> {
  const body = new Map([...receipt].filter(([name]) => !UNHASHED.includes(name)));
  return hex(await sha256(new TextEncoder().encode(canonical(body))));
}

function nextKey(receipt: Members): string | undefined {
  const detail = receipt.get('kind') === 'key' ? receipt.get('detail') : undefined;
  const next = detail instanceof Map ? detail.get('next_public_key') : undefined;
  return typeof next === 'string' && HASH.test(next) ? next : undefined;
}

/** What goes from receipt to receipt. */
class Checker {
  readonly problems: Problem[] = [];
  readonly #keys = new Map<string, CryptoKey>();
  /** Keys that handed over, with the place of the last receipt that they may sign. */
  readonly #retired = new Map<string, number>();
  readonly #hashes = new Map<number, string>();
  readonly #missing = new Map<number, number>();
  #tenant: string | undefined;
  #first: number | undefined;
  #last: Receipt | undefined;

  async trust(key: TrustedKey): Promise<string> {
    const id = await keyId(key);
    this.#keys.set(id, await importKey(key));
    return id;
  }

  async add(receipt: Receipt): Promise<void> {
    if (receipt.actual !== receipt.stated) {
      this.#wrong(receipt, 'altered', `its contents have the hash ${receipt.actual}, but it states ${receipt.stated}`);
    }
    this.#tenant ??= receipt.tenant;
    const isOurs = this.#tenant === receipt.tenant;
    if (isOurs) this.#place(receipt);
    else this.#wrong(receipt, 'other_tenant', `it belongs to the tenant \`${receipt.tenant}\`, the others to \`${this.#tenant}\``);
    await this.#sign(receipt, isOurs);
  }

  report(receipts: number): Report {
    this.#gaps();
    this.problems.sort((a, b) => a.index - b.index);
    const isUnsigned = this.problems.length > 0 && this.problems.every((problem) => problem.fault === 'unsigned');
    const bad = isUnsigned ? 'unsigned' : 'failed';
    const status = this.problems.length > 0 ? bad : receipts === 0 ? 'empty' : 'verified';
    const range = this.#last === undefined || this.#first === undefined ? {} : { first: this.#first, last: this.#last.sequence };
    return { status, receipts, ...range, problems: this.problems };
  }

  #place(receipt: Receipt): void {
    const last = this.#last;
    if (last && receipt.sequence <= last.sequence) return this.#lookBack(receipt);
    if (!last) this.#begin(receipt);
    else if (receipt.sequence === last.sequence + 1) {
      if (receipt.previous !== last.stated) {
        this.#wrong(receipt, 'broken_link', `it names ${receipt.previous || 'none'} as the hash before it, which is ${last.stated}`);
      }
    } else {
      for (let at = last.sequence + 1; at < receipt.sequence && this.#missing.size < 4096; at++) this.#missing.set(at, receipt.index);
    }
    this.#last = receipt;
    this.#hashes.set(receipt.sequence, receipt.stated);
  }

  #begin(receipt: Receipt): void {
    this.#first = receipt.sequence;
    const isLinked = (receipt.sequence === 0) === (receipt.previous === '');
    if (!isLinked) this.#wrong(receipt, 'broken_link', 'only the first receipt of a chain names none before it');
  }

  #lookBack(receipt: Receipt): void {
    if (this.#missing.delete(receipt.sequence) || receipt.sequence < (this.#first ?? 0)) {
      this.#wrong(receipt, 'out_of_order', 'it comes after a later one');
    } else if (this.#hashes.get(receipt.sequence) === receipt.stated) {
      this.#wrong(receipt, 'repeated', 'it is in the list already');
    } else {
      this.#wrong(receipt, 'fork', 'another receipt has the same place');
    }
  }

  /** Missing places, told once for each receipt that comes after some. */
  #gaps(): void {
    const runs = new Map<number, number[]>();
    for (const [sequence, index] of this.#missing) runs.set(index, [...(runs.get(index) ?? []), sequence]);
    for (const [index, places] of runs) {
      const [first, last] = [places[0], places.at(-1)];
      const message = first === last ? `the receipt of sequence ${first} is missing` : `receipts of sequence ${first} to ${last} are missing`;
      this.problems.push({ fault: 'gap', index, message });
    }
  }

  async #sign(receipt: Receipt, isOurs: boolean): Promise<void> {
    const { signature, signer } = receipt;
    if (signature === null) return this.#wrong(receipt, 'unsigned', 'it is not signed');
    if (typeof signature !== 'string' || typeof signer !== 'string' || !/^[0-9a-f]{128}$/.test(signature)) {
      return this.#wrong(receipt, 'bad_signature', 'what it carries as its signature can’t be one');
    }
    const key = this.#keys.get(signer);
    if (!key) return this.#wrong(receipt, 'wrong_key', `it is signed by the key \`${signer.slice(0, 40)}\`, which is not trusted`);
    if (isOurs && receipt.sequence > (this.#retired.get(signer) ?? Number.MAX_SAFE_INTEGER)) {
      return this.#wrong(receipt, 'wrong_key', `the key \`${signer}\` had handed over to another before`);
    }
    if (!(await isSigned(key, receipt.stated, signature))) {
      return this.#wrong(receipt, 'bad_signature', `its signature is not that of the key \`${signer}\`, which it names`);
    }
    if (isOurs && receipt.nextKey && receipt.actual === receipt.stated) await this.#handOver(receipt, signer, receipt.nextKey);
  }

  async #handOver(receipt: Receipt, from: string, next: TrustedKey): Promise<void> {
    if ((await keyId(next)) === from) return;
    const to = await this.trust(next);
    this.#retired.delete(to);
    this.#retired.set(from, receipt.sequence);
  }

  #wrong(receipt: Receipt, fault: Fault, message: string): void {
    this.problems.push({ fault, index: receipt.index, message });
  }
}
