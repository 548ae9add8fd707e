// Severities: their order, and how each is told apart without its colour.

export type Severity = 'critical' | 'high' | 'medium' | 'low' | 'info';

export const SEVERITIES: readonly Severity[] = ['critical', 'high', 'medium', 'low', 'info'];

/** The severity that a word of the API means; undefined when it is none. */
export function severityOf(word: string | null | undefined): Severity | undefined {
  return SEVERITIES.find((one) => one === word?.toLowerCase());
}

/** Higher is worse; unknown ones come last. */
export function rank(word: string | null | undefined): number {
  const severity = severityOf(word);
  return severity ? SEVERITIES.length - SEVERITIES.indexOf(severity) : 0;
}
