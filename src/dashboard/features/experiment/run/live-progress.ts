/** Overall progress of a run: draws so far, and the remaining time of all its chains, including waiting ones. */
import type { Summary } from '../../../../contract/draws.ts';
import type { ChainProgress, Experiment } from '../../../../contract/experiment.ts';
import { counted } from '../../../../posterior/verdict-label.ts';
import { formatCount } from '../../../ui/numbers.ts';
import { totalDraws } from '../../status/draw-counts.ts';

const isRunning = ({ phase }: ChainProgress) => phase === 'warmup' || phase === 'sampling';
const isOpen = ({ phase }: ChainProgress) => phase !== 'done' && phase !== 'failed';

/**
 * Seconds until the last chain ends; null if no chain has a speed yet. The number of chains running in parallel stays
 * the same; a waiting chain starts when the first of them ends and runs at their average speed.
 */
export function secondsLeft(chains: readonly ChainProgress[]): number | null {
  const running = chains.filter(isRunning);
  const rates = running.filter(isSettled).map(rateOf);
  // Most running chains must have a known speed.
  if (rates.length === 0 || 2 * rates.length < running.length) return null;
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  const left = ({ of, iteration }: ChainProgress) => Math.max(0, of - iteration);
  const ends = running.map((chain) => left(chain) / (isSettled(chain) ? rateOf(chain) : mean));
  for (const chain of chains.filter(({ phase }) => phase === 'waiting')) {
    const earliest = Math.min(...ends);
    ends[ends.indexOf(earliest)] = earliest + left(chain) / mean;
  }
  return Math.max(...ends);
}

/** Iterations before a chain's speed predicts its end: in early warmup it changes tenfold. */
const leastIterations = 100;

/** Its speed is usable after some iterations, or after a tenth of a short chain. */
export function isSettled(chain: ChainProgress): boolean {
  return rateOf(chain) > 0 && chain.iteration >= Math.min(leastIterations, chain.of / 10);
}

const rateOf = ({ draws_per_second: rate }: ChainProgress) => rate ?? 0;

/** "4 chains, about 11 s left"; null while it cannot be estimated. */
export function timeLeftText({ meta }: Pick<Experiment, 'meta'>): string | null {
  const chains = meta?.progress?.chains ?? [];
  const seconds = secondsLeft(chains);
  if (seconds === null) return null;
  const open = chains.filter(isOpen);
  const numWaiting = open.filter(({ phase }) => phase === 'waiting').length;
  const waiting = numWaiting > 0 ? ` (${numWaiting} waiting)` : '';
  return `${counted(open.length, 'chain')}${waiting}, about ${aboutText(seconds)} left`;
}

/** 1 s, 45 s, 3 min, 2 h: an estimate has no decimals. */
function aboutText(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}

/** "60 762 of 400 000 draws so far.", and which of them R-hat and ESS use if not all. */
export function soFarText(experiment: Experiment, summary: Summary | null): string {
  const chains = experiment.meta?.progress?.chains ?? [];
  // A run's own counts are newer than its summary.
  const draws = totalDraws(experiment, chains.length > 0 ? null : summary);
  if (draws === 0) {
    const isWarmingUp = chains.some(({ phase }) => phase === 'warmup');
    return isWarmingUp ? 'Warmup: no draws yet.' : 'No draws yet.';
  }
  const asked = (experiment.meta?.iteration_count ?? 0) * (chains.length || experiment.n_chains);
  const all =
    asked > draws ? `${formatCount(draws)} of ${counted(asked, 'draw')}` : counted(draws, 'draw');
  const judged = (summary?.n_chains ?? 0) * (summary?.n_samples ?? 0);
  if (summary === null || judged === 0 || judged >= draws) return `${all} so far.`;
  const basis = `${summary.n_chains} × ${counted(summary.n_samples, 'draw')}`;
  return `${all} so far; R-hat and ESS of ${basis}.`;
}
