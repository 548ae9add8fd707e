// The explorer's pictures as files.

import { get } from '$shared/api/client';
import type { Palette } from '$shared/graph/colours';
import { json, save, svg } from '$shared/graph/export';
import type { GraphEdge, GraphNode } from '$shared/graph/types';
import { say } from '$shared/state/toasts.svelte';
import { LOOKS } from './draw';

/** Properties are asked for one thing at a time, so for no more than these. */
const MOST = 300;
const AT_ONCE = 6;

export type Form = 'png' | 'svg' | 'json';

/** The properties of things, by their ids; none when there are too many to ask for, which is said. */
export async function properties(nodes: readonly { id: string }[], at: string | undefined): Promise<Map<string, Record<string, unknown>>> {
  const found = new Map<string, Record<string, unknown>>();
  if (nodes.length > MOST) {
    say(`The file holds no properties: they are written for ${MOST} things at most. Filter first to have them.`);
    return found;
  }
  const open = nodes.map((node) => node.id);
  const ask = async () => {
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      // What is drawn as gone has no properties any more.
      const told = await get('/v1/estate/nodes/{id}', { path: { id }, query: { at } }).catch(() => undefined);
      if (told) found.set(id, { severity: told.findings[0]?.severity ?? null, risk_score: told.score?.value ?? null, properties: told.properties });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  return found;
}

/** Saves paths that are shown in columns: the same picture that would be drawn. */
export async function savePaths(form: Form, picture: { nodes: GraphNode[]; edges: GraphEdge[] }, palette: Palette, at: string | undefined): Promise<void> {
  if (form === 'png') {
    say('Columns have no picture: draw the paths to save one, or save them as SVG or JSON.');
    return;
  }
  const { layered } = await import('$shared/graph/layered');
  const whole = { ...picture, places: layered(picture.nodes, picture.edges) };
  if (form === 'svg') save('paths.svg', new Blob([svg(whole, LOOKS, palette)], { type: 'image/svg+xml' }));
  else save('paths.json', new Blob([json({ ...whole, more: await properties(picture.nodes, at) })], { type: 'application/json' }));
}
