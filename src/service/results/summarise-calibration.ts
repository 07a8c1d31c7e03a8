/** A calibration's results so far: the ranks of the completed simulations, read one chain at a time. */
import type { WireCalibration } from '../../contract/draws.ts';
import { type Calibration, calibrate } from '../../posterior/calibration.ts';
import type { SimulationCounts } from '../../posterior/judge-calibration.ts';
import {
  type QuantityRank,
  rankedColumns,
  rankSimulation,
  type SimulationRanks,
} from '../../posterior/simulation-ranks.ts';
import { verdictLimits } from '../../posterior/verdict-limits.ts';
import { savedIterations } from '../../shared/saved-iterations.ts';
import type { ChainRow } from '../repositories/chains.ts';

export interface FoundCalibration {
  readonly calibration: Calibration;
  readonly counts: SimulationCounts;
}

export interface CalibrationRequest {
  readonly chains: readonly ChainRow[];
  /** Draws by name of chain. */
  readonly lengths: ReadonlyMap<string, number>;
  readonly columns: readonly string[];
  readonly leftOut: readonly string[];
  readonly settings: Readonly<Record<string, unknown>> | null | undefined;
  readonly read: (chain: string, columns: readonly string[]) => Promise<Map<string, Float64Array>>;
}

/** A simulation counts only with all its draws: a chain that was stopped is left out. */
export async function readCalibration(request: CalibrationRequest): Promise<FoundCalibration> {
  const { chains, lengths, columns, leftOut, read } = request;
  const wanted = drawsOf(request);
  const ranked = rankedColumns(columns);
  const simulations: SimulationRanks[] = [];
  for (const [name, length] of lengths) {
    if (length < wanted || leftOut.includes(name)) continue;
    simulations.push(rankSimulation(name, await read(name, ranked)));
  }
  const done = new Set(simulations.map(({ chain }) => chain));
  const kept = chains.filter(({ name }) => !leftOut.includes(name));
  return {
    calibration: calibrate(simulations),
    counts: {
      asked: Math.max(kept.length, simulations.length),
      failed: kept.filter(({ state }) => state === 'failed').map(({ name }) => name),
      divergent: kept
        .filter(({ name, divergences }) => done.has(name) && divergences > 0)
        .map(({ name }) => name),
      slow: simulations
        .filter(({ ess }) => ess < Math.min(verdictLimits.leastRankEss, wanted))
        .map(({ chain }) => chain),
    },
  };
}

function drawsOf({ settings, lengths }: CalibrationRequest): number {
  const { num_samples: samples, thin = 1 } = settings ?? {};
  if (typeof samples === 'number' && typeof thin === 'number')
    return Math.max(1, savedIterations(samples, thin));
  return Math.max(1, ...lengths.values());
}

/** Maximum number of ranks sent; beyond it, quantities that are farthest inside are left out. */
const mostRanks = 200_000;

export function calibrationToWire({ calibration, counts }: FoundCalibration): WireCalibration {
  const { chains, probability, quantities } = calibration;
  const room = Math.floor(mostRanks / Math.max(1, chains.length));
  const sent = new Set(quantities.toSorted((a, b) => b.distance - a.distance).slice(0, room));
  return {
    asked: counts.asked,
    chains: [...chains],
    failed: [...counts.failed],
    divergent: [...counts.divergent],
    slow: [...counts.slow],
    probability,
    quantities: quantities.map((quantity) => ({
      variable: quantity.variable,
      state: quantity.state,
      shape: quantity.shape,
      distance: orNull(quantity.distance),
      contraction: orNull(quantity.contraction),
      z_mean: orNull(quantity.z_mean),
      z_sd: orNull(quantity.z_sd),
      ...(sent.has(quantity) ? ranksToWire(quantity.ranks) : {}),
    })),
  };
}

function ranksToWire(ranks: readonly (QuantityRank | null)[]) {
  const all = (of: (rank: QuantityRank) => number) =>
    ranks.map((rank) => (rank === null ? null : orNull(of(rank))));
  return {
    rank: all(({ rank }) => rank),
    draws: all(({ draws }) => draws),
    position: all(({ position }) => Number(position.toFixed(6))),
    truth: all(({ truth }) => truth),
  };
}

const orNull = (value: number): number | null => (Number.isFinite(value) ? value : null);
