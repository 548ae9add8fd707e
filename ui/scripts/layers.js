// The lint rule that holds the layers: app → features → entities → shared, and no feature uses another.

import path from 'node:path';

const ORDER = ['app', 'features', 'entities', 'shared'];
const SOURCE = path.resolve(import.meta.dirname, '../src');

/** The layer and, in features and entities, the folder that a file or import belongs to. */
function place(file) {
  const [layer, folder] = path.relative(SOURCE, file).split(path.sep);
  return ORDER.includes(layer) ? { layer, folder } : undefined;
}

function target(specifier, from) {
  if (specifier.startsWith('$')) return place(path.join(SOURCE, specifier.slice(1)));
  if (specifier.startsWith('.')) return place(path.resolve(path.dirname(from), specifier));
  return undefined;
}

function fault(from, to) {
  if (ORDER.indexOf(to.layer) < ORDER.indexOf(from.layer)) return `${from.layer} must not use ${to.layer}`;
  const crosses = from.layer === to.layer && from.layer === 'features' && from.folder !== to.folder;
  return crosses ? `feature ${from.folder} must not use feature ${to.folder}` : undefined;
}

export const layers = {
  meta: { type: 'problem', schema: [], messages: { crossed: '{{fault}}' } },
  create(context) {
    const from = place(context.filename);
    if (!from) return {};
    const check = (node) => {
      if (typeof node.source?.value !== 'string') return;
      const to = target(node.source.value, context.filename);
      const found = to && fault(from, to);
      if (found) context.report({ node, messageId: 'crossed', data: { fault: found } });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};
