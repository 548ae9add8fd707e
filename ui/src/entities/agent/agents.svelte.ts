// What agents are called. Records name them by id; people by name.

import { get, type Schema } from '$shared/api/client';

type Agent = Schema<'Agent'>;

/** More are looked up one by one as nobody reads a longer list. */
const MOST_PAGES = 10;

class Agents {
  all = $state.raw<Agent[]>([]);
  /** They are there, or it is known that they can't be. */
  isReady = $state(false);
  byId = $derived(new Map(this.all.map((agent) => [agent.id, agent])));
  #asked = 0;

  /** Loads the agents, unless that was just done. */
  want = async (): Promise<void> => {
    if (Date.now() - this.#asked < 15_000) return;
    this.#asked = Date.now();
    try {
      const found: Agent[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < MOST_PAGES; page++) {
        const part = await get('/v1/agents', { query: { limit: 200, ...(cursor ? { cursor } : {}) } });
        found.push(...part.items);
        if (!part.next_cursor) break;
        cursor = part.next_cursor;
      }
      this.all = found;
    } catch {
      // Ids are shown instead; whoever needs the agents themselves loads them and says what is wrong.
      this.#asked = 0;
    }
    this.isReady = true;
  };

  /** Somebody was registered or renamed: the next one who wants the agents gets them anew. */
  forget = (): void => {
    this.#asked = 0;
  };

  nameOf(id: string): string {
    const agent = this.byId.get(id);
    // An id is longer than most names; all of it is shown only if nothing better comes.
    return agent?.name || agent?.agent_key || (this.isReady ? id : `${id.slice(0, 8)}…`);
  }

  /** A sentence in which ids of known agents are replaced by their names. */
  named(text: string): string {
    return text.replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => this.byId.get(id)?.name ?? id);
  }
}

export const agents = new Agents();
