/**
 * Constraints on single reals, applied element by element: bounds, offset and multiplier
 * (Stan reference manual, "Constraint transforms", sections "Lower bounded scalar" to "Affinely transformed scalar").
 */
import { invLogit, log1pExp, logit } from '../special/log-exp.ts';

/** What one element needs: the constrained value, log |dx/du| and their derivatives in u (free) and the parameters. */
export class ScalarStep {
  x = 0;
  du = 1;
  da = 0;
  db = 0;
  logJacobian = 0;
  jacobianDu = 0;
  jacobianDa = 0;
  jacobianDb = 0;

  identity(u: number): void {
    this.x = u;
    this.du = 1;
    this.da = this.db = 0;
    this.logJacobian = this.jacobianDu = this.jacobianDa = this.jacobianDb = 0;
  }
}

/** Writes into `step` the image of `u` under parameters `a` and `b` (b unused if there is only one parameter). */
export type ScalarConstrain = (step: ScalarStep, u: number, a: number, b: number) => void;
/** The inverse; NaN if `x` violates the constraint. */
export type ScalarFree = (x: number, a: number, b: number) => number;

/** x = a + exp(u). A bound of −∞ has no effect. */
export function lowerConstrain(step: ScalarStep, u: number, a: number): void {
  step.identity(u);
  if (a === -Infinity) return;
  const e = Math.exp(u);
  step.x = e + a;
  step.du = e;
  step.da = 1;
  step.logJacobian = u;
  step.jacobianDu = 1;
}

export function lowerFree(x: number, a: number): number {
  if (a === -Infinity) return x;
  return x >= a ? Math.log(x - a) : Number.NaN;
}

/** x = a − exp(u). A bound of +∞ has no effect. */
export function upperConstrain(step: ScalarStep, u: number, a: number): void {
  step.identity(u);
  if (a === Infinity) return;
  const e = Math.exp(u);
  step.x = a - e;
  step.du = -e;
  step.da = 1;
  step.logJacobian = u;
  step.jacobianDu = 1;
}

export function upperFree(x: number, a: number): number {
  if (a === Infinity) return x;
  return x <= a ? Math.log(a - x) : Number.NaN;
}

/** x = a + (b − a) inv_logit(u); one infinite bound falls back to the other's transform. */
export function boundsConstrain(step: ScalarStep, u: number, a: number, b: number): void {
  if (b === Infinity) {
    lowerConstrain(step, u, a);
    return;
  }
  if (a === -Infinity) {
    upperConstrain(step, u, b);
    step.db = step.da;
    step.da = 0;
    return;
  }
  const width = b - a;
  const p = invLogit(u);
  const q = invLogit(-u);
  step.x = u > 0 ? b - width * q : a + width * p;
  step.du = width * p * q;
  step.da = q;
  step.db = p;
  const magnitude = Math.abs(u);
  step.logJacobian = Math.log(width) - magnitude - 2 * log1pExp(-magnitude);
  step.jacobianDu = q - p;
  step.jacobianDa = -1 / width;
  step.jacobianDb = 1 / width;
}

export function boundsFree(x: number, a: number, b: number): number {
  if (b === Infinity) return lowerFree(x, a);
  if (a === -Infinity) return upperFree(x, b);
  return x >= a && x <= b ? logit((x - a) / (b - a)) : Number.NaN;
}

/** x = a + b u. */
export function offsetMultiplierConstrain(step: ScalarStep, u: number, a: number, b: number): void {
  step.x = a + b * u;
  step.du = b;
  step.da = 1;
  step.db = u;
  step.logJacobian = Math.log(b);
  step.jacobianDu = step.jacobianDa = 0;
  step.jacobianDb = 1 / b;
}

export function offsetMultiplierFree(x: number, a: number, b: number): number {
  return (x - a) / b;
}
