/**
 * What the sockets of one run read after the same event is read once: ten thousand watchers would ask the database ten
 * thousand times for the same rows.
 */

/** How long an answer is there for those who are woken by the same event. */
const keptMs = 1000;

export class SharedReads {
  private readonly kept = new Map<
    string,
    { readonly begunAt: number; readonly answer: Promise<unknown> }
  >();

  /** `since`: when the event came (`performance.now()`). What was asked before it may not know of it, and is asked again. */
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
