/** Stan's built-in log likelihoods: outcome i belongs to group `yIndex[i]`, with θ of the group and an offset. */
import { DomainError, ShapeError } from '../errors.ts';
import type { Algebra, Term } from './algebra.ts';
import { termDensities } from './densities.ts';
import type { TermContainer } from './operands.ts';

/** log p(y | θ) from the arguments of the likelihood in order, without `y` itself. */
export type GroupedLikelihood = (
  m: Algebra,
  theta: TermContainer,
  y: Int32Array,
  yIndex: Int32Array,
  rest: readonly TermContainer[],
) => Term;

/** θ of the group of each outcome, plus the offset of the group. */
function predictors(
  m: Algebra,
  theta: TermContainer,
  y: Int32Array,
  yIndex: Int32Array,
  offset: TermContainer,
): Term[] {
  const n = theta.terms.length;
  if (y.length !== yIndex.length)
    throw new ShapeError(`y has ${y.length} elements and y_index ${yIndex.length}: one for each y`);
  if (offset.terms.length !== n)
    throw new ShapeError(`the offset has ${offset.terms.length} elements, but theta has ${n}`);
  const sums = theta.terms.map((term, i) => m.add(term, offset.terms[i]));
  return Array.from(yIndex, (group) => {
    if (!(group >= 1 && group <= n))
      throw new DomainError(`y_index holds ${group}, but must be between 1 and ${n}`);
    return sums[group - 1];
  });
}

const grouped =
  (name: string): GroupedLikelihood =>
  (m, theta, y, yIndex, rest) => {
    const offset = rest[rest.length - 1];
    const alphas = predictors(m, theta, y, yIndex, offset);
    const density = termDensities[name];
    const shared = rest.slice(0, -1);
    const parameters = (i: number) =>
      shared.map(({ terms }) => (terms.length === 1 ? terms[0] : terms[yIndex[i] - 1]));
    for (const { terms } of shared) {
      if (terms.length !== 1 && terms.length !== theta.terms.length)
        throw new ShapeError(`eta has ${terms.length} elements: one, or one for each theta`);
    }
    return m.sum(
      alphas.map((alpha, i) => density(m, { value: y[i], slot: 0 }, alpha, ...parameters(i))),
    );
  };

export const groupedLikelihoods: Readonly<Record<string, GroupedLikelihood>> = {
  bernoulli_logit: grouped('bernoulli_logit_lpmf'),
  poisson_log: grouped('poisson_log_lpmf'),
  neg_binomial_2_log: grouped('neg_binomial_2_log_lpmf'),
};
