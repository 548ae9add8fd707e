// An evidence graph that is loaded part by part.

import { asProblem, type ApiProblem } from '$shared/api/problem';
import { load, type Loaded } from '$shared/api/load.svelte';
import { type Evidence, joined } from './model';

type Ask = (cursor: string | undefined, signal?: AbortSignal) => Promise<Evidence>;

export class EvidenceParts {
  #extra = $state.raw<{ after: Evidence; parts: Evidence[] }>();
  problem = $state.raw<ApiProblem>();
  isBusy = $state(false);

  constructor(
    readonly first: Loaded<Evidence>,
    readonly ask: Ask,
  ) {}

  /** Everything that was loaded. Further parts belong to the first that they came after. */
  get graph(): Evidence | undefined {
    const first = this.first.data;
    if (!first) return undefined;
    return this.#extra?.after === first ? this.#extra.parts.reduce(joined, first) : first;
  }

  more = async (): Promise<void> => {
    const [first, cursor] = [this.first.data, this.graph?.next_cursor];
    if (!first || !cursor || this.isBusy) return;
    this.isBusy = true;
    try {
      const part = await this.ask(cursor);
      const before = this.#extra?.after === first ? this.#extra.parts : [];
      this.#extra = { after: first, parts: [...before, part] };
      this.problem = undefined;
    } catch (thrown) {
      this.problem = asProblem(thrown);
    } finally {
      this.isBusy = false;
    }
  };
}

/** Loads in a component and follows what the question reads. */
export function loadEvidence(ask: Ask): EvidenceParts {
  return new EvidenceParts(
    load((signal) => ask(undefined, signal)),
    ask,
  );
}
