import { expect, test } from 'vitest';
import { asked } from './filter';

const now = new Date('2026-01-02T12:00:00Z');
const of = (search: string) => asked((name) => new URLSearchParams(search).get(name) ?? '', now);

test('nothing chosen asks for everything', () => expect(of('')).toEqual({}));
test('what is chosen is asked for', () =>
  expect(of('decision=deny&agent=a&run=r&server=files&span=1h')).toEqual({ decision: 'deny', agent_id: 'a', run_id: 'r', mcp_server: 'files', from: '2026-01-02T11:00:00.000Z' }));
test('words that nobody knows are left out', () => expect(of('decision=maybe&span=never')).toEqual({}));
