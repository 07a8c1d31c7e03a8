/**
 * Where the true values of one simulation lie among the draws of its posterior.
 *
 * Draws of a Markov chain are dependent, which would make ranks too extreme: every nth draw is used, n being draws ÷ ESS of
 * that quantity (the smaller of bulk and tail), so the number of draws differs by simulation and quantity. The rank r
 * among L draws becomes (r + U) ÷ (L + 1) with a random U from a fixed seed; if draws equal the true value, r is
 * random among the ranks it could have. That is uniform on [0, 1] for any L if draws and truth come from one
 * distribution. Sources: Talts, Betancourt, Simpson, Vehtari & Gelman 2018, arXiv 1804.06788, sections 4 and 5.1 (thinning);
 * Säilynoja, Bürkner & Vehtari 2022, Statistics and Computing 32:32, section 3.1; Modrák et al. 2023, Bayesian Analysis, for
 * ties and for the log density as a quantity.
 */
import { testColumns } from './calibration-columns.ts';
import { isConstant } from './draws.ts';
import { essBulk, essTail } from './ess.ts';
import { createRandom } from './seeded-random.ts';

export interface QuantityRank {
  readonly quantity: string;
  /** Thinned draws below the true value, of how many. */
  readonly rank: number;
  readonly draws: number;
  /** In [0, 1]: uniform if all is right. */
  readonly position: number;
  /** NaN if only an indicator is known. */
  readonly truth: number;
  readonly mean: number;
  readonly variance: number;
}

export interface SimulationRanks {
  /** `chain#12`. */
  readonly chain: string;
  readonly ranks: readonly QuantityRank[];
  /** Smallest bulk ESS over the quantities; NaN: there are none. */
  readonly ess: number;
}

/** Columns that {@link rankSimulation} reads. */
export function rankedColumns(columns: readonly string[]): string[] {
  return testColumns(columns).flatMap(({ quantity, column, kind }) =>
    kind === 'indicator' ? [column] : [quantity, column],
  );
}

/** `columns`: the draws of one chain by column, at least {@link rankedColumns}. Constant quantities are left out. */
export function rankSimulation(
  chain: string,
  columns: ReadonlyMap<string, Float64Array>,
): SimulationRanks {
  let ess = Number.POSITIVE_INFINITY;
  const ranks = testColumns([...columns.keys()]).flatMap(({ quantity, column, kind }) => {
    const known = columns.get(column);
    const own = kind === 'truth' ? columns.get(quantity) : known;
    if (known === undefined || own === undefined || own.length === 0) return [];
    const truth = kind === 'truth' ? known[0] : Number.NaN;
    if (kind === 'truth' && (Number.isNaN(truth) || isFixed(own, truth))) return [];
    if (own.some(Number.isNaN)) return [];
    const size = essOf(own, kind === 'indicator');
    ess = Math.min(ess, size.bulk);
    const random = createRandom(hashOf(`${chain} ${quantity}`))();
    const place = placeAmong(own, kind === 'truth' ? truth : null, size.least, random);
    return [
      { quantity, truth, ...place, ...momentsOf(own, kind === 'truth' && quantity !== 'lp__') },
    ];
  });
  return { chain, ranks, ess: ranks.length === 0 ? Number.NaN : ess };
}

/** Structural zeros and ones of factors and correlations: not unknowns. */
const isFixed = (draws: Float64Array, truth: number): boolean =>
  isConstant(draws) && Math.abs(draws[0] - truth) <= 1e-12 * Math.max(1, Math.abs(truth));

/** A constant chain counts as one draw; an indicator may be constant, and then its draws count as they are. */
function essOf(draws: Float64Array, isIndicator: boolean): { bulk: number; least: number } {
  const still = isIndicator ? draws.length : 1;
  if (isConstant(draws)) return { bulk: still, least: still };
  const known = (size: number) =>
    Number.isNaN(size) ? 1 : Math.max(1, Math.min(draws.length, size));
  const bulk = known(essBulk([draws]));
  return { bulk, least: isIndicator ? bulk : Math.min(bulk, known(essTail([draws]))) };
}

/** `truth` null: the draws themselves say whether they lie below. */
function placeAmong(draws: Float64Array, truth: number | null, ess: number, random: number) {
  const step = Math.max(1, Math.ceil(draws.length / ess - 1e-9));
  let below = 0;
  let equal = 0;
  let count = 0;
  // from the end of each stretch, so that the first chosen draw is as far from the start as later ones from each other
  for (let i = step - 1; i < draws.length; i += step) {
    count += 1;
    if (truth === null ? draws[i] === 1 : draws[i] < truth) below += 1;
    else if (draws[i] === truth) equal += 1;
  }
  const among = random * (equal + 1);
  return {
    rank: below + Math.floor(among),
    draws: count,
    position: (below + among) / (count + 1),
  };
}

function momentsOf(draws: Float64Array, isValue: boolean): { mean: number; variance: number } {
  if (!isValue) return { mean: Number.NaN, variance: Number.NaN };
  let sum = 0;
  for (const value of draws) sum += value;
  const mean = sum / draws.length;
  let squares = 0;
  for (const value of draws) squares += (value - mean) ** 2;
  return { mean, variance: squares / Math.max(1, draws.length - 1) };
}

/** FNV-1a: another chain or quantity gets another random part. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  return hash;
}
