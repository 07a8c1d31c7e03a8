/** Measures the statements of `profile("name") { … }`: one clock per name, for one program in one thread. */
import type { Tape } from '../math/autodiff/tape.ts';

/** CmdStan's figures for a profile, except the slots of its tape. */
export interface ProfileTimes {
  readonly name: string;
  /** Evaluating the statements, and the reverse sweep through them. */
  readonly forwardSeconds: number;
  readonly reverseSeconds: number;
  /** How often, with derivatives and without. */
  readonly gradientCalls: number;
  readonly valueCalls: number;
}

/** The clock of one profile; unfinished calls are in lists, since functions may call themselves. */
class Clock {
  forwardMs = 0;
  reverseMs = 0;
  gradientCalls = 0;
  valueCalls = 0;
  readonly begun: number[] = [];
  private readonly swept: number[] = [];

  constructor(private readonly now: () => number) {}

  /** The sweep runs backwards: it enters at the end of the statements. */
  readonly enterSweep = (): void => {
    this.swept.push(this.now());
  };

  readonly leaveSweep = (): void => {
    const began = this.swept.pop();
    if (began !== undefined) this.reverseMs += this.now() - began;
  };
}

export class Profiler {
  private readonly clocks = new Map<string, Clock>();

  /** `now`: milliseconds. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  begin(name: string, tape: Tape | null): void {
    let clock = this.clocks.get(name);
    if (clock === undefined) {
      clock = new Clock(this.now);
      this.clocks.set(name, clock);
    }
    tape?.block(0, clock.leaveSweep);
    clock.begun.push(this.now());
  }

  end(name: string, tape: Tape | null): void {
    const clock = this.clocks.get(name);
    const began = clock?.begun.pop();
    if (clock === undefined || began === undefined) return;
    clock.forwardMs += this.now() - began;
    if (tape === null) clock.valueCalls += 1;
    else {
      clock.gradientCalls += 1;
      tape.block(0, clock.enterSweep);
    }
  }

  /** So far, in the order in which they were first reached. */
  times(): ProfileTimes[] {
    return Array.from(this.clocks, ([name, clock]) => ({
      name,
      forwardSeconds: clock.forwardMs / 1000,
      reverseSeconds: clock.reverseMs / 1000,
      gradientCalls: clock.gradientCalls,
      valueCalls: clock.valueCalls,
    }));
  }
}

/** `a` and `sign` times `b`, name by name. */
export function combineProfiles(
  a: readonly ProfileTimes[],
  b: readonly ProfileTimes[],
  sign: 1 | -1 = 1,
): ProfileTimes[] {
  const names = new Set([...a, ...b].map(({ name }) => name));
  return Array.from(names, (name) => {
    const [first, second] = [a, b].map((all) => all.find((one) => one.name === name));
    const sum = (of: (times: ProfileTimes) => number) =>
      (first ? of(first) : 0) + sign * (second ? of(second) : 0);
    return {
      name,
      forwardSeconds: sum((times) => times.forwardSeconds),
      reverseSeconds: sum((times) => times.reverseSeconds),
      gradientCalls: sum((times) => times.gradientCalls),
      valueCalls: sum((times) => times.valueCalls),
    };
  });
}

/** By the names that CmdStan gives its columns. */
export const profileFigures = (times: ProfileTimes) => ({
  name: times.name,
  total_time: times.forwardSeconds + times.reverseSeconds,
  forward_time: times.forwardSeconds,
  reverse_time: times.reverseSeconds,
  autodiff_calls: times.gradientCalls,
  no_autodiff_calls: times.valueCalls,
});
