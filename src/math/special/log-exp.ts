/** Logarithms and exponentials of sums, differences and odds, arranged so that nothing overflows or cancels. */

const ln2 = Math.LN2;

/** log(1 + exp(x)). exp(x) overflows above 709; beyond 36 the sum equals x + exp(-x) in double precision. */
export function log1pExp(x: number): number {
  return x > 0 ? x + Math.log1p(Math.exp(-x)) : Math.log1p(Math.exp(x));
}

/** log(1 - exp(x)) for x ≤ 0; the two branches of Mächler (2012), "Accurately computing log(1 − exp(−|a|))", eq. 7. */
export function log1mExp(x: number): number {
  if (x > 0) return Number.NaN;
  return x > -ln2 ? Math.log(-Math.expm1(x)) : Math.log1p(-Math.exp(x));
}

/** 1 / (1 + exp(-x)). */
export function invLogit(x: number): number {
  if (x < 0) {
    const e = Math.exp(x);
    return x < -37 ? e : e / (1 + e);
  }
  return 1 / (1 + Math.exp(-x));
}

/** log(x / (1 - x)). */
export function logit(x: number): number {
  return Math.log(x / (1 - x));
}

/** log(inv_logit(x)). */
export function logInvLogit(x: number): number {
  return -log1pExp(-x);
}

/** log(1 - inv_logit(x)). */
export function log1mInvLogit(x: number): number {
  return -log1pExp(x);
}

/** log(exp(a) + exp(b)), exact even if one is −∞ or both are +∞. */
export function logSumExp2(a: number, b: number): number {
  if (a === -Infinity) return b;
  if (a === Infinity && b === Infinity) return Infinity;
  return a > b ? a + log1pExp(b - a) : b + log1pExp(a - b);
}

/** log(exp(a) - exp(b)) for a ≥ b; NaN otherwise. */
export function logDiffExp(a: number, b: number): number {
  if (a <= b) return a < Infinity && a === b ? -Infinity : Number.NaN;
  return a + log1mExp(b - a);
}

/** log(exp(x_1) + … + exp(x_n)); −∞ for n = 0. */
export function logSumExp(x: Float64Array, n = x.length): number {
  let max = -Infinity;
  for (let i = 0; i < n; i++) if (!(x[i] <= max)) max = x[i];
  if (max === -Infinity || max === Infinity || Number.isNaN(max)) return max;
  let sum = 0;
  for (let i = 0; i < n; i++) sum += Math.exp(x[i] - max);
  return max + Math.log(sum);
}

/** x log(y), with 0 log(0) = 0. */
export function multiplyLog(x: number, y: number): number {
  return x === 0 && y === 0 ? 0 : x * Math.log(y);
}

/**
 * log1p(x) − x without cancellation near 0: with r = x/(2 + x) it is r (−x + 2 (r²/3 + r⁴/5 + …)), from the series of
 * artanh (DLMF 4.6.4).
 */
export function log1pMinus(x: number): number {
  if (Math.abs(x) > 0.3) return Math.log1p(x) - x;
  const r = x / (2 + x);
  const r2 = r * r;
  let term = r2;
  let sum = 0;
  for (let k = 3; k < 25; k += 2) {
    sum += term / k;
    term *= r2;
  }
  return r * (2 * sum - x);
}

/** The inverse complementary log-log link, 1 − exp(−exp(x)). */
export function invCloglog(x: number): number {
  return -Math.expm1(-Math.exp(x));
}
