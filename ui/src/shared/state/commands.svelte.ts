// What the command palette offers: pages add their commands while they are shown.

import { untrack } from 'svelte';
import type { IconName } from '../icons/paths';

export interface Command {
  /** Unique among all commands. */
  id: string;
  /** What it does, as a person would say it. */
  title: string;
  group: string;
  icon?: IconName;
  /** The keys that do the same, to be learnt in passing. */
  keys?: string;
  run: () => void;
}

class Commands {
  lists = $state.raw<Command[][]>([]);
  all = $derived(this.lists.flat());
}

export const commands = new Commands();

/** Offers commands. Returns what takes them back, so that `$effect(() => offer([...]))` is enough in a page. */
export function offer(list: Command[]): () => void {
  // Whoever offers must not run again because somebody else does.
  untrack(() => (commands.lists = [...commands.lists, list]));
  return () => {
    untrack(() => (commands.lists = commands.lists.filter((other) => other !== list)));
  };
}

/** The commands that fit what was typed, best first: all words must occur, the start of a word counts more. */
export function fitting(list: readonly Command[], typed: string): Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const scored = list.map((command) => ({ command, score: fit(`${command.title} ${command.group}`.toLowerCase(), words) }));
  return scored
    .filter(({ score }) => score >= 0)
    .sort((a, b) => b.score - a.score)
    .map(({ command }) => command);
}

function fit(text: string, words: readonly string[]): number {
  let score = 0;
  for (const word of words) {
    const at = text.indexOf(word);
    if (at < 0) return -1;
    score += at === 0 ? 3 : text[at - 1] === ' ' ? 2 : 1;
  }
  return score;
}
