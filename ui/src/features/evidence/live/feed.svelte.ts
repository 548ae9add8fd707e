// What was heard, newest first. The list is bounded, and says what it let go.

export interface Heard {
  /** Counts up; unique within the feed. */
  number: number;
  event: LiveEvent;
}

export interface LiveEvent {
  event_id?: string;
  occurred_at?: string;
  kind: string;
  agent_id?: string | null;
  decision?: string | null;
  tool?: string | null;
  action?: string | null;
  resource?: string | null;
  run_id?: string | null;
  reason?: string;
  risk_score?: number;
  severity?: string | null;
  evidence?: Record<string, unknown> | null;
}

export interface Wanted {
  kind?: string;
  verdict?: string;
  agent?: string;
  text?: string;
}

export class Feed {
  list = $state.raw<Heard[]>([]);
  isPaused = $state(false);
  /** How many came in while the list stood still. */
  waiting = $state(0);
  /** How many the list had no room for. */
  letGo = $state(0);
  /** How many the server left out because we were too slow. */
  missed = $state(0);
  #held: Heard[] = [];
  #next = 1;

  constructor(readonly most = 500) {}

  hear = (given: unknown): void => {
    const event = given as LiveEvent & { type?: unknown; count?: unknown };
    if (event.type === 'events_dropped') {
      this.missed += typeof event.count === 'number' ? event.count : 1;
      return;
    }
    if (typeof event.kind !== 'string') return;
    const heard = { number: this.#next++, event };
    if (this.isPaused) {
      this.#held = this.#bounded([heard, ...this.#held]);
      this.waiting++;
    } else this.list = this.#bounded([heard, ...this.list]);
  };

  pause = (): void => {
    this.isPaused = true;
  };

  go = (): void => {
    this.isPaused = false;
    this.waiting = 0;
    this.list = this.#bounded([...this.#held, ...this.list]);
    this.#held = [];
  };

  clear = (): void => {
    this.list = [];
    this.#held = [];
    this.waiting = 0;
    this.letGo = 0;
    this.missed = 0;
  };

  #bounded(all: Heard[]): Heard[] {
    if (all.length <= this.most) return all;
    this.letGo += all.length - this.most;
    return all.slice(0, this.most);
  }
}

/** Whether an event is wanted. */
export function fits(event: LiveEvent, wanted: Wanted): boolean {
  if (wanted.kind && event.kind !== wanted.kind) return false;
  if (wanted.verdict && event.decision !== wanted.verdict) return false;
  if (wanted.agent && event.agent_id !== wanted.agent) return false;
  if (!wanted.text) return true;
  const said = [event.tool, event.action, event.resource, event.run_id, event.reason, event.kind].join(' ').toLowerCase();
  return wanted.text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => said.includes(word));
}
