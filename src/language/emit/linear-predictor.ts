/**
 * Regressions written out, `y ~ normal(a + x * b, s)`, as the fused densities the library has for them,
 * `normal_id_glm(y | x, a, b, s)`: the same value and gradient without a slot per observation.
 */

import type { DensityExpression, IrExpression } from '../lower/ir.ts';
import { isScalar } from '../lower/kinds.ts';
import type { StanType } from '../types/stan-type.ts';
import type { Frame } from './frame.ts';
import { isOfDataOnly } from './invariant.ts';

/** Densities with their fused form; the predictor is always the second argument. */
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

export interface SettledRegression {
  readonly density: DensityExpression;
  /** A sum over columns, which form the matrix. */
  readonly isByColumns: boolean;
}

/**
 * A normal regression whose outcomes and predictors are data and whose scale is one number, so that the library handles
 * them only once: as `normal_id_glm`, or null. Without the adjoint phase everything is recorded as written.
 */
export function settledRegression(frame: Frame, e: DensityExpression): SettledRegression | null {
  if (!frame.caches || frame.adjoint === null) return null;
  const fused = fuseLinearPredictor(frame, ofVector(e));
  if (isSettled(frame, fused)) return { density: fused, isByColumns: false };
  const density = e.name === 'normal_lpdf' ? fuseColumns(ofVector(e)) : null;
  return density !== null && isSettled(frame, density) ? { density, isByColumns: true } : null;
}

/** The same with a vector of outcomes instead of an array. */
function ofVector(e: DensityExpression): DensityExpression {
  const [outcome, ...rest] = e.arguments;
  const { base, arrayDepth } = outcome.type;
  if (base !== 'real' || arrayDepth !== 1) return e;
  return { ...e, arguments: [call('to_vector', [outcome], vectorType), ...rest] };
}

function isSettled(frame: Frame, e: DensityExpression): boolean {
  if (e.name !== 'normal_id_glm_lpdf') return false;
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

/** `normal(y | a + b * u + c * v, s)` of data vectors u and v as the regression on the matrix of both. */
function fuseColumns(e: DensityExpression): DensityExpression | null {
  const [outcome, predictor, scale] = e.arguments;
  const terms = termsOf(predictor, false);
  const columns = terms?.filter((term) => term.column !== null) ?? [];
  if (terms === null || columns.length === 0) return null;
  const levels = terms.filter((term) => term.column === null).map((term) => term.weight);
  const alpha = levels.reduce<IrExpression>(
    (sum, level) => (sum === zero ? level : call('add', [sum, level], realType)),
    zero,
  );
  const elements = columns.flatMap(({ column }) => column ?? []);
  const rows: IrExpression = { op: 'list', elements, type: matrixType };
  const weights = columns.map(({ weight }) => weight);
  const beta: IrExpression = { op: 'list', elements: weights, type: vectorType };
  const x = call('transpose', [rows], matrixType);
  return { ...e, name: 'normal_id_glm_lpdf', arguments: [outcome, x, alpha, beta, scale] };
}

interface Term {
  readonly weight: IrExpression;
  /** Null: the same for all observations. */
  readonly column: IrExpression | null;
}

const realType: StanType = { base: 'real', arrayDepth: 0 };
const vectorType: StanType = { base: 'vector', arrayDepth: 0 };
const matrixType: StanType = { base: 'matrix', arrayDepth: 0 };
const one: IrExpression = { ...zero, value: 1 };

const call = (name: string, args: readonly IrExpression[], type: StanType): IrExpression => ({
  op: 'call',
  name,
  arguments: args,
  type,
});

/** The terms added up, numbers and multiples of data vectors; null if there is anything else. */
function termsOf(e: IrExpression, isNegative: boolean): readonly Term[] | null {
  const signed = (weight: IrExpression) =>
    isNegative ? call('minus', [weight], weight.type) : weight;
  if (isScalar(e.type)) return [{ weight: signed(e), column: null }];
  if (e.type.base !== 'vector' || e.type.arrayDepth > 0) return null;
  if (isOfDataOnly(e)) return [{ weight: signed(one), column: e }];
  if (e.op !== 'call' || e.arguments.length !== 2) return null;
  const [left, right] = e.arguments;
  if (e.name === 'add' || e.name === 'subtract') {
    const before = termsOf(left, isNegative);
    const behind = termsOf(right, (e.name === 'subtract') !== isNegative);
    return before && behind ? [...before, ...behind] : null;
  }
  if (e.name !== 'multiply' && e.name !== 'elt_multiply') return null;
  const [weight, column] = isScalar(left.type) ? [left, right] : [right, left];
  const fits = isScalar(weight.type) && column.type.base === 'vector' && isOfDataOnly(column);
  return fits ? [{ weight: signed(weight), column }] : null;
}
