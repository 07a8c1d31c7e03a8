/** Statistics over draws of several experiments. Runs in a worker; independent of any page. */
import { mcseSd } from '../../../posterior/mcse.ts';

/** Monte Carlo standard error of the sd of each set of chains. */
export interface CompareQuestion {
  readonly kind: 'mcse-sd';
  readonly draws: readonly (readonly Float64Array[])[];
}

export interface CompareAnswer {
  readonly kind: 'mcse-sd';
  readonly errors: readonly number[];
}

export function answerComparison({ draws }: CompareQuestion): CompareAnswer {
  return { kind: 'mcse-sd', errors: draws.map((chains) => mcseSd([...chains])) };
}
