// Where a policy is wrong, as places in its text.

import type { ApiProblem } from '$shared/api/problem';
import type { Schema } from '$shared/api/client';

export type PolicyProblem = Schema<'PolicyProblem'>;

export interface Mark {
  sort: 'wrong' | 'doubtful';
  message: string;
  help: string;
  /** Counted from one. */
  line: number;
  column: number;
  /** Within the line, in UTF-16 units. */
  start: number;
  end: number;
}

/** The marks of a text, by line. A place beyond its end is at its end. */
export function marks(text: string, problems: readonly PolicyProblem[], warnings: readonly PolicyProblem[]): Map<number, Mark[]> {
  const lines = text.split('\n');
  const found = new Map<number, Mark[]>();
  const add = (problem: PolicyProblem, sort: Mark['sort']) => {
    const line = Math.min(Math.max(1, problem.line), lines.length);
    const [start, end] = stretch(lines[line - 1] ?? '', problem.column);
    const mark = { sort, message: problem.message, help: problem.help ?? '', line: problem.line, column: problem.column, start, end };
    found.set(line, [...(found.get(line) ?? []), mark]);
  };
  for (const problem of problems) add(problem, 'wrong');
  for (const warning of warnings) add(warning, 'doubtful');
  return found;
}

/** The word at a column that counts characters; what ends before it marks the last character. */
function stretch(line: string, column: number): [number, number] {
  const start = [...line].slice(0, Math.max(0, column - 1)).join('').length;
  if (start >= line.length) return [Math.max(0, line.trimEnd().length - 1), line.length];
  const word = /^(?:@?[\p{L}\p{N}_]+|"(?:\\.|[^"\\])*"|\s+|[^])/u.exec(line.slice(start))?.[0] ?? '';
  return [start, start + word.length];
}

/** What is wrong with the policy, if the server said so; undefined when something else went wrong. */
export function refusals(problem: ApiProblem): PolicyProblem[] | undefined {
  const all = problem.problems.filter(isRefusal);
  return problem.status === 422 && all.length > 0 ? all : undefined;
}

function isRefusal(given: unknown): given is PolicyProblem {
  const { message, line, column } = (given ?? {}) as Record<string, unknown>;
  return typeof message === 'string' && typeof line === 'number' && typeof column === 'number';
}
