/** Rank plots: how the ranks of each chain are spread, and the band that contains them if the chains agree. */
import { alignChains, type ChainDraws, countNonFinite } from './draws.ts';
import { sortedOrder, takeInOrder } from './order.ts';
import { averageRanks } from './ranks.ts';
import { createRandom } from './seeded-random.ts';

export interface RankEcdf {
  /** Fractional ranks at which everything is evaluated; the last is 1. */
  readonly z: Float64Array;
  /** Chain by chain: ECDF of the chain's fractional ranks minus z. */
  readonly differences: readonly Float64Array[];
  /** The simultaneous band of the differences. */
  readonly low: Float64Array;
  readonly high: Float64Array;
}

export interface RankEcdfOptions {
  /** Evaluation points (default: 100, or the draws of a chain when fewer). */
  readonly points?: number;
  /** Probability that all chains stay inside everywhere if they draw from one distribution (default 0.95). */
  readonly probability?: number;
}

/**
 * ECDF differences of fractional ranks with their simultaneous band. Null for fewer than two chains (one chain's
 * ranks are always 1…N) or draws that are not finite.
 * Source: Säilynoja, Bürkner & Vehtari 2022, arXiv 2103.10522, section 3 (chains share one ranking, so counts are
 * hypergeometric).
 */
export function rankEcdf(chains: ChainDraws, options: RankEcdfOptions = {}): RankEcdf | null {
  const ranked = pooledRanks(chains);
  if (ranked === null) return null;
  const { ranks, numChains, length } = ranked;
  const points = Math.min(length, options.points ?? 100);
  const gamma = bandCoverage({
    length,
    numChains,
    points,
    probability: options.probability ?? 0.95,
  });
  const z = Float64Array.from({ length: points }, (_, k) => (k + 1) / points);
  const differences = Array.from({ length: numChains }, (_, chain) => {
    const counts = countRanks(
      ranks.subarray(chain * length, (chain + 1) * length),
      ranks.length,
      points,
    );
    let below = 0;
    return counts.map((count, k) => {
      below += count;
      return below / length - z[k];
    });
  });
  const low = new Float64Array(points);
  const high = new Float64Array(points);
  // γ is such a probability itself: up to rounding, its own count is inside.
  const isInside = (tail: number) => tail >= gamma * (1 - 1e-9);
  for (let k = 0; k < points; k++) {
    const tails = tailsOf(ranks.length, ranksUpTo(k, points, ranks.length), length);
    low[k] = tails.findIndex(isInside) / length - z[k];
    high[k] = tails.findLastIndex(isInside) / length - z[k];
  }
  return { z, differences, low, high };
}

/** Counts of each chain's ranks in `bins` even bins; the expected count is N/bins. Null as for {@link rankEcdf}. */
export function rankHistogram(chains: ChainDraws, bins: number): Float64Array[] | null {
  const ranked = pooledRanks(chains);
  if (ranked === null) return null;
  const { ranks, numChains, length } = ranked;
  return Array.from({ length: numChains }, (_, chain) =>
    countRanks(ranks.subarray(chain * length, (chain + 1) * length), ranks.length, bins),
  );
}

function pooledRanks(chains: ChainDraws) {
  if (countNonFinite(chains) > 0) return null;
  const { values, numChains, length } = alignChains(chains);
  if (numChains < 2) return null;
  const order = sortedOrder(values);
  const ranks = new Float64Array(values.length);
  averageRanks(order, takeInOrder(values, order), ranks);
  return { ranks, numChains, length };
}

/** How many ranks are in each of `bins` bins; bin k contains fractional ranks in (k/bins, (k+1)/bins]. */
function countRanks(ranks: Float64Array, total: number, bins: number): Float64Array {
  const counts = new Float64Array(bins);
  for (const rank of ranks) counts[Math.ceil((rank * bins) / total) - 1]++;
  return counts;
}

/** How many of `total` ranks lie at or below point k. The quotient comes last: 0.29 · 400 is less than 116 as doubles. */
const ranksUpTo = (k: number, points: number, total: number) =>
  Math.floor(((k + 1) * total) / points);

interface BandKey {
  readonly length: number;
  readonly numChains: number;
  readonly points: number;
  readonly probability: number;
}

const knownCoverages = new Map<string, number>();

/** Simulated runs; the standard error of the band's probability is then 0.5 %. */
const SIMULATIONS = 2000;
/** Longer chains are simulated at this length: γ hardly changes with N once there are few points in comparison. */
const LONGEST_SIMULATED = 1000;

/**
 * γ: the pointwise level whose band has the requested simultaneous probability. Found by simulating chains that agree,
 * from a fixed seed, and cached, since it does not depend on the draws.
 */
function bandCoverage(key: BandKey): number {
  const length = Math.max(key.points, Math.min(key.length, LONGEST_SIMULATED));
  const name = [length, key.numChains, key.points, key.probability].join();
  const known = knownCoverages.get(name);
  if (known !== undefined) return known;
  const smallest = simulateSmallestTails({ ...key, length });
  const gamma = smallest[Math.floor((1 - key.probability) * SIMULATIONS)];
  if (knownCoverages.size >= 64) knownCoverages.clear();
  knownCoverages.set(name, gamma);
  return gamma;
}

/** Ascending: for each simulated run, the smallest two-sided tail probability over points and chains. */
function simulateSmallestTails({ length, numChains, points }: BandKey): Float64Array {
  const total = length * numChains;
  const tails = Array.from({ length: points - 1 }, (_, k) =>
    tailsOf(total, ranksUpTo(k, points, total), length),
  );
  const chainOf = Uint32Array.from({ length: total }, (_, i) => i % numChains);
  const below = new Uint32Array(numChains);
  const random = createRandom();
  const smallest = new Float64Array(SIMULATIONS);
  for (let run = 0; run < SIMULATIONS; run++) {
    below.fill(0);
    let least = 1;
    let next = 0;
    for (let k = 0; k < tails.length; k++) {
      for (const end = ranksUpTo(k, points, total); next < end; next++) {
        // Fisher–Yates, one step at a time: which chain has the next rank.
        const other = next + Math.floor(random() * (total - next));
        const chain = chainOf[other];
        chainOf[other] = chainOf[next];
        chainOf[next] = chain;
        below[chain]++;
      }
      for (let chain = 0; chain < numChains; chain++)
        least = Math.min(least, tails[k][below[chain]]);
    }
    smallest[run] = least;
  }
  return smallest.sort();
}

/**
 * With `marked` of `total` ranks below: the two-sided tail probability of each possible number of them in a chain of
 * `drawn` (hypergeometric).
 */
function tailsOf(total: number, marked: number, drawn: number): Float64Array {
  const mass = new Float64Array(drawn + 1);
  const mode = Math.floor(((drawn + 1) * (marked + 1)) / (total + 2));
  const ratio = (c: number) =>
    ((drawn - c) * (marked - c)) / ((c + 1) * (total - marked - drawn + c + 1));
  mass[mode] = 1;
  for (let c = mode; c < drawn; c++) mass[c + 1] = mass[c] * ratio(c);
  for (let c = mode; c > 0; c--) mass[c - 1] = mass[c] / ratio(c - 1);
  let sum = 0;
  for (const m of mass) sum += m;

  let below = 0;
  return mass.map((m) => {
    const from = 1 - below;
    below += m / sum;
    return Math.min(1, 2 * Math.min(below, from));
  });
}
