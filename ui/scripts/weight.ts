// Holds the promise that the console is quick to open: the build fails when a page needs too much script to begin with.

import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

/** What is looked at of a file that the build writes. */
export type Chunk = Pick<Rolldown.OutputChunk, 'fileName' | 'code' | 'imports' | 'dynamicImports' | 'moduleIds' | 'isEntry'>;

/** The most script that opening any page loads, gzipped. */
export const MOST = 250 * 1024;

/** How much script each page needs to begin with: the shell, the page, and whatever they import at once. */
export function weights(chunks: readonly Chunk[]): { page: string; weight: number }[] {
  const entries = chunks.filter((chunk) => chunk.isEntry);
  const pages = new Set(entries.flatMap((chunk) => chunk.dynamicImports));
  const weigh = (page: string) => {
    const needed = closure(chunks, [...entries.map((chunk) => chunk.fileName), page]);
    return needed.reduce((sum, chunk) => sum + gzipSync(chunk.code).length, 0);
  };
  return [...pages].map((page) => ({ page, weight: weigh(page) })).sort((a, b) => b.weight - a.weight);
}

/** What the shell loads before anybody asks for a graph, but must not. */
export function early(chunks: readonly Chunk[]): string[] {
  const shell = closure(
    chunks,
    chunks.filter((chunk) => chunk.isEntry).map((chunk) => chunk.fileName),
  );
  return shell.flatMap((chunk) => chunk.moduleIds).filter((id) => /node_modules\/(?:sigma|graphology|@dagrejs)/.test(id));
}

/** These files and all that they import at once. */
function closure(chunks: readonly Chunk[], names: readonly string[]): Chunk[] {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const found = new Set<Chunk>();
  const walk = (name: string) => {
    const chunk = byName.get(name);
    if (!chunk || found.has(chunk)) return;
    found.add(chunk);
    chunk.imports.forEach(walk);
  };
  names.forEach(walk);
  return [...found];
}

/** Why the build must fail, if it must. */
export function fault(chunks: readonly Chunk[]): string | undefined {
  const [heaviest] = weights(chunks);
  if (heaviest && heaviest.weight > MOST) return `${told(heaviest)}; at most ${MOST / 1024} kB are allowed`;
  const [graph] = early(chunks);
  return graph && `the shell loads code for graphs: ${graph}`;
}

const told = ({ page, weight }: { page: string; weight: number }) => `${page} needs ${(weight / 1024).toFixed(1)} kB of script gzipped`;

/** The part of the build that weighs. */
export function weighed(): Plugin {
  return {
    name: 'weighed',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((one) => one.type === 'chunk');
      const wrong = fault(chunks);
      if (wrong) this.error(wrong);
      const [heaviest] = weights(chunks);
      if (heaviest) this.info(`the heaviest page to open: ${told(heaviest)}`);
    },
  };
}
