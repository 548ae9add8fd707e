// An edge's name in addresses: `source KIND target`. Ids may be anything, so blanks in them are spelled out.

export interface EdgeName {
  source: string;
  kind: string;
  target: string;
}

export function edgeName(edge: EdgeName): string {
  return `${spelled(edge.source)} ${edge.kind} ${spelled(edge.target)}`;
}

export function parseEdge(name: string): EdgeName | undefined {
  const [source, kind, target, more] = name.split(' ');
  if (!source || !kind || !target || more !== undefined) return undefined;
  try {
    return { source: decodeURIComponent(source), kind, target: decodeURIComponent(target) };
  } catch {
    return undefined;
  }
}

const spelled = (id: string) => id.replaceAll(/[\s%]/gu, encodeURIComponent);
