/** What an experiment's fields say about its run: whether it is running, its progress, its settings. */
import type { Summary } from '../../../../contract/draws.ts';
import {
  type ChainProgress,
  type Experiment,
  lastingFailures,
} from '../../../../contract/experiment.ts';
import { savedIterations } from '../../../../shared/saved-iterations.ts';
import { isLiveStatus } from '../../../objects/live-status.ts';
import type { Available } from '../../live/draws-loader.ts';
import { inChainOrder } from '../../live/draws-store.ts';
import { drawsByChain } from '../../status/draw-counts.ts';
import { longestChain } from '../../status/longest-chain.ts';
import { statusOf } from '../../status/status-badge.tsx';

/** A number from the settings as run; null if another server does not report it. */
export function settingNumber(experiment: Experiment, key: string): number | null {
  const value = experiment.meta?.settings?.[key];
  return typeof value === 'number' ? value : null;
}

/** Iterations per saved draw: 1 unless the settings say otherwise. */
export function thinOf(experiment: Experiment): number {
  return Math.max(1, settingNumber(experiment, 'thin') ?? 1);
}

/** Sampled by a separate program, here or elsewhere, or being imported: it can be stopped, but not paused or extended. */
export function isProgramRun({ meta }: Experiment): boolean {
  const info = meta?.run_info as { batch_id?: unknown } | null | undefined;
  return Boolean(meta?.runtime || info?.batch_id || meta?.progress?.step);
}

/** Sampled by our own engine, so its columns are known. */
export function hasOwnSampler(experiment: Experiment): boolean {
  const { meta } = experiment;
  return Boolean(meta?.progress) && !isProgramRun(experiment);
}

/** Its chains are simulations, each with different data. */
export function isCalibration({ meta }: Pick<Experiment, 'meta'>): boolean {
  return meta?.settings?.algorithm === 'calibration';
}

/** Algorithms whose results cannot be extended, or gain nothing from it. */
const complete = ['optimize', 'generate_quantities', 'calibration'];

/** A run of ours that has finished or was stopped: its chains can continue from where they are. */
export function isExtendable(experiment: Experiment): boolean {
  const settings = experiment.meta?.settings;
  const isOurs = Boolean(settings) && !isProgramRun(experiment);
  const hasMore = !complete.includes(String(settings?.algorithm));
  return isOurs && experiment.status === 'FIN' && hasMore;
}

/** A chain of this run can be replaced by one with another starting point: while sampling, or after the end. */
export function takesOtherChains(experiment: Experiment): boolean {
  const { status, meta } = experiment;
  const settings = meta?.settings;
  const isOurs = Boolean(settings) && !isProgramRun(experiment);
  const isByNuts = ['undefined', 'nuts'].includes(String(settings?.algorithm));
  const isSampling = status === 'RUN' && statusOf(experiment).label === 'Running';
  return isOurs && isByNuts && (status === 'FIN' || isSampling);
}

/** Some of its chains failed in a way that may not recur on another attempt. */
export function isRetryable(experiment: Experiment): boolean {
  const { status, meta } = experiment;
  const isOurs = Boolean(meta?.settings) && !isProgramRun(experiment);
  const code = meta?.error?.code ?? '';
  return isOurs && status === 'ERR' && code !== '' && !lastingFailures.includes(code);
}

/**
 * Iterations after warmup for which the axis of a trace has room. Of a run that continues or is paused, the empty part is what
 * is left to do; nothing is left of one that has ended.
 */
export function iterationsOnAxis(
  experiment: Experiment,
  summary: Summary | null,
  isLive: boolean,
): number {
  const done = longestChain(experiment, summary) * thinOf(experiment);
  const isOver = !isLive && experiment.meta?.action !== 'paused';
  return isOver ? done : Math.max(settingNumber(experiment, 'num_samples') ?? 0, done);
}

/** Saved draws per chain according to the settings as run. */
export function drawsAsked(experiment: Experiment): number {
  const iterations = settingNumber(experiment, 'num_samples');
  const asked = iterations === null ? experiment.n_samples : iterations / thinOf(experiment);
  return Math.max(1, Math.ceil(asked));
}

/**
 * Draws available from the server, by phase. A share never shows warmup. `counts`: saved draws by chain, if they are
 * known; after the end `n_samples` is only the count of the shortest chain.
 */
export function availableDraws(
  experiment: Experiment,
  isShare: boolean,
  counts: ReadonlyMap<string, number> | null = drawsByChain(experiment),
): { warmup: Available; sampling: Available } {
  const numWarmup = settingNumber(experiment, 'num_warmup') ?? 0;
  const thin = thinOf(experiment);
  const saved = (iterations: number) => savedIterations(iterations, thin);
  const chains = experiment.meta?.progress?.chains ?? [];
  if (isShare || !isLiveStatus(experiment.status) || chains.length === 0) {
    const isKept = !isShare && experiment.meta?.settings?.save_warmup === true;
    return {
      warmup: keptWarmup(chains, isKept ? saved(numWarmup) : 0),
      sampling: {
        byChain: counts !== null && new Set(counts.values()).size > 1 ? counts : new Map(),
        others: counts === null ? experiment.n_samples : Math.max(0, ...counts.values()),
      },
    };
  }
  const byChain = (count: (chain: ChainProgress) => number) =>
    new Map(chains.map((chain) => [chain.name, saved(count(chain))]));
  return {
    warmup: {
      byChain: byChain(({ iteration, warmed_by: other }) =>
        other === undefined ? Math.min(iteration, numWarmup) : 0,
      ),
      others: 0,
    },
    sampling: {
      byChain: byChain(({ iteration }) => Math.max(0, iteration - numWarmup)),
      others: 0,
    },
  };
}

/** By chain if some reused another's warmup and so have no warmup draws; `count`: those of the others. */
function keptWarmup(chains: readonly ChainProgress[], count: number): Available {
  const isShared = chains.some((chain) => chain.warmed_by !== undefined);
  const counts = chains.map(
    (chain) => [chain.name, chain.warmed_by === undefined ? count : 0] as const,
  );
  return { byChain: new Map(isShared ? counts : []), others: count };
}

/** Chains of the run in order of their number: a name's position determines the chain's colour everywhere. */
export function chainNamesOf(
  experiment: Experiment,
  summary: Summary | null,
  stored: readonly string[],
): readonly string[] {
  const reported = experiment.meta?.progress?.chains.map((chain) => chain.name) ?? [];
  const summarised = summary?.chains.map((chain) => chain.name) ?? [];
  return [...new Set([...reported, ...summarised, ...stored])].sort(inChainOrder);
}

/** Changes whenever the run progresses. */
export function progressOf(experiment: Experiment): string {
  const { status, meta, n_samples } = experiment;
  return [status, meta?.action ?? '', meta?.progress?.done ?? '', n_samples].join(' ');
}

/** Whether it accepts commands now. */
export function isControllable(experiment: Experiment): boolean {
  return !['Stopping', 'Finishing', 'Error'].includes(statusOf(experiment).label);
}

/** Draws made elsewhere have neither a program nor a workflow here; a run whose model was deleted may have a workflow. */
export function isRerunnable({ model_id: model, workflow_id: workflow, status }: Experiment) {
  return Boolean(model) || workflow !== '' || isLiveStatus(status);
}

/** The launch page, filled in as this run was. */
export function againSearch({ model_id: model, input, short_id: id }: Experiment) {
  return { model: model ?? '', data: input || 'none', again: id };
}
