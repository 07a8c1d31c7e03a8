/** What instrumented sources query, which mutant is active, and what they report, which were reached. */

/** Stops an endless loop caused by a mutant, since each iteration passes a switch. */
class TooManySteps extends Error {}

let active: string | null = null;
let reached: Set<string> | null = null;
let steps = 0;
let mostSteps = Number.POSITIVE_INFINITY;

export const mutants = {
  isActive(id: string): boolean {
    if (++steps > mostSteps) throw new TooManySteps('A mutant runs on and on.');
    return id === active;
  },
  cover(...ids: string[]): void {
    if (reached !== null) for (const id of ids) reached.add(id);
  },
  /** Allows `most` steps at most, counted from here. */
  activate(id: string | null, most = Number.POSITIVE_INFINITY): void {
    active = id;
    steps = 0;
    mostSteps = most;
  },
  steps: () => steps,
  /** From here on, reached mutants are added to `into`; null: not recorded. */
  note(into: Set<string> | null): void {
    reached = into;
  },
};

export type Mutants = typeof mutants;
