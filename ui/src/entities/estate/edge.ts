// An edge's name in addresses: `source KIND target`. Neither ids nor kinds contain a space.

export interface EdgeName {
  source: string;
  kind: string;
  target: string;
}

export function edgeName(edge: EdgeName): string {
  return `${edge.source} ${edge.kind} ${edge.target}`;
}

export function parseEdge(name: string): EdgeName | undefined {
  const [source, kind, target, more] = name.split(' ');
  return source && kind && target && more === undefined ? { source, kind, target } : undefined;
}
