/** The regularised incomplete gamma functions P and Q = 1 − P, in logarithms, with derivatives in both arguments. */
import { digamma, lgamma, stirlingCorrection } from './gamma.ts';
import { log1pMinus } from './log-exp.ts';

const maxTerms = 1_000_000;

/** log P(a, x), log Q(a, x), their derivatives in a, and log of dP/dx = x^(a−1) e^−x / Γ(a). */
export class IncompleteGamma {
  logP = 0;
  logQ = 0;
  daLogP = 0;
  daLogQ = 0;
  logDensity = 0;

  compute(a: number, x: number): void {
    if (x <= 0 || Number.isNaN(a + x)) {
      this.atEdge(a, x, x <= 0);
      return;
    }
    if (x === Infinity) {
      this.atEdge(a, x, false);
      return;
    }
    // log of x^a e^−x / Γ(a): by Stirling for large a, where the three terms would cancel
    const logFactor =
      a >= 10
        ? 0.5 * Math.log(a / (2 * Math.PI)) - stirlingCorrection(a) + a * log1pMinus((x - a) / a)
        : a * Math.log(x) - x - lgamma(a);
    this.logDensity = logFactor - Math.log(x);
    const daFactor = Math.log(x) - digamma(a);
    if (x < a + 1) this.bySeries(a, x, logFactor, daFactor);
    else this.byFraction(a, x, logFactor, daFactor);
  }

  private atEdge(a: number, x: number, isLow: boolean): void {
    const undefinedPoint = Number.isNaN(a + x);
    this.logP = undefinedPoint ? Number.NaN : isLow ? -Infinity : 0;
    this.logQ = undefinedPoint ? Number.NaN : isLow ? 0 : -Infinity;
    this.daLogP = 0;
    this.daLogQ = 0;
    this.logDensity = isLow && a < 1 ? Infinity : isLow && a === 1 ? 0 : -Infinity;
  }

  /** P = x^a e^−x / Γ(a + 1) Σ x^n / ((a + 1) … (a + n)), DLMF 8.7.1. */
  private bySeries(a: number, x: number, logFactor: number, daFactor: number): void {
    let term = 1;
    let sum = 1;
    let daTermLog = 0;
    let daSum = 0;
    for (let n = 1; n < maxTerms; n++) {
      term *= x / (a + n);
      daTermLog -= 1 / (a + n);
      sum += term;
      daSum += term * daTermLog;
      if (term < 1e-17 * sum) break;
    }
    this.logP = Math.min(0, logFactor - Math.log(a) + Math.log(sum));
    this.daLogP = daFactor - 1 / a + daSum / sum;
    const p = Math.exp(this.logP);
    this.logQ = Math.log1p(-p);
    this.daLogQ = (-p * this.daLogP) / (1 - p);
  }

  /**
   * Q = x^a e^−x / Γ(a) × 1/(x + 1 − a − 1(1 − a)/(x + 3 − a − …)), DLMF 8.9.2 as an even part; evaluated by Lentz's
   * method (Press et al., *Numerical Recipes*, section 5.2) with the derivative in a carried along.
   */
  private byFraction(a: number, x: number, logFactor: number, daFactor: number): void {
    const tiny = 1e-300;
    let b = x + 1 - a;
    let c = 1 / tiny;
    let dc = 0;
    let d = 1 / b;
    // each variable's derivative in a; b depends on a with slope −1
    let dd = d * d;
    let h = d;
    let dh = dd;
    for (let i = 1; i < maxTerms; i++) {
      const an = -i * (i - a);
      const dan = i;
      b += 2;
      const den = an * d + b;
      const dden = dan * d + an * dd - 1;
      d = 1 / (den === 0 ? tiny : den);
      dd = -dden * d * d;
      const cn = b + an / c;
      const dcn = -1 + dan / c - (an * dc) / (c * c);
      c = cn === 0 ? tiny : cn;
      dc = dcn;
      const delta = c * d;
      const ddelta = dc * d + c * dd;
      dh = dh * delta + h * ddelta;
      h *= delta;
      if (Math.abs(delta - 1) < 1e-16 && Math.abs(ddelta * h) <= 1e-16 * Math.abs(dh)) break;
      if (i > 200 && Math.abs(delta - 1) < 1e-15) break;
    }
    this.logQ = Math.min(0, logFactor + Math.log(h));
    this.daLogQ = daFactor + dh / h;
    const q = Math.exp(this.logQ);
    this.logP = Math.log1p(-q);
    this.daLogP = (-q * this.daLogQ) / (1 - q);
  }
}
