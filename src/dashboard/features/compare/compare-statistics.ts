/** Statistics over draws of several experiments. Runs in a worker; knows no page. */
import { compareLoo, type LooComparison, looOf } from '../../../posterior/loo.ts';
import { mcseSd } from '../../../posterior/mcse.ts';

export interface LooModel {
  readonly name: string;
  /** One entry an observation, each chains × draws. */
  readonly logLik: readonly (readonly Float64Array[])[];
}

export type CompareQuestion =
  /** Monte Carlo standard error of the sd of each set of chains. */
  | { readonly kind: 'mcse-sd'; readonly draws: readonly (readonly Float64Array[])[] }
  | { readonly kind: 'loo'; readonly models: readonly LooModel[] };

export type CompareAnswer =
  | { readonly kind: 'mcse-sd'; readonly errors: readonly number[] }
  /** Null: the numbers of observations differ. */
  | { readonly kind: 'loo'; readonly rows: readonly LooComparison[] | null };

export function answerComparison(question: CompareQuestion): CompareAnswer {
  if (question.kind === 'mcse-sd')
    return { kind: 'mcse-sd', errors: question.draws.map((chains) => mcseSd([...chains])) };
  const models = question.models.map(({ name, logLik }) => ({
    name,
    loo: looOf(logLik.map((chains) => [...chains])),
  }));
  return { kind: 'loo', rows: compareLoo(models) };
}
