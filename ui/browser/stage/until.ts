// Waiting for something to be so, without guessing how long it takes.

/** Asks until the answer is there. */
export async function until<T>(what: string, ask: () => Promise<T | undefined>, patience = 30_000): Promise<T> {
  const end = Date.now() + patience;
  for (;;) {
    const found = await ask();
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`${what} did not come`);
    await new Promise((done) => setTimeout(done, 100));
  }
}
