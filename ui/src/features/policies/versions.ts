// Which two versions of a policy are compared.

/** The versions that were asked for; without a wish, the newest and the one before it. Newest first is what is given. */
export function chosen<V extends { version: number }>(versions: readonly V[], from: number, until: number): { from: V; to: V } | undefined {
  const [newest, before] = versions;
  if (!newest || !before) return undefined;
  const find = (wanted: number) => versions.find((one) => one.version === wanted);
  const right = find(until) ?? newest;
  const left = find(from) ?? versions.find((one) => one.version < right.version) ?? before;
  return { from: left, to: right };
}
