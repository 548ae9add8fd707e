// The time of day for relative times; one timer for all of them.

class Clock {
  now = $state.raw(new Date());
}

export const clock = new Clock();

/** Lets the clock go on. Returns what stops it. */
export function wind(): () => void {
  const timer = setInterval(() => (clock.now = new Date()), 15_000);
  return () => clearInterval(timer);
}
