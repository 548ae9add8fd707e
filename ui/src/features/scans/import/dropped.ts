// What was let go over the page.

import type { Given } from './queue.svelte';

/** The files of a drop. A folder is no file: it is named and refused rather than left out. */
export function dropped(transfer: DataTransfer): Given[] {
  const entries = [...transfer.items].filter((item) => item.kind === 'file');
  return entries.flatMap((item): Given[] => {
    const entry = item.webkitGetAsEntry();
    if (entry?.isDirectory) return [{ name: entry.name, fault: 'it is a folder; open it and drop the documents in it' }];
    const file = item.getAsFile();
    return file ? [{ file }] : [];
  });
}

/** Files are being dragged, not text or a link. */
export const hasFiles = (transfer: DataTransfer | null): boolean => transfer?.types.includes('Files') ?? false;
