/** The `meta` of an experiment as the API shows it: the stored value, with newer values from the rows. */
import {
  type ChainProgress,
  type ExperimentMeta,
  verdictSchema,
} from '../../contract/experiment.ts';
import { parseSettings } from '../../engine/settings.ts';
import { followersOf } from '../../engine/shared-warmup.ts';
import { withLabels } from '../../posterior/labelled-verdict.ts';
import { hasLabels, readLabels } from '../../posterior/variable-labels.ts';
import type { LabelledVerdict } from '../../posterior/verdict-label.ts';
import { savedIterations } from '../../shared/saved-iterations.ts';

/** A chain of a run that has not ended, as the list query gives it. */
export interface LiveChain {
  readonly chain: number;
  readonly name: string;
  readonly state: string;
  readonly phase: string;
  readonly iteration: number;
  readonly of: number;
  readonly draws_per_second: number | null;
  readonly divergences: number;
  readonly saved: number;
  /** The chain whose warmup it started from; null: it warms up itself. */
  readonly warmed_by: number | null;
}

/** What the service writes in the `meta` of its own runs, or adds when it is read: clients cannot set these keys there. */
export const serviceKeys: ReadonlySet<string> = new Set([
  'action',
  'data_name',
  'data_path',
  'data_version',
  'elapsed_seconds',
  'error',
  'finished_at',
  'idle_seconds',
  'iteration_count',
  'model_version',
  'moment_match',
  'progress',
  'queue_place',
  'run_info',
  'settings',
  'silent_since',
  'started_at',
  'time_limit_reached',
  'verdict',
]);

export interface ComposeMetaInput {
  readonly stored: Readonly<Record<string, unknown>>;
  readonly live: readonly LiveChain[] | null;
  readonly queuePlace: number | null;
  /** When an outside runner sent its last message, if long ago; null or absent: recently, or none is expected. */
  readonly silentSince?: string | null;
  readonly status: string;
  readonly experiment: {
    readonly settings: Readonly<Record<string, unknown>> | null;
    readonly model_version: number | null;
    readonly data_name: string;
    readonly data_version: number | null;
    readonly started_at: string | null;
    readonly finished_at: string | null;
    /** Grows with every change of the draws, or of the choice of chains. */
    readonly revision: number;
  };
}

export function composeMeta({
  stored,
  live,
  queuePlace,
  silentSince,
  status,
  experiment,
}: ComposeMetaInput): ExperimentMeta {
  const { settings, started_at: startedAt, finished_at: finishedAt } = experiment;
  const meta: Record<string, unknown> = { ...stored };
  meta.action = typeof stored.action === 'string' ? stored.action : '';
  if ((stored.moment_match as { revision?: unknown } | undefined)?.revision !== experiment.revision)
    delete meta.moment_match;
  const labels = readLabels(stored.labels);
  const verdict = hasLabels(labels) ? verdictOf(stored) : null;
  if (verdict !== null) meta.verdict = withLabels(verdict, labels);
  if (settings !== null) {
    meta.settings = settings;
    meta.iteration_count ??= savedPerChain(settings);
  }
  // lists are documented to hold an integer, whatever a client stored
  if (!Number.isInteger(meta.iteration_count)) meta.iteration_count = 0;
  if (experiment.model_version !== null) meta.model_version = experiment.model_version;
  if (experiment.data_name !== '') meta.data_name = experiment.data_name;
  if (experiment.data_version !== null) meta.data_version = experiment.data_version;
  if (startedAt !== null) meta.started_at = startedAt;
  delete meta.idle_seconds;
  // shown as running until its statistics are done
  if (finishedAt !== null && status !== 'SAMPLE_FIN') {
    meta.finished_at = finishedAt;
    if (startedAt !== null) {
      const seconds = (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000;
      meta.elapsed_seconds = Math.max(0, seconds - idleSeconds(stored));
    }
  }
  if (live !== null && live.length > 0)
    meta.progress = composeProgress(withFollowersToCome(live, settings), settings);
  if (status === 'NEW' && queuePlace !== null && queuePlace > 0) meta.queue_place = queuePlace;
  if (silentSince) meta.silent_since = silentSince;
  if (status === 'SAMPLE_FIN') {
    meta.run_info = { ...(stored.run_info as object | undefined), status: 'SAMPLE_FIN' };
  }
  return meta;
}

/** See `countIdleSeconds`; clients may have stored anything. */
function idleSeconds({ idle_seconds: idle }: Readonly<Record<string, unknown>>): number {
  return typeof idle === 'number' ? idle : 0;
}

/** A verdict in our form; null: there is none, or a client wrote another form. */
function verdictOf({ verdict }: Readonly<Record<string, unknown>>): LabelledVerdict | null {
  const read = verdictSchema.safeParse(verdict);
  return read.success ? (verdict as LabelledVerdict) : null;
}

/** Names of chains that the owner left out of summary, verdict and plots; other forms from clients are ignored. */
export function chainsLeftOut(
  meta: Readonly<Record<string, unknown>> | null | undefined,
): string[] {
  const stored = meta?.chains_left_out;
  return Array.isArray(stored) ? stored.filter((name) => typeof name === 'string') : [];
}

function savedPerChain(settings: Readonly<Record<string, unknown>>): number | null {
  const { num_samples: samples, thin = 1 } = settings;
  return typeof samples === 'number' && typeof thin === 'number'
    ? savedIterations(samples, thin)
    : null;
}

/** Adds the chains that will start from others' warmup: each waits, its warmup done. */
function withFollowersToCome(
  live: readonly LiveChain[],
  stored: Readonly<Record<string, unknown>> | null,
): readonly LiveChain[] {
  // most runs share no warmup, and lists need many
  if (typeof stored?.warmup_chains !== 'number') return live;
  const parsed = parseSettings(stored);
  if (!parsed.ok) return live;
  const { settings } = parsed;
  const known = new Set(live.map(({ chain }) => chain));
  const toCome = live.flatMap((leader) => {
    const isOpen =
      leader.state === 'queued' || leader.state === 'running' || leader.state === 'paused';
    if (leader.warmed_by !== null || !isOpen) return [];
    return followersOf(settings, leader.chain)
      .filter((chain) => !known.has(chain))
      .map((chain) => ({
        ...leader,
        chain,
        name: `chain#${chain}`,
        state: 'queued',
        iteration: settings.numWarmup,
        draws_per_second: null,
        saved: 0,
        divergences: 0,
        warmed_by: leader.chain,
      }));
  });
  return [...live, ...toCome].toSorted((a, b) => a.chain - b.chain);
}

/** A warmup that several chains start from counts once. */
export function composeProgress(
  live: readonly LiveChain[],
  settings: Readonly<Record<string, unknown>> | null,
): {
  done: number;
  total: number;
  chains: ChainProgress[];
} {
  const numWarmup = typeof settings?.num_warmup === 'number' ? settings.num_warmup : 0;
  const chains = live.map((chain) => ({
    name: chain.name,
    phase: phaseOf(chain),
    iteration: chain.iteration,
    of: chain.of,
    draws_per_second: chain.state === 'running' ? chain.draws_per_second : null,
    draws: chain.saved,
    divergences: chain.divergences,
    ...(chain.warmed_by === null ? {} : { warmed_by: `chain#${chain.warmed_by}` }),
  }));
  const sum = (of: (chain: LiveChain) => number) =>
    live.reduce(
      (total, chain) => total + Math.max(0, of(chain) - (chain.warmed_by === null ? 0 : numWarmup)),
      0,
    );
  // a stopped chain makes no more, even if the others continue
  const total = sum((chain) => (chain.state === 'stopped' ? chain.iteration : chain.of));
  return { done: sum((chain) => chain.iteration), total, chains };
}

function phaseOf({ state, phase }: LiveChain): ChainProgress['phase'] {
  if (state === 'failed') return 'failed';
  if (state === 'done' || state === 'stopped') return 'done';
  if (state === 'queued') return 'waiting';
  return phase === 'warmup' || phase === 'sampling' ? phase : 'waiting';
}
