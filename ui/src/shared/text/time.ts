// Times as people say them.

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** What the API sent as a time; undefined when it is none. */
export function parse(time: string | number | null | undefined): Date | undefined {
  if (time === null || time === undefined || time === '') return undefined;
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** `just now`, `5 minutes ago`, `in 2 hours`. */
export function relative(date: Date, from: Date): string {
  const seconds = (date.getTime() - from.getTime()) / 1000;
  if (Math.abs(seconds) < 45) return seconds > 5 ? 'in a moment' : 'just now';
  for (const [unit, length] of STEPS) {
    // Half a minute already counts as one, so that nothing falls through.
    if (Math.abs(seconds) >= length * 0.75) return words.format(Math.round(seconds / length), unit);
  }
  return 'just now';
}

/** The whole time, to read in full and to compare. */
export function exact(date: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const offset = -date.getTimezoneOffset();
  const zone = `${offset < 0 ? '-' : '+'}${two(Math.trunc(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())} UTC${zone}`;
}

/** A length of time: `450 ms`, `2.5 s`, `3 min`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  if (milliseconds < 3_600_000) return `${Math.round(milliseconds / 60_000)} min`;
  return `${(milliseconds / 3_600_000).toFixed(1)} h`;
}
