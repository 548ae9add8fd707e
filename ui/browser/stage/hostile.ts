// An estate and evidence of an attacker: whatever a scanned system or an agent decides about carries script, handlers,
// links that run code, pictures of other hosts, and characters that turn the reading order. What there is to fill is taken
// from the reference of the graph model, so that a new kind or property is hostile without being listed.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RAN } from './browser';
import { root } from './place';

/** What others write, as it must be shown: as text. */
export const VISIBLE = '<script>';
/** Characters that turn the reading order, which nobody must get to see unspelled. */
export const TURNING = /[\u202a-\u202e\u2066-\u2069]/;
const MEGABYTE = 1 << 20;

/** Hostile text that names the place it was put, in case it runs. */
export function hostile(place: string): string {
  const run = `${RAN}(&quot;${place}&quot;)`;
  const call = `${RAN}('${place}')`;
  return [
    `<script>${call}</script>`,
    `"><img src=x onerror="${run}">`,
    `'><svg/onload=${call}>`,
    `<a href="javascript:${call}">press</a>`,
    `<img src="http://attacker.invalid/${place}.png">`,
    `<iframe srcdoc="<script>parent.${call}</script>"></iframe>`,
    `{@html 1}{{constructor.constructor("${call}")()}}\${${call}}`,
    '\u202egnp.exe\u202c \u2066hidden\u2069 \u200b\u0000\u001b[31m',
    `</textarea></style></title><script>${call}</script>`,
  ].join(' ');
}

/** The same for what may not be long. */
export const shortly = (place: string) => `<script>${RAN}('${place}')</script>"><img src=x onerror=${RAN}('${place}')>\u202egnp.exe\u2066`;

/** The same where an address is expected. */
export const hostileLink = (place: string) => `javascript:${RAN}('${place}')//${hostile(place)}`;

interface Kind {
  name: string;
  properties: { name: string; type: string }[];
}

interface EdgeKind {
  name: string;
  from: string;
  to: string;
}

export interface Document {
  meta: Record<string, unknown>;
  graph: {
    nodes: { id: string; kinds: string[]; properties: Record<string, unknown> }[];
    edges: { source: string; target: string; kind: string; properties: Record<string, unknown> }[];
  };
}

/** A document in which everything is hostile. Two of them with different numbers differ in every text. */
export function hostileEstate(number: number): Document {
  const { kinds, edges } = model();
  const idOf = (kind: string, at: number) => `${kind}-${at}-${hostile('id')}`;
  const nodes = kinds.flatMap((kind) => [0, 1].map((at) => ({ id: idOf(kind.name, at), kinds: [kind.name], properties: filled(kind, at, number) })));
  const long = nodes.filter((_, at) => at % 10 === 0);
  for (const node of long) node.properties.long_note = `${hostile('long')}${'x'.repeat(MEGABYTE)}`;
  for (const kind of ['MCPTool', 'MCPResource', 'MCPServer']) {
    const properties = { ...nodes.find((node) => node.kinds[0] === kind)?.properties, name: hostile('name').padEnd(MEGABYTE, ' long') };
    nodes.push({ id: `${kind}-long`, kinds: [kind], properties });
  }
  const known = new Set(kinds.map((kind) => kind.name));
  return {
    meta: {
      version: 1,
      type: 'agenthound-ingest',
      collector: 'scan',
      collector_version: hostile('collector_version'),
      timestamp: `2026-11-0${number}T09:00:00Z`,
      scan_id: `scan-${number}-${hostile('scan_id')}`,
      extra: { origin: hostile('origin'), covers: { nodes: nodes.map((node) => node.id) } },
    },
    graph: {
      nodes,
      edges: edges
        .filter((edge) => known.has(edge.from) && known.has(edge.to))
        .flatMap((edge) =>
          [0, 1].map((at) => ({
            source: idOf(edge.from, at),
            target: idOf(edge.to, edge.from === edge.to ? 1 - at : at),
            kind: edge.name,
            properties: { evidence: hostile('evidence'), file: hostileLink('file'), line: 3, server_name: hostile('server_name'), origin: hostile('edge_origin'), section: hostile('section') },
          })),
        ),
    },
  };
}

function filled(kind: Kind, at: number, number: number): Record<string, unknown> {
  const text = (name: string) => `${at === 0 ? hostile(`${kind.name}.${name}`) : hostileLink(`${kind.name}.${name}`)} ${number}`;
  const value = ({ name, type }: { name: string; type: string }): unknown => {
    if (type === 'boolean') return at === 0;
    if (type === 'integer' || type === 'number') return at;
    if (type === 'list of text') return [text(name), text(name)];
    if (type === 'JSON as text') return JSON.stringify({ [text(name)]: text(name) });
    return text(name);
  };
  const properties = Object.fromEntries(kind.properties.map((property) => [property.name, value(property)]));
  // So that there are paths, findings and secrets to look at.
  const told: Record<string, unknown> = { sensitivity: 'critical', auth_method: 'none', capability_surface: ['file_read', 'network_outbound'] };
  for (const [name, given] of Object.entries(told)) if (name in properties) properties[name] = given;
  properties[hostile('key').replaceAll(/[^a-z]+/gi, '_').slice(0, 60)] = text('unknown');
  return properties;
}

/** The kinds that a document may have, from the tables of the reference. */
function model(): { kinds: Kind[]; edges: EdgeKind[] } {
  const text = readFileSync(join(root, 'docs/graph-model.md'), 'utf8');
  const rows = (heading: string) => {
    const after = text.split(`\n${heading}\n`)[1]?.split('\n## ')[0]?.split('\n### ')[0] ?? '';
    return after.split('\n').filter((line) => line.startsWith('| `')).map((line) => line.slice(2, -2).split(' | '));
  };
  const ticked = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map((found) => found[1] ?? '');
  const observed = rows('## Node kinds').filter((row) => row[1]?.startsWith('observed')).map((row) => ticked(row[0])[0] ?? '');
  const properties = new Map(rows('### Properties of nodes').map((row) => [ticked(row[0])[0] ?? '', row[1] ?? '']));
  const kinds = observed.map((name) => ({
    name,
    properties: [...(properties.get(name) ?? '').matchAll(/`([^`]+)` \(([^)]+)\)/g)].map((found) => ({ name: found[1] ?? '', type: found[2] ?? '' })),
  }));
  const edges = rows('## Edge kinds')
    .filter((row) => row[1] === 'observed')
    .flatMap((row) => {
      const [from = '', to = ''] = (row[2] ?? '').split(' → ');
      return ticked(from).flatMap((one) => ticked(to).map((other) => ({ name: ticked(row[0])[0] ?? '', from: one, to: other })));
    });
  if (kinds.length < 20 || edges.length < 15) throw new Error('the reference of the graph model could not be read');
  return { kinds, edges };
}
