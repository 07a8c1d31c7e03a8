/**
 * Simulation-based calibration: over many simulations the true values must lie uniformly among the draws. Judged by the
 * ECDF of their positions and its simultaneous band (Säilynoja, Bürkner & Vehtari 2022). Several quantities are judged by
 * bands of probability 1 − 0.05 ÷ K (Bonferroni), so that all K stay inside in 95 of 100 runs that are right.
 */
import { uniformEcdf } from './predictive/uniform-band.ts';
import type { QuantityRank, SimulationRanks } from './simulation-ranks.ts';
import { verdictLimits } from './verdict-limits.ts';

/** How the posterior deviates: where the true values lie too often. */
export type CalibrationShape = 'narrow' | 'wide' | 'high' | 'low' | 'other';

export interface CalibratedQuantity {
  readonly variable: string;
  /** `warn`: outside the band of 95 %; `bad`: outside that of 99.9 %, each over all quantities. */
  readonly state: 'passed' | 'warn' | 'bad';
  /** Only if it deviates. */
  readonly shape: CalibrationShape | null;
  /** The largest distance of the ECDF from uniform, in halves of the band: 1 and more is outside. */
  readonly distance: number;
  /** 1 − posterior variance ÷ variance of the true values: 0 if the data are uninformative. NaN: unknown. */
  readonly contraction: number;
  /** Mean and sd of (posterior mean − true value) ÷ posterior sd: about 0 and 1. NaN: unknown. */
  readonly z_mean: number;
  readonly z_sd: number;
  /** One entry per simulation, in the order of `chains`; null: this quantity is unknown there. */
  readonly ranks: readonly (QuantityRank | null)[];
}

export interface Calibration {
  /** Names of the chains whose simulations are complete. */
  readonly chains: readonly string[];
  /** Probability of each quantity's band. */
  readonly probability: number;
  /** Named as in the program. */
  readonly quantities: readonly CalibratedQuantity[];
}

/** Probability outside the bands, over all quantities together. */
const jointLevels = { warn: 0.05, bad: 0.001 } as const;

/** Points of the band: fewer if there are many simulations, since the exact band of both takes seconds. */
export const bandPoints = (simulations: number): number => (simulations > 300 ? 50 : 100);

export function calibrate(simulations: readonly SimulationRanks[]): Calibration {
  const names = new Set(simulations.flatMap(({ ranks }) => ranks.map(({ quantity }) => quantity)));
  const found = simulations.map(
    ({ ranks }) => new Map(ranks.map((rank) => [rank.quantity, rank] as const)),
  );
  const count = Math.max(1, names.size);
  return {
    chains: simulations.map(({ chain }) => chain),
    probability: 1 - jointLevels.warn / count,
    quantities: [...names].map((variable) =>
      judgeQuantity(
        variable,
        found.map((ranks) => ranks.get(variable) ?? null),
        count,
      ),
    ),
  };
}

function judgeQuantity(
  variable: string,
  ranks: readonly (QuantityRank | null)[],
  numQuantities: number,
): CalibratedQuantity {
  const known = ranks.filter((rank) => rank !== null);
  const positions = Float64Array.from(known, ({ position }) => position);
  const departs = (level: number) => distanceOf(positions, 1 - level / numQuantities);
  const distance = departs(jointLevels.warn);
  const isOutside = leaves(distance) && positions.length >= verdictLimits.leastSimulations;
  const isFar = isOutside && leaves(departs(jointLevels.bad));
  return {
    variable,
    state: isFar ? 'bad' : isOutside ? 'warn' : 'passed',
    shape: isOutside ? shapeOf(positions) : null,
    distance,
    ...shrinkageOf(known),
    ranks,
  };
}

/**
 * Largest distance of the ECDF from the diagonal, in halves of the band of `probability` plus one simulation: counts
 * are integers, so values on the edge are inside. At least 1: it leaves the band.
 */
function distanceOf(positions: Float64Array, probability: number): number {
  const n = positions.length;
  const ecdf = uniformEcdf(positions, { points: bandPoints(n), probability });
  if (ecdf === null) return Number.NaN;
  const { difference, low, high } = ecdf;
  let largest = 0;
  for (let k = 0; k < difference.length; k++) {
    const edge = difference[k] > 0 ? high[k] : -low[k];
    largest = Math.max(largest, Math.abs(difference[k]) / (edge + 1 / n));
  }
  return largest;
}

const leaves = (distance: number): boolean => distance >= 1 - 1e-9;

/** A fifth of uniform positions lie at either end. */
const end = 0.2;

/**
 * If both ends are overfull (∪), the posterior is too narrow; if both are empty (∩), too wide. Otherwise the mean
 * decides whether it lies too high or too low, unless it is within two standard errors of a uniform's mean.
 */
function shapeOf(positions: Float64Array): CalibrationShape {
  const n = positions.length;
  let [sum, squares, low, high] = [0, 0, 0, 0];
  for (const u of positions) {
    sum += u - 0.5;
    squares += (u - 0.5) ** 2;
    if (u < end) low += 1;
    if (u > 1 - end) high += 1;
  }
  // for a uniform: Var U = 1/12, Var (U − ½)² = 1/180
  const byMean = (sum / n) * Math.sqrt(12 * n);
  const bySpread = (squares / n - 1 / 12) * Math.sqrt(180 * n);
  const [least, most] = [Math.min(low, high) / n - end, Math.max(low, high) / n - end];
  if (bySpread >= 2 && least > most / 2) return 'narrow';
  if (bySpread <= -2 && most < 0 && Math.abs(byMean) < Math.abs(bySpread)) return 'wide';
  // true values above the draws: the posterior lies too low
  if (byMean >= 2) return 'low';
  return byMean <= -2 ? 'high' : 'other';
}

/** Source: Schad, Betancourt & Vasishth 2021, Psychological Methods 26(1), section "Model sensitivity". */
function shrinkageOf(
  known: readonly QuantityRank[],
): Pick<CalibratedQuantity, 'contraction' | 'z_mean' | 'z_sd'> {
  const used = known.filter(({ truth, variance }) => Number.isFinite(truth) && variance > 0);
  const none = Number.NaN;
  if (used.length < 2) return { contraction: none, z_mean: none, z_sd: none };
  const prior = varianceOf(used.map(({ truth }) => truth));
  const posterior = meanOf(used.map(({ variance }) => variance));
  const z = used.map(({ truth, mean, variance }) => (mean - truth) / Math.sqrt(variance));
  return {
    contraction: prior > 0 ? 1 - posterior / prior : none,
    z_mean: meanOf(z),
    z_sd: Math.sqrt(varianceOf(z)),
  };
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function varianceOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return meanOf(values.map((value) => (value - mean) ** 2)) * (values.length / (values.length - 1));
}
