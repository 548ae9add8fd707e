// What the server says when something is not done, and what we say when it can't be asked.

import { asText } from '../text/safe';
import type { components } from './schema';

export type ProblemDocument = components['schemas']['ProblemDocument'];

/** A request that was not done. `message` is fit to show. */
export class ApiProblem extends Error {
  override name = 'ApiProblem';

  constructor(
    /** The HTTP status; 0 when there was no answer. */
    readonly status: number,
    /** A code that does not change. */
    readonly code: string,
    detail: string,
    /** Single things that are wrong, such as places in a document. */
    readonly problems: readonly unknown[] = [],
    /** How many there are; the server may list only the first of them. */
    readonly total = problems.length,
  ) {
    super(detail);
  }
}

/** One thing that is wrong, and where. */
export interface Single {
  /** '' when it has no place. */
  path: string;
  message: string;
}

/** The single things that are wrong. One of an unknown shape is told whole rather than left out. */
export function singles(problem: ApiProblem): Single[] {
  return problem.problems.map((one) => {
    const { path, message, ...more } = (typeof one === 'object' && one !== null ? one : {}) as Partial<Single> & { suggestion?: unknown };
    if (typeof more.suggestion === 'string') return { path: '', message: `Did you mean ${more.suggestion}?` };
    const isKnown = typeof message === 'string' && (path === undefined || typeof path === 'string') && Object.keys(more).length === 0;
    return isKnown ? { path: path ?? '', message } : { path: '', message: asText(one) };
  });
}

/** The problem that an answer is. */
export async function problemOf(response: Response): Promise<ApiProblem> {
  return problemIn(response.status, await response.text().catch(() => ''));
}

/** The problem that an answer with this text is. */
export function problemIn(status: number, text: string): ApiProblem {
  try {
    const said = JSON.parse(text) as Partial<ProblemDocument> & { problems_total?: number };
    const detail = said.detail || said.title || `the server answered ${status}`;
    return new ApiProblem(status, said.code ?? 'unknown', detail, said.problems ?? [], said.problems_total);
  } catch {
    return new ApiProblem(status, 'unknown', `the server answered ${status}`);
  }
}

/** The problem that something thrown is. */
export function asProblem(thrown: unknown): ApiProblem {
  if (thrown instanceof ApiProblem) return thrown;
  if (thrown instanceof TypeError) return new ApiProblem(0, 'unreachable', 'the server could not be reached');
  return new ApiProblem(0, 'unknown', thrown instanceof Error ? thrown.message : String(thrown));
}

/** What a person can do about it. */
export function wayOn(problem: ApiProblem): string {
  if (problem.status === 0) return 'Check that `tracehound serve` still runs, then try again.';
  if (problem.status === 401) return 'The session is over. Log in again with your token, or with the link that `tracehound serve` prints when it starts.';
  if (problem.status === 403) return 'Ask somebody with the role for it, or log in as somebody else.';
  if (problem.status === 404) return 'It may have been deleted, or belong to another tenant.';
  if (problem.status === 409) return 'Somebody else changed it meanwhile. Load it again and look.';
  if (problem.status === 413) return 'Send a smaller document, or several.';
  if (problem.status === 422) return 'Mend what is named and try again.';
  if (problem.status === 429) return 'Wait a moment, then try again.';
  if (problem.status >= 500) return 'Try again. If it stays, the server’s log says more.';
  return 'Change what was entered and try again.';
}
