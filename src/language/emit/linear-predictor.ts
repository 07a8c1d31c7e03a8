/**
 * Regressions written out, `y ~ normal(a + x * b, s)`, as the fused densities the library has for them,
 * `normal_id_glm(y | x, a, b, s)`: the same value and gradient without a slot for each observation.
 */
import type { IrExpression } from '../lower/ir.ts';
import { isScalar } from '../lower/kinds.ts';
import type { Frame } from './frame.ts';
import { isOfDataOnly } from './invariant.ts';

type DensityExpression = Extract<IrExpression, { op: 'density' }>;

/** Densities by the fused one; the predictor is the second argument of all. */
const fusedNames: Readonly<Record<string, string>> = {
  normal_lpdf: 'normal_id_glm_lpdf',
  bernoulli_logit_lpmf: 'bernoulli_logit_glm_lpmf',
  poisson_log_lpmf: 'poisson_log_glm_lpmf',
  neg_binomial_2_log_lpmf: 'neg_binomial_2_log_glm_lpmf',
};

export function fuseLinearPredictor(frame: Frame, e: DensityExpression): DensityExpression {
  const name = fusedNames[e.name];
  if (!name || !frame.unit.library.has(name)) return e;
  const [outcome, predictor, ...rest] = e.arguments;
  if (isScalar(outcome.type)) return e;
  const parts = partsOf(predictor);
  if (!parts || frame.activity.isActive(parts.x) || !frame.activity.isActive(predictor)) return e;
  return { ...e, name, arguments: [outcome, parts.x, parts.alpha, parts.beta, ...rest] };
}

/**
 * Whether outcomes and predictors of a normal regression are data and its scale is one number, so that the library can
 * take them apart once. Without the adjoint phase everything is recorded as it stands.
 */
export function isSettledRegression(frame: Frame, e: DensityExpression): boolean {
  if (e.name !== 'normal_id_glm_lpdf' || !frame.caches || frame.adjoint === null) return false;
  const [y, x, alpha, beta, sigma] = e.arguments;
  return (
    y.type.base === 'vector' &&
    x.type.base === 'matrix' &&
    isOfDataOnly(y) &&
    isOfDataOnly(x) &&
    isScalar(alpha.type) &&
    isScalar(sigma.type) &&
    frame.activity.isActive(beta)
  );
}

interface Parts {
  readonly x: IrExpression;
  readonly alpha: IrExpression;
  readonly beta: IrExpression;
}

const zero: IrExpression = { op: 'int', value: 0, type: { base: 'int', arrayDepth: 0 } };

/** `x * b`, `a + x * b` or `x * b + a` with a matrix x and vector b. */
function partsOf(e: IrExpression): Parts | null {
  const product = productOf(e);
  if (product) return { ...product, alpha: zero };
  if (e.op !== 'call' || e.name !== 'add') return null;
  const [left, right] = e.arguments;
  const rightProduct = productOf(right);
  if (rightProduct) return { ...rightProduct, alpha: left };
  const leftProduct = productOf(left);
  return leftProduct ? { ...leftProduct, alpha: right } : null;
}

function productOf(e: IrExpression): { x: IrExpression; beta: IrExpression } | null {
  if (e.op !== 'call' || e.name !== 'multiply') return null;
  const [x, beta] = e.arguments;
  const fits = x.type.base === 'matrix' && beta.type.base === 'vector';
  return fits && x.type.arrayDepth === 0 && beta.type.arrayDepth === 0 ? { x, beta } : null;
}
