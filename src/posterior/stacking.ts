/** How much each model should weigh in a mixture of their predictions. */

/** How far the mean log score may be from its maximum. */
const tolerance = 1e-10;
/** Reached only if models predict so alike that their weights hardly matter. */
const mostSteps = 20_000;

/**
 * Weights of predictive distributions that maximise Σ_i log Σ_k w_k p_ik over the simplex. `elpd`: one array per model,
 * each with log p(y_i | y_−i) of the same observations (natural log). The sum is concave and solved by EM steps for
 * mixtures of known components, which never leave the simplex; the largest partial derivative bounds what is left.
 * NaN throughout if a number is not finite or there are no observations.
 * Source: Yao, Vehtari, Simpson & Gelman 2018, Bayesian Analysis 13(3), section 3.1; Dempster, Laird & Rubin 1977, 4.3.
 */
export function stackingWeights(elpd: readonly Float64Array[]): Float64Array {
  const numModels = elpd.length;
  const n = elpd[0]?.length ?? 0;
  if (n === 0 || elpd.some((values) => !values.every(Number.isFinite)))
    return new Float64Array(numModels).fill(NaN);
  const scaled = scaledByBest(elpd);
  const weights = new Float64Array(numModels).fill(1 / numModels);
  for (let step = 0; step < mostSteps; step++) {
    const gains = partialDerivatives(scaled, weights);
    for (let k = 0; k < numModels; k++) weights[k] *= gains[k];
    if (gains.reduce((a, b) => Math.max(a, b)) - 1 < tolerance) break;
  }
  return weights;
}

/** Likelihoods relative to their observation's largest, which changes no weight and cannot underflow for all models. */
function scaledByBest(elpd: readonly Float64Array[]): Float64Array[] {
  const best = elpd[0].map((_, i) => elpd.reduce((a, values) => Math.max(a, values[i]), -Infinity));
  return elpd.map((values) => values.map((value, i) => Math.exp(value - best[i])));
}

/** Gradient of the mean log score, one entry per model; their weighted mean is 1. */
function partialDerivatives(
  likelihoods: readonly Float64Array[],
  weights: Float64Array,
): Float64Array {
  const n = likelihoods[0].length;
  const sums = new Float64Array(weights.length);
  for (let i = 0; i < n; i++) {
    let mixed = 0;
    for (let k = 0; k < weights.length; k++) mixed += weights[k] * likelihoods[k][i];
    for (let k = 0; k < weights.length; k++) sums[k] += likelihoods[k][i] / mixed / n;
  }
  return sums;
}
