import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { outcomes } from './checks';
import { canonical, parse } from './strict';
import { type Fault, listed, verify } from './verify';

const vectors = new URL('../../../../../crates/evidence/vectors/receipts/', import.meta.url);
const file = (name: string) => readFileSync(new URL(name, vectors), 'utf8');
const keyOf = (name: string) => /[0-9a-f]{64}/.exec(file(name))?.[0] ?? '';

interface Case {
  file: string;
  key: string;
  what: string;
  status: string;
  checkpoint: string | null;
  problems: { fault: Fault; index: number | null }[];
}
// What only a checkpoint shows is not looked at here.
const OF_CHECKPOINTS = ['truncated', 'rewritten'];
const cases = (JSON.parse(file('expected.json')) as Case[]).filter((one) => !one.problems.some(({ fault }) => OF_CHECKPOINTS.includes(fault)));

describe('receipts are judged as the command line judges them', () => {
  it.each(cases)('$file: $what', async (one) => {
    const report = await verify(listed(file(one.file)), [keyOf(one.key)]);
    const order = (problems: { fault: string; index: number | null }[]) => problems.map(({ fault, index }) => `${index} ${fault}`).sort();
    expect(order(report.problems)).toEqual(order(one.problems));
    expect(report.status).toBe(one.status);
  });
});

describe('one receipt', () => {
  const line = file('good.jsonl').split('\n')[2] ?? '';
  const failed = async (text: string, keys = [keyOf('key.pub')]) =>
    outcomes(await verify(listed(text), keys)).flatMap((check) => (check.state === 'failed' ? [check.id] : []));

  it('passes every check as it was exported', async () => {
    expect(await failed(line)).toEqual([]);
  });
  it('passes whatever the order of its members and its white space', async () => {
    const members = Object.entries(JSON.parse(line) as object).reverse();
    expect(await failed(JSON.stringify(Object.fromEntries(members), null, 2))).toEqual([]);
  });
  it('fails the check of contents when a value was changed', async () => {
    expect(await failed(line.replace('"risk_score":', '"risk_score":1'))).toEqual(['contents']);
  });
  it('fails the check of the signature when that was changed', async () => {
    expect(await failed(line.replace(/"signature":"../, '"signature":"00'))).toEqual(['signature']);
  });
  it('fails the check of the key when that is not trusted', async () => {
    expect(await failed(line, [keyOf('next_key.pub')])).toEqual(['key']);
  });
  it('is not even read when it is cut', async () => {
    const report = await verify(listed(line.slice(0, -9)), [keyOf('key.pub')]);
    expect(outcomes(report).map((check) => check.state)).toEqual(['failed', 'unknown', 'unknown', 'unknown', 'unknown']);
  });
});

describe('the canonical form', () => {
  it.each([
    ['{"b":1,"a":[true,null]}', '{"a":[true,null],"b":1}'],
    ['"\\u000f\\u000a\\u0041\\"\\\\\\/\\u20ac"', '"\\u000f\\nA\\"\\\\/€"'],
    ['{"\\u20ac":1,"\\r":2,"\\ufb33":3,"1":4,"\\ud83d\\ude00":5,"\\u0080":6,"\\u00f6":7}', '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}'],
  ])('of %s', (text, form) => {
    expect(canonical(parse(text))).toBe(form);
  });
  it.each(['1.0', '1e3', '-0', '9007199254740992', '01', '{"a":1,"a":2}', '"\\ud800"', '[1,]', '1 2', '', '"\u0001"', 'nul'])('refuses %s', (text) => {
    expect(() => parse(text)).toThrow();
  });
});
