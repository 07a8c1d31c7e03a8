/** First passage times of a Wiener process: `wiener_lpdf(y | alpha, tau, beta, delta)`, and with variability between trials. */

import type { Operand } from '../autodiff/operand.ts';
import { DomainError } from '../errors.ts';
import { integrateGaussKronrod } from '../quadrature/gauss-kronrod.ts';
import type { Integrand } from '../quadrature/integrand.ts';
import { type Density, type DensityCall, densityOf, splitKinds } from './density.ts';
import { type FirstPassage, firstPassage, newFirstPassage } from './first-passage.ts';
import { checkStartRange, checkWiener, wienerLabels } from './wiener-arguments.ts';

const name = 'wiener_lpdf';
const at: FirstPassage = newFirstPassage();

/** With a fixed start and nondecision time; the drift may vary (six operands). */
function closed(call: DensityCall, operands: readonly Operand[]): number {
  checkWiener(call, operands);
  const [y, alpha, tau, beta, delta, driftSd] = operands;
  let lp = 0;
  for (let i = 0; i < call.n; i++) {
    const sd = driftSd?.at(i) ?? 0;
    firstPassage([y.at(i) - tau.at(i), alpha.at(i), beta.at(i), delta.at(i), sd], at);
    lp += at.log;
    if (y.active) y.add(i, at.dTime);
    if (alpha.active) alpha.add(i, at.dSeparation);
    if (tau.active) tau.add(i, -at.dTime);
    if (beta.active) beta.add(i, at.dStart);
    if (delta.active) delta.add(i, at.dDrift);
    if (driftSd?.active) driftSd.add(i, at.dDriftSd);
  }
  return lp;
}

/** For the integrals over start and nondecision time. */
const tolerances = { relative: 1e-9, absolute: 1e-290, refinements: 12 };

/** Parameters of one term in the order of the operands. */
type Term = readonly number[];

/**
 * The mean density for a start that is uniform within ± s_w / 2 around β and a nondecision time that is uniform from τ to
 * τ + s_t, with derivatives in all eight arguments. Only what varies is integrated over.
 */
function meanDensity(term: Term): Float64Array {
  const [y, alpha, tau, beta, delta, driftSd, startRange, timeRange] = term;
  const point = (x: number, s: number, out: Float64Array) => {
    const time = y - tau - s * timeRange;
    if (!(time > 0)) return;
    firstPassage([time, alpha, beta + (x - 0.5) * startRange, delta, driftSd], at);
    const f = Math.exp(at.log);
    if (f === 0) return;
    out[0] = f;
    out[1] = f * at.dTime;
    out[2] = f * at.dSeparation;
    out[3] = -f * at.dTime;
    out[4] = f * at.dStart;
    out[5] = f * at.dDrift;
    out[6] = f * at.dDriftSd;
    out[7] = f * at.dStart * (x - 0.5);
    out[8] = -f * at.dTime * s;
  };
  const overTime = (x: number, out: Float64Array) => {
    if (timeRange === 0) point(x, 0, out);
    else {
      const inner = integrand((s, values) => point(x, s, values));
      // nothing arrives after y
      const last = Math.min(1, (y - tau) / timeRange);
      out.set(integrateGaussKronrod(name, inner, [0, last], tolerances));
    }
  };
  const sum = new Float64Array(9);
  if (startRange === 0) overTime(0.5, sum);
  else sum.set(integrateGaussKronrod(name, integrand(overTime), [0, 1], tolerances));
  return sum;
}

const integrand = (evaluate: (x: number, out: Float64Array) => void): Integrand => ({
  count: 9,
  evaluate: (x, _, out) => evaluate(x, out),
});

/** With a start and a nondecision time that vary between trials. */
function integrated(call: DensityCall, operands: readonly Operand[]): number {
  checkWiener(call, operands);
  checkStartRange(call, operands[3], operands[6]);
  let lp = 0;
  for (let i = 0; i < call.n; i++) {
    const [f, ...derivatives] = meanDensity(operands.map((operand) => operand.at(i)));
    if (!(f > 0)) throw new DomainError(`${name}: the density of term ${i + 1} underflows`);
    lp += Math.log(f);
    for (const [k, operand] of operands.entries())
      if (operand.active) operand.add(i, derivatives[k] / f);
  }
  return lp;
}

const closedDensity = densityOf(name, wienerLabels, closed);
const integratedDensity = densityOf(name, wienerLabels, integrated);

/**
 * With four, five or seven parameters. Five or seven may be followed by the precision that Stan requires of its gradients;
 * ours are exact, or better than any precision one would request.
 */
export const wienerLpdf: Density = (tape, propto, kinds, ...args) => {
  const own = splitKinds(kinds);
  const count = own.length === 7 || own.length === 9 ? own.length - 1 : own.length;
  const density = count === 8 ? integratedDensity : closedDensity;
  return density(tape, propto, own.slice(0, count).join(''), ...args.slice(0, count));
};
