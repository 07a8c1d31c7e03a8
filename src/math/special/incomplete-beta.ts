/** The regularised incomplete beta function I_x(a, b) and its complement, in logarithms, with all derivatives. */
import { lbeta } from './beta.ts';
import { digamma } from './gamma.ts';

const maxTerms = 100_000;
const tiny = 1e-300;

/** log I_x(a, b), log (1 − I_x(a, b)), their derivatives in a and b, and log of dI/dx. */
export class IncompleteBeta {
  logI = 0;
  logC = 0;
  daLogI = 0;
  dbLogI = 0;
  daLogC = 0;
  dbLogC = 0;
  logDensity = 0;

  /** `xc` is 1 − x, passed separately so that neither loses digits near its end. */
  compute(a: number, b: number, x: number, xc: number): void {
    if (!(x > 0 && xc > 0)) {
      this.atEdge(x, xc);
      return;
    }
    const logX = Math.log(x);
    const logXc = Math.log(xc);
    const logFactor = a * logX + b * logXc - lbeta(a, b);
    const digammaSum = digamma(a + b);
    const daFactor = logX - digamma(a) + digammaSum;
    const dbFactor = logXc - digamma(b) + digammaSum;
    this.logDensity = logFactor - logX - logXc;
    if (x < (a + 1) / (a + b + 2)) {
      fraction.compute(a, b, x);
      this.logI = Math.min(0, logFactor + fraction.logH);
      this.daLogI = daFactor + fraction.da;
      this.dbLogI = dbFactor + fraction.db;
      const p = Math.exp(this.logI);
      this.logC = Math.log1p(-p);
      this.daLogC = (-p * this.daLogI) / (1 - p);
      this.dbLogC = (-p * this.dbLogI) / (1 - p);
    } else {
      fraction.compute(b, a, xc);
      this.logC = Math.min(0, logFactor + fraction.logH);
      this.dbLogC = dbFactor + fraction.da;
      this.daLogC = daFactor + fraction.db;
      const p = Math.exp(this.logC);
      this.logI = Math.log1p(-p);
      this.daLogI = (-p * this.daLogC) / (1 - p);
      this.dbLogI = (-p * this.dbLogC) / (1 - p);
    }
  }

  private atEdge(x: number, xc: number): void {
    const isLow = x <= 0;
    this.logI = Number.isNaN(x + xc) ? Number.NaN : isLow ? -Infinity : 0;
    this.logC = Number.isNaN(x + xc) ? Number.NaN : isLow ? 0 : -Infinity;
    this.daLogI = this.dbLogI = this.daLogC = this.dbLogC = 0;
    this.logDensity = -Infinity;
  }
}

/**
 * log of the continued fraction DLMF 8.17.22 divided by a, by Lentz's method (Press et al., *Numerical Recipes*, section
 * 6.4), with derivatives in a and b carried along term by term (as Boik & Robison-Cox 1998 do).
 */
class Fraction {
  logH = 0;
  da = 0;
  db = 0;
  private c = 0;
  private cA = 0;
  private cB = 0;
  private d = 0;
  private dA = 0;
  private dB = 0;
  private h = 0;
  private hA = 0;
  private hB = 0;

  compute(a: number, b: number, x: number): void {
    // first denominator 1 − (a + b) x/(a + 1)
    const q = a + b;
    const first = 1 - (q * x) / (a + 1);
    this.c = 1;
    this.cA = this.cB = 0;
    this.d = 1 / (first === 0 ? tiny : first);
    this.dA = x * (1 / (a + 1) - q / ((a + 1) * (a + 1))) * this.d * this.d;
    this.dB = (x / (a + 1)) * this.d * this.d;
    this.h = this.d;
    this.hA = this.dA;
    this.hB = this.dB;
    for (let m = 1; m < maxTerms; m++) {
      const m2 = 2 * m;
      // even step: m (b − m) x / ((a + 2m − 1)(a + 2m))
      const p1 = a + m2 - 1;
      const p2 = a + m2;
      const even = (m * (b - m) * x) / (p1 * p2);
      this.step(even, -even * (1 / p1 + 1 / p2), (m * x) / (p1 * p2));
      // odd step: −(a + m)(a + b + m) x / ((a + 2m)(a + 2m + 1))
      const p3 = a + m2 + 1;
      const odd = (-(a + m) * (q + m) * x) / (p2 * p3);
      const oddA = odd * (1 / (a + m) + 1 / (q + m) - 1 / p2 - 1 / p3);
      const change = this.step(odd, oddA, odd / (q + m));
      if (change < 1e-16) break;
    }
    this.logH = Math.log(this.h) - Math.log(a);
    this.da = this.hA / this.h - 1 / a;
    this.db = this.hB / this.h;
  }

  /** One term of the fraction and its derivatives; returns how much the value and derivatives still change. */
  private step(t: number, tA: number, tB: number): number {
    const { c, cA, cB, d, dA, dB } = this;
    const den = 1 + t * d;
    const nd = 1 / (den === 0 ? tiny : den);
    const ndA = -(tA * d + t * dA) * nd * nd;
    const ndB = -(tB * d + t * dB) * nd * nd;
    const nc = 1 + t / c === 0 ? tiny : 1 + t / c;
    const ncA = tA / c - (t * cA) / (c * c);
    const ncB = tB / c - (t * cB) / (c * c);
    const delta = nc * nd;
    const deltaA = ncA * nd + nc * ndA;
    const deltaB = ncB * nd + nc * ndB;
    const { h } = this;
    this.hA = this.hA * delta + h * deltaA;
    this.hB = this.hB * delta + h * deltaB;
    this.h = h * delta;
    this.c = nc;
    this.cA = ncA;
    this.cB = ncB;
    this.d = nd;
    this.dA = ndA;
    this.dB = ndB;
    return Math.max(Math.abs(delta - 1), 0.1 * Math.abs(deltaA), 0.1 * Math.abs(deltaB));
  }
}

const fraction = new Fraction();
