// Questions and their answers as a page shows them.

import type { Question, QuestionColumn, Row } from './api';

/** Parameters stand in the address with this before their names, so that none is taken for something else. */
const BEFORE = 'p.';

/** The values of a question's parameters that the address has. */
export function given(question: Pick<Question, 'parameters'>, query: URLSearchParams): Record<string, string> {
  const values = question.parameters.map(({ name }) => [name, (query.get(BEFORE + name) ?? '').trim()] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== ''));
}

/** The same for the address; what is empty is taken out. */
export function asQuery(values: Readonly<Record<string, string>>): Record<string, string | null> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [BEFORE + name, value.trim() || null]));
}

/** Parameters without which the question can't be asked. */
export function missing(question: Pick<Question, 'parameters'>, values: Readonly<Record<string, string>>): string[] {
  return question.parameters.filter(({ name, required, default: usual }) => required && usual === null && !values[name]).map(({ name }) => name);
}

/** A column to show: those with ids become links of the names that belong to them. */
export interface ShownColumn extends QuestionColumn {
  /** The column with the id of the node that this one names. */
  node?: string;
}

/** The columns without ids that a name stands for: `server_name` is shown for `server_id`, `name` for `id`. */
export function shownColumns(columns: readonly QuestionColumn[]): ShownColumn[] {
  const ids = new Set(columns.filter((column) => column.kind === 'node').map((column) => column.name));
  const idOf = ({ name }: QuestionColumn) => [`${name}_id`, name.replace(/_?(name|uri|path)$/, (_, word: string) => (name === word ? 'id' : '_id'))].find((id) => id !== name && ids.has(id));
  const named = new Set<string>();
  const shown = columns.map((column): ShownColumn => {
    const node = column.kind === 'text' ? idOf(column) : undefined;
    if (!node || named.has(node)) return column;
    named.add(node);
    return { ...column, node };
  });
  return shown.filter((column) => column.kind !== 'node' || !named.has(column.name));
}

/** A cell as text; nothing is an empty one. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return value.toLocaleString('en', { maximumFractionDigits: 2 });
  if (Array.isArray(value)) return value.map(cellText).join(', ');
  return typeof value === 'object' ? Object.values(value).map(cellText).join(' · ') : String(value);
}

/** What a cell is sorted by. */
export function sortKey(row: Row, column: string): string | number {
  const value = row[column];
  return typeof value === 'number' ? value : cellText(value).toLowerCase();
}

/** Questions that have all words somewhere, by category in their order. */
export function grouped(questions: readonly Question[], typed: string): [string, Question[]][] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string, Question[]>();
  for (const question of questions) {
    const text = [question.question, question.name, question.asks, question.category, ...question.standards.map((one) => one.id)].join(' ').toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
    groups.set(question.category, [...(groups.get(question.category) ?? []), question]);
  }
  return [...groups];
}
