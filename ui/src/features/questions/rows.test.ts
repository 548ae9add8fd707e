import { describe, expect, test } from 'vitest';
import type { Question, QuestionColumn } from './api';
import { asQuery, cellText, given, grouped, missing, shownColumns } from './rows';

const question = {
  question: 'who-can-reach',
  name: 'Who Reaches a Node',
  asks: 'Which agents get to this?',
  category: 'Reach',
  severity: 'high',
  standards: [{ id: 'MCP02', name: 'Privilege Escalation' }],
  parameters: [
    { name: 'node', help: '', required: true, default: null, example: 'x' },
    { name: 'hops', help: '', required: false, default: '64', example: '4' },
  ],
  columns: [],
} as unknown as Question;
const column = (name: string, kind: string) => ({ name, kind }) as QuestionColumn;
const names = (columns: QuestionColumn[]) => shownColumns(columns).map(({ name, node }) => (node ? `${name} → ${node}` : name));

test('parameters come from the address and go back there', () => {
  expect(given(question, new URLSearchParams('p.node=critical&p.hops=+&at=x&p.other=1'))).toEqual({ node: 'critical' });
  expect(asQuery({ node: ' critical ', hops: '' })).toEqual({ 'p.node': 'critical', 'p.hops': null });
});
test('what has to be given is missed', () => {
  expect(missing(question, {})).toEqual(['node']);
  expect(missing(question, { node: 'x' })).toEqual([]);
});

describe('columns', () => {
  test('a name links to its node, and the id is left out', () =>
    expect(names([column('server_name', 'text'), column('tool_count', 'number'), column('server_id', 'node')])).toEqual(['server_name → server_id', 'tool_count']));
  test('a name without a word before it, too', () => expect(names([column('name', 'text'), column('id', 'node')])).toEqual(['name → id']));
  test('and one that is called after its thing', () => expect(names([column('caller', 'text'), column('caller_id', 'node')])).toEqual(['caller → caller_id']));
  test('an id that nothing names is shown', () => expect(names([column('hops', 'number'), column('tool_id', 'node')])).toEqual(['hops', 'tool_id']));
});

test('cells are text', () => {
  expect([null, true, 3, 0.456, ['a', 'b'], { a: 'x', b: 2 }].map(cellText)).toEqual(['', 'yes', '3', '0.46', 'a, b', 'x · 2']);
});
test('questions are found by all their words', () => {
  expect(grouped([question], 'agents mcp02')).toEqual([['Reach', [question]]]);
  expect(grouped([question], 'agents nonsense')).toEqual([]);
});
