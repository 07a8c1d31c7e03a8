/**
 * Shares reads between the sockets of one run that the same event woke: ten thousand watchers would otherwise query the
 * same rows ten thousand times.
 */

/** How long an answer is available to others that the same event woke. */
const keptMs = 1000;

export class SharedReads {
  private readonly kept = new Map<
    string,
    { readonly begunAt: number; readonly answer: Promise<unknown> }
  >();

  /** `since`: when the event came (`performance.now()`). A read that began earlier may have missed it and is repeated. */
  read<T>(key: string, since: number, ask: () => Promise<T>): Promise<T> {
    const found = this.kept.get(key);
    if (found !== undefined && found.begunAt >= since) return found.answer as Promise<T>;
    const begunAt = performance.now();
    const answer = ask();
    const entry = { begunAt, answer };
    this.kept.set(key, entry);
    const forget = () => {
      if (this.kept.get(key) === entry) this.kept.delete(key);
    };
    answer.then(() => setTimeout(forget, keptMs).unref(), forget);
    return answer;
  }
}
