/**
 * Fused regression densities `<family>_glm` (Stan functions reference, "Generalized linear models"): the density of
 * the family at alpha + x beta in one call, without a slot for each row's predictor.
 */

import { kindCode, Operand } from '../autodiff/operand.ts';
import type { Tape } from '../autodiff/tape.ts';
import { ShapeError } from '../errors.ts';
import { lchoose } from '../special/beta.ts';
import { halfLogTwoPi } from '../special/constants.ts';
import { logFactorial, logRisingRatio } from '../special/gamma.ts';
import { tableExp, tableLog1p } from '../special/table-functions.ts';
import type { Density } from './density.ts';
import { LinearPredictor } from './glm-predictor.ts';
import { negBinomial2Dphi } from './negative-binomial.ts';

const predictor = new LinearPredictor();
/** Factors of at most 2 whose product stays below overflow. */
const chunk = 512;
const outcome = new Operand();
/** Scale, precision or number of trials; a scalar 0 if the family has none. */
const extra = new Operand();

/** One call to a family, which returns the log density, writes d/d eta to `dEta` and adds partials of `extra`. */
interface FamilyStep {
  readonly name: string;
  readonly n: number;
  readonly eta: Float64Array;
  readonly dEta: Float64Array;
  readonly propto: boolean;
}

interface Family {
  readonly name: string;
  /** Position of the extra argument among the arguments, or −1 if there is none, and its label. */
  readonly extraAt: number;
  readonly extraLabel: string;
  readonly check: (name: string, n: number) => void;
  readonly logDensity: (step: FamilyStep) => number;
}

function glmDensity(family: Family): Density {
  const { name, extraAt } = family;
  const outcomeOnly = extraAt !== 1;
  return (tape, propto, kinds, ...args) => {
    outcome.label = 'Vector of dependent variables';
    outcome.open(tape, kinds.charCodeAt(0), args[0]);
    extra.label = family.extraLabel;
    if (extraAt < 0) extra.open(tape, kindCode.r, 0);
    else extra.open(tape, kinds.charCodeAt(extraAt), args[extraAt]);
    const first = outcomeOnly ? 1 : 2;
    let count = outcome.stride === 0 ? -1 : outcome.size;
    if (count < 0 && !outcomeOnly && extra.stride === 1) count = extra.size;
    predictor.open(tape, name, kinds.slice(first, first + 3), args.slice(first, first + 3), count);
    return evaluate(tape, propto, family);
  };
}

function evaluate(tape: Tape, propto: boolean, family: Family): number {
  const { name } = family;
  const { n } = predictor;
  if (extra.stride === 1 && extra.size !== n) {
    throw new ShapeError(`${name}: ${extra.label} has ${extra.size} elements for ${n} rows`);
  }
  family.check(name, n);
  const ownEdges = (outcome.active ? outcome.size : 0) + (extra.active ? extra.size : 0);
  const edges = ownEdges + predictor.numEdges;
  if (n === 0) return edges > 0 ? tape.constant(0) : 0;
  if (edges === 0 && propto) return 0;
  if (edges > 0) {
    tape.reserveEdges(edges);
    const from = tape.numEdges;
    if (outcome.active) outcome.placeEdges(tape, from);
    if (extra.active) extra.placeEdges(tape, from + (outcome.active ? outcome.size : 0));
    predictor.placeEdges(tape, from + ownEdges);
  }
  predictor.compute();
  const { eta, dEta } = predictor;
  const lp = family.logDensity({ name, n, eta, dEta, propto });
  if (!(Math.abs(lp) < Infinity)) predictor.checkFinite(name);
  if (edges === 0) return lp;
  predictor.reverse();
  return tape.endRow(lp, edges);
}

function checkCounts(name: string): void {
  for (let i = 0; i < outcome.size; i++) {
    if (!(outcome.at(i) >= 0)) outcome.fail(name, i, 'nonnegative');
  }
}

/** 0 < x < ∞. */
function checkExtra(name: string): void {
  for (let i = 0; i < extra.size; i++) {
    const s = extra.at(i);
    if (!(s > 0 && s < Infinity)) extra.fail(name, i, 'positive finite');
  }
}

function sumLogFactorials(n: number): number {
  let s = 0;
  for (let i = 0; i < n; i++) s += logFactorial(outcome.at(i));
  return s;
}

/** y ~ Bernoulli(inv_logit(eta)). Σ log1p(exp(−|eta|)) is computed as a product. */
export const bernoulliLogitGlmLpmf = glmDensity({
  name: 'bernoulli_logit_glm_lpmf',
  extraAt: -1,
  extraLabel: '',
  check(name) {
    for (let i = 0; i < outcome.size; i++) {
      const k = outcome.at(i);
      if (k !== 0 && k !== 1) outcome.fail(name, i, 'in the interval [0, 1]');
    }
  },
  logDensity({ n, eta, dEta }) {
    const { values, start, stride } = outcome;
    let lp = 0;
    for (let from = 0; from < n; from += chunk) {
      const end = Math.min(n, from + chunk);
      let product = 1;
      for (let i = from; i < end; i++) {
        const sign = 2 * values[start + i * stride] - 1;
        const s = sign * eta[i];
        const e = tableExp(-Math.abs(s));
        const factor = 1 + e;
        product *= factor;
        // no branches: the sign of s is as good as random
        lp += Math.min(s, 0);
        dEta[i] = (sign * (s < 0 ? 1 : e)) / factor;
      }
      lp -= Math.log(product);
    }
    return lp;
  },
});

/** y ~ Poisson(exp(eta)). */
export const poissonLogGlmLpmf = glmDensity({
  name: 'poisson_log_glm_lpmf',
  extraAt: -1,
  extraLabel: '',
  check: checkCounts,
  logDensity({ n, eta, dEta, propto }) {
    let lp = propto ? 0 : -sumLogFactorials(n);
    for (let i = 0; i < n; i++) {
      const k = outcome.at(i);
      const rate = tableExp(eta[i]);
      lp += k * eta[i] - rate;
      dEta[i] = k - rate;
    }
    return lp;
  },
});

/** y ~ Normal(eta, sigma). */
export const normalIdGlmLpdf = glmDensity({
  name: 'normal_id_glm_lpdf',
  extraAt: 4,
  extraLabel: 'Scale vector',
  check: checkExtra,
  logDensity({ name, n, eta, dEta, propto }) {
    let sumSquares = 0;
    let logScale = 0;
    for (let i = 0; i < n; i++) {
      const inv = 1 / extra.at(i);
      const z = (outcome.at(i) - eta[i]) * inv;
      sumSquares += z * z;
      dEta[i] = z * inv;
      if (outcome.active) outcome.add(i, -z * inv);
      if (extra.active) extra.add(i, (z * z - 1) * inv);
      if (extra.stride === 1 && (!propto || extra.active)) logScale += Math.log(extra.at(i));
    }
    if (extra.stride === 0 && (!propto || extra.active)) logScale = n * Math.log(extra.at(0));
    if (!(sumSquares < Infinity)) {
      for (let i = 0; i < outcome.size; i++) {
        if (!(Math.abs(outcome.at(i)) < Infinity)) outcome.fail(name, i, 'finite');
      }
    }
    return -0.5 * sumSquares - logScale - (propto ? 0 : n * halfLogTwoPi);
  },
});

/** y ~ NegBinomial2(exp(eta), phi). */
export const negBinomial2LogGlmLpmf = glmDensity({
  name: 'neg_binomial_2_log_glm_lpmf',
  extraAt: 4,
  extraLabel: 'Precision parameter',
  check(name) {
    checkCounts(name);
    checkExtra(name);
  },
  logDensity({ n, eta, dEta, propto }) {
    const withPrecision = !propto || extra.active;
    let lp = propto ? 0 : -sumLogFactorials(n);
    for (let i = 0; i < n; i++) {
      const k = outcome.at(i);
      const phi = extra.at(i);
      const logPhi = Math.log(phi);
      // log(mu + phi) and mu / (mu + phi) without overflow
      const difference = eta[i] - logPhi;
      const e = tableExp(-Math.abs(difference));
      const log1pRatio = Math.max(difference, 0) + tableLog1p(e);
      const share = difference > 0 ? 1 / (1 + e) : e / (1 + e);
      const rest = difference > 0 ? e / (1 + e) : 1 / (1 + e);
      lp += k * (difference - log1pRatio) - phi * log1pRatio;
      // relative to k log(mu/phi): Γ(k + phi)/Γ(phi) phi^(…) stays as it is
      if (withPrecision) lp += logRisingRatio(phi, k);
      dEta[i] = k * rest - phi * share;
      if (extra.active) {
        extra.add(i, negBinomial2Dphi(k, Math.exp(eta[i]), phi));
      }
    }
    return lp;
  },
});

/** y ~ Binomial(N, inv_logit(eta)). */
export const binomialLogitGlmLpmf = glmDensity({
  name: 'binomial_logit_glm_lpmf',
  extraAt: 1,
  extraLabel: 'Population size parameter',
  check(name, n) {
    for (let i = 0; i < n; i++) {
      if (!(extra.at(i) >= 0)) extra.fail(name, i, 'nonnegative');
      if (!(outcome.at(i) >= 0 && outcome.at(i) <= extra.at(i))) {
        outcome.fail(name, i, `in the interval [0, ${extra.at(i)}]`);
      }
    }
  },
  logDensity({ n, eta, dEta, propto }) {
    let lp = 0;
    for (let i = 0; i < n; i++) {
      const successes = outcome.at(i);
      const failures = extra.at(i) - successes;
      const a = eta[i];
      const e = tableExp(-Math.abs(a));
      const log1pE = tableLog1p(e);
      if (!propto) lp += lchoose(extra.at(i), successes);
      lp += successes * (Math.min(a, 0) - log1pE) - failures * (Math.max(a, 0) + log1pE);
      const p = a > 0 ? 1 / (1 + e) : e / (1 + e);
      const q = a > 0 ? e / (1 + e) : 1 / (1 + e);
      dEta[i] = successes * q - failures * p;
    }
    return lp;
  },
});
