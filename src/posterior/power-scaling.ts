/**
 * How much a posterior depends on its prior and on its likelihood: each is raised to a power near 1 by weighting the
 * existing draws, and the effect on every variable is measured.
 * Source: Kallioinen, Paananen, Bürkner & Vehtari 2024, Statistics and Computing 34:57.
 */
import { alignChains, type ChainDraws, type FlatChains, type VariableDraws } from './draws.ts';
import { relativeEfficiency } from './loo.ts';
import { sortedOrder } from './order.ts';
import { paretoKThreshold } from './pareto-fit.ts';
import { psis } from './psis.ts';

/** Sensitivity from which the paper reports a dependence (section 3.3). */
export const sensitivityLimit = 0.05;

/** The powers, below and above 1. */
const powers = [0.99, 1.01] as const;

export type SensitivityFinding = 'prior-data conflict' | 'strong prior or weak likelihood' | 'none';

export interface VariableSensitivity {
  readonly variable: string;
  /** Change of the distribution per doubling of the power; NaN for a constant and if draws are not finite. */
  readonly prior: number;
  readonly likelihood: number;
  readonly finding: SensitivityFinding;
}

export interface Sensitivity {
  readonly variables: readonly VariableSensitivity[];
  /** The larger Pareto k of the two powers; above `limit` the weights, and so the sensitivities, are not reliable. */
  readonly pareto_k: { readonly prior: number; readonly likelihood: number };
  readonly limit: number;
  readonly num_draws: number;
}

export interface SensitivityInput {
  readonly variables: readonly VariableDraws[];
  /** Terms of the log prior and of the log likelihood: the sums of the terms are scaled. */
  readonly logPrior: readonly ChainDraws[];
  readonly logLik: readonly ChainDraws[];
  /** ESS ÷ draws of the importance ratios; default found from them. */
  readonly relativeEfficiency?: number;
}

/** Every variable's sensitivity, in the order given. Chains of different lengths are cut to the shortest. */
export function sensitivityOf(input: SensitivityInput): Sensitivity {
  const { variables, logPrior, logLik, relativeEfficiency } = input;
  const prior = scale(logPrior, relativeEfficiency);
  const likelihood = scale(logLik, relativeEfficiency);
  return {
    variables: variables.map(({ variable, chains }) => {
      const draws = alignChains(chains).values;
      const toPrior = gradient(draws, prior);
      const toLikelihood = gradient(draws, likelihood);
      const finding = findingOf(toPrior, toLikelihood);
      return { variable, prior: toPrior, likelihood: toLikelihood, finding };
    }),
    pareto_k: { prior: prior.k, likelihood: likelihood.k },
    limit: paretoKThreshold(prior.numDraws),
    num_draws: prior.numDraws,
  };
}

/** Section 3.3: sensitivity to both means that they disagree, to the prior alone that the data say little. */
function findingOf(prior: number, likelihood: number): SensitivityFinding {
  if (!(prior >= sensitivityLimit)) return 'none';
  return likelihood >= sensitivityLimit ? 'prior-data conflict' : 'strong prior or weak likelihood';
}

interface Scaled {
  /** Normalised weights of the draws for each of the powers. */
  readonly weights: readonly Float64Array[];
  readonly k: number;
  readonly numDraws: number;
}

function scale(terms: readonly ChainDraws[], efficiency?: number): Scaled {
  const total = sumOf(terms.map((chains) => alignChains(chains)));
  const { values, numChains, length } = total;
  const smoothed = powers.map((power) => {
    const logRatios = values.map((value) => (power - 1) * value);
    return psis(logRatios, efficiency ?? relativeEfficiency(logRatios, numChains, length));
  });
  return {
    weights: smoothed.map(({ logWeights }) => logWeights.map(Math.exp)),
    // NaN wins: a ratio that is not finite invalidates both
    k: smoothed.reduce((most, { k }) => Math.max(most, k), -Infinity),
    numDraws: values.length,
  };
}

/** Adds the others to the first. */
function sumOf(terms: readonly FlatChains[]): FlatChains {
  const [first, ...others] = terms;
  if (first === undefined) return { values: new Float64Array(0), numChains: 0, length: 0 };
  const { values } = first;
  for (const other of others) for (let i = 0; i < values.length; i++) values[i] += other.values[i];
  return first;
}

/** Eq. 10: the distance at both powers over the distance of their logarithms to base 2. */
function gradient(draws: Float64Array, { weights }: Scaled): number {
  const [below, above] = weights;
  const distance = scaledDistance(draws, below) + scaledDistance(draws, above);
  return distance / (Math.log2(powers[1]) - Math.log2(powers[0]));
}

/**
 * Square root of the cumulative Jensen–Shannon divergence between draws with equal and with other weights, as a share
 * of its upper bound: 0 to 1. The larger of the values for x and −x, so that a change of sign changes nothing.
 * NaN for a constant, and for draws or weights that are not finite. `weights` sum to 1.
 * Source: Nguyen & Vreeken 2015, ECML PKDD, LNCS 9285; Kallioinen et al. 2024, section 3.2.
 */
export function scaledDistance(draws: Float64Array, weights: Float64Array): number {
  const order = sortedOrder(draws);
  const n = draws.length;
  let equal = 0;
  let weighted = 0;
  const up = createDivergence();
  const down = createDivergence();
  for (let i = 0; i + 1 < n; i++) {
    equal += 1 / n;
    weighted += weights[order[i]];
    const width = draws[order[i + 1]] - draws[order[i]];
    up.add(width, equal, weighted);
    // of −x: what lies above, from the other end
    down.add(width, 1 - equal, 1 - weighted);
  }
  return Math.sqrt(Math.max(up.share(), down.share()));
}

/** Both directions of the divergence between two distribution functions, summed over steps. */
function createDivergence() {
  let divergence = 0;
  let bound = 0;
  return {
    add(width: number, p: number, q: number): void {
      const middle = 0.5 * (p + q);
      divergence += width * (termOf(p, middle) + termOf(q, middle));
      bound += width * (p + q);
    },
    // rounding may leave a little less than nothing
    share: () => (divergence < 0 ? 0 : divergence / bound),
  };
}

const termOf = (p: number, middle: number) => (p > 0 ? p * Math.log2(p / middle) : 0);
