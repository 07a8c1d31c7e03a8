/**
 * Text messages of runners that were stored but whose answer may not have been sent: only those can be sent again by
 * the client. A sampler may well print the same line twice.
 */
import type { RunKey } from '../repositories/runner-runs.ts';

/** Number of runs remembered; those silent for longest are forgotten first. */
const MOST_RUNS = 10_000;

export class UnansweredTexts {
  /** By run: the position of its last text in the log, and whether its answer was sent. */
  private readonly last = new Map<string, { readonly place: number; isAnswered: boolean }>();
  private readonly since = performance.now();

  /**
   * Whether the text at `place`, stored `ageSeconds` ago, may have gone unanswered: either this process's answer was
   * cut off, or an earlier process may have ended between storing and answering.
   */
  mayLack(run: string, { place, ageSeconds }: { place: number; ageSeconds: number }): boolean {
    const known = this.last.get(run);
    if (known?.place === place) return !known.isAnswered;
    return ageSeconds * 1000 > performance.now() - this.since;
  }

  add(run: string, place: number): void {
    // moved to the end: the map is ordered by the time of the last text
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

/** The record of one service, identified by its `context`. */
export function unansweredTexts(context: object): UnansweredTexts {
  const known = byContext.get(context) ?? new UnansweredTexts();
  byContext.set(context, known);
  return known;
}
