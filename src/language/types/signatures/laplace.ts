/** Latent Gaussian models: functions that take a likelihood and a covariance, each with a tuple of arguments. */

const outcomes = {
  bernoulli_logit: 'int[], int[], vector',
  neg_binomial_2_log: 'int[], int[], reals, vector',
  poisson_log: 'int[], int[], vector',
} as const;

const options = 'tuple(vector, real, int, int, int, int)';
const covariance = 'data int, f:covariance, tuple';

function lines(): string[] {
  const found: string[] = [];
  for (const [infix, control] of [
    ['', ''],
    ['_tol', `, data ${options}`],
  ]) {
    const general = `f:likelihood, tuple, ${covariance}${control}`;
    found.push(
      `laplace_marginal${infix}(${general}) -> real`,
      `laplace_latent${infix}_rng(${general}) -> vector`,
      `laplace_latent_solve${infix}(${general}) -> tuple(vector, matrix)`,
    );
    for (const [name, outcome] of Object.entries(outcomes)) {
      const all = `${outcome}, ${covariance}${control}`;
      const density = `laplace_marginal${infix}_${name}`;
      found.push(
        `${density}_lpmf ${density}_lupmf(${all}) -> real`,
        `laplace_latent${infix}_${name}_rng(${all}) -> vector`,
      );
    }
  }
  return found;
}

/** For names and pages; `check-laplace.ts` checks the arguments. */
export const laplace = lines().join('\n');

export const laplaceOptions = `generate_laplace_options(int|vector) -> ${options}`;

/** Functions with only first derivatives; a latent likelihood may not call them. */
export const firstOrderOnly =
  /^(?:algebra_solver|solve_|integrate_|ode_|dae|map_rect$|reduce_sum|hmm_|laplace_)/;

export const isLaplace = (name: string): boolean => /^laplace_(?:marginal|latent)/.test(name);

/** How many arguments precede the block size: a function and a tuple, or the observations. */
export function leadingArguments(name: string): number {
  const found = Object.entries(outcomes).find(([outcome]) => name.includes(outcome));
  return found ? found[1].split(', ').length : 2;
}

/** The built-in likelihood: types of the arguments before the block size; null for a user's function. */
export function outcomeTypes(name: string): string | null {
  return Object.entries(outcomes).find(([outcome]) => name.includes(outcome))?.[1] ?? null;
}
