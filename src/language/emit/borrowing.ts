/**
 * Library functions that read their containers without storing them: what they record are edges. A variable passed
 * to one of these still owns its container, so that a later `x[i] = …` need not copy it.
 */
const reductions = new Set([
  'sum',
  'prod',
  'mean',
  'variance',
  'sd',
  'min',
  'max',
  'log_sum_exp',
  'dot_product',
  'dot_self',
  'distance',
  'squared_distance',
  'norm1',
  'norm2',
]);

/** Densities of matrices or of linear predictors may store their operands for the reverse sweep. */
const keepingDensities = /multi_|_glm_|wishart|lkj|dirichlet|gaussian_dlm|hmm/;

export function isBorrowingFunction(name: string): boolean {
  return reductions.has(name);
}

export function isBorrowingDensity(name: string): boolean {
  return !keepingDensities.test(name);
}
