// Checks a policy as it is typed: after a pause, and what was said about an older text is thrown away.

import { post } from '$shared/api/client';
import { asProblem, type ApiProblem } from '$shared/api/problem';
import { type PolicyProblem, refusals } from './marks';

const PAUSE = 250;

export class Validation {
  /** The text that the rest is about; undefined before the first answer. */
  checked = $state<string>();
  problems = $state.raw<PolicyProblem[]>([]);
  warnings = $state.raw<PolicyProblem[]>([]);
  /** Something else than the text was wrong. */
  failure = $state.raw<ApiProblem>();

  /** Whether this text can be put in force, as far as is known. */
  isValid(text: string): boolean {
    return this.checked === text && this.problems.length === 0 && this.failure === undefined;
  }

  /** Checks a text. Returns what abandons the check, so that `$effect(() => validation.check(…))` follows the text. */
  check(text: string, key: string): () => void {
    const running = new AbortController();
    const timer = setTimeout(() => void this.#ask(text, key, running.signal), this.checked === undefined ? 0 : PAUSE);
    return () => {
      clearTimeout(timer);
      running.abort();
    };
  }

  async #ask(body: string, key: string, signal: AbortSignal): Promise<void> {
    try {
      const answer = await post('/v1/policies/validate', { body: { body, policy_key: key || null }, signal });
      if (signal.aborted) return;
      [this.problems, this.warnings, this.failure] = [[], answer.warnings, undefined];
    } catch (thrown) {
      if (signal.aborted) return;
      const problem = asProblem(thrown);
      const said = refusals(problem);
      [this.problems, this.warnings, this.failure] = [said ?? [], [], said ? undefined : problem];
    }
    this.checked = body;
  }
}
