/**
 * Which text messages of runners were stored, and their answer not yet seen to leave: only one of those can be sent
 * again. A sampler may well say the same line twice.
 */
import type { RunKey } from '../repositories/runner-runs.ts';

/** Runs remembered; those that said nothing for longest are forgotten first. */
const MOST_RUNS = 10_000;

export class UnansweredTexts {
  /** By run: the place of its last text in the log, and whether the answer to it left. */
  private readonly last = new Map<string, { readonly place: number; isAnswered: boolean }>();
  private readonly since = performance.now();

  /**
   * Whether the text at `place`, stored `ageSeconds` ago, may have gone without an answer: one of this process whose
   * answer was cut off, or one of a process before it, which may have ended between storing and answering.
   */
  mayLack(run: string, { place, ageSeconds }: { place: number; ageSeconds: number }): boolean {
    const known = this.last.get(run);
    if (known?.place === place) return !known.isAnswered;
    return ageSeconds * 1000 > performance.now() - this.since;
  }

  add(run: string, place: number): void {
    // put last: the order of the map is that of the last text
    this.last.delete(run);
    if (this.last.size >= MOST_RUNS) this.last.delete(this.last.keys().next().value as string);
    this.last.set(run, { place, isAnswered: false });
  }

  answered(run: string, place: number): void {
    const known = this.last.get(run);
    if (known?.place === place) known.isAnswered = true;
  }
}

export const runOf = (experimentId: number, { batchId, runId }: RunKey): string =>
  JSON.stringify([experimentId, batchId, runId]);

const byContext = new WeakMap<object, UnansweredTexts>();

/** Those of one service; `context`: its own. */
export function unansweredTexts(context: object): UnansweredTexts {
  const known = byContext.get(context) ?? new UnansweredTexts();
  byContext.set(context, known);
  return known;
}
