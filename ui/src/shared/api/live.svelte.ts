// What happens, as it happens: the server's websocket, opened again when it breaks.

/** The wait before attempt number `attempt`: doubling from half a second, at most 30 s, spread so that not all come at once. */
export function backOff(attempt: number, chance: number): number {
  return Math.min(30_000, 500 * 2 ** Math.min(attempt, 10)) * (0.5 + chance / 2);
}

export type LiveState = 'connecting' | 'open' | 'waiting' | 'closed';

/** A connection to the live events. */
export class Live {
  state = $state<LiveState>('closed');
  #socket: WebSocket | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #attempt = 0;
  readonly #heard: (event: unknown) => void;

  constructor(heard: (event: unknown) => void) {
    this.#heard = heard;
  }

  open = (): void => {
    this.close();
    this.state = 'connecting';
    const scheme = window.location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${window.location.host}/v1/ws/events`);
    this.#socket = socket;
    socket.onopen = () => {
      this.state = 'open';
      this.#attempt = 0;
    };
    socket.onmessage = (message) => {
      const event = parsed(message.data);
      if (event !== undefined) this.#heard(event);
    };
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      this.state = 'waiting';
      this.#timer = setTimeout(this.open, backOff(this.#attempt++, Math.random()));
    };
  };

  close = (): void => {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
    this.state = 'closed';
  };
}

/** Live events in a component: `const live = listen((event) => …)`. */
export function listen(heard: (event: unknown) => void): Live {
  const live = new Live(heard);
  $effect(() => {
    live.open();
    return live.close;
  });
  return live;
}

function parsed(data: unknown): unknown {
  try {
    return typeof data === 'string' ? JSON.parse(data) : undefined;
  } catch {
    return undefined;
  }
}
