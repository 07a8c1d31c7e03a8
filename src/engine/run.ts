/** Runs all chains of a run across worker threads and gathers their draws. */
import type { DataJson, OutputVariable } from '../language/program.ts';
import { drawSeed, settingsOfChain, withSource } from './chain-settings.ts';
import type { SourceDraws } from './chain-state.ts';
import { type ChainCheckpoint, decodeFloats, type NutsCheckpoint } from './checkpoint.ts';
import { blockColumn, type ChainProgress, type DrawBlock, type Phase } from './events.ts';
import { endsRun } from './failure-scope.ts';
import { diagonalOfLowRank } from './hmc/low-rank.ts';
import type { Settings } from './settings-table.ts';
import { endOfWarmup, startFrom, warmedBy } from './shared-warmup.ts';
import {
  type ChainHandle,
  type ChainOutcome,
  defaultParallelChains,
  type StartChainRequest,
  startChain,
} from './workers/node-host.ts';
import type { ChainEvent } from './workers/protocol.ts';

export interface RunRequest {
  readonly source: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly data: DataJson;
  readonly settings: Settings;
  /** For `generate_quantities`: the draws of each chain, which determine the number of chains. */
  readonly sources?: readonly SourceDraws[];
  /** Chains that run simultaneously; if absent, decided by the settings, then by the machine's cores. */
  readonly parallel?: number;
  readonly onEvent?: (chain: number, event: ChainEvent) => void;
  /** Stops all chains and keeps their draws. */
  readonly signal?: AbortSignal;
  readonly limits?: Pick<StartChainRequest, 'arrayBytes' | 'heapMiB' | 'flushMs'>;
  readonly workerUrl?: URL;
}

/** The result of one chain. */
export interface ChainRun {
  /** 1-based. */
  readonly chain: number;
  /** The chain whose warmup it started from; absent: it warmed up itself. */
  readonly warmedBy?: number;
  readonly outcome: ChainOutcome;
  /** One array of draws per column, in the order of `columns`; those of warmup are empty unless `saveWarmup`. */
  readonly warmup: readonly Float64Array[];
  readonly sampling: readonly Float64Array[];
  /** Null if the chain did not start. */
  readonly progress: ChainProgress | null;
  /** The result of adaptation, only the diagonal of a low-rank metric; null if there is nothing to adapt. */
  readonly adaptation: { readonly stepSize: number; readonly invMetric: Float64Array } | null;
}

export interface RunResult {
  /** As given or drawn. */
  readonly seed: number;
  /** Sampler columns and the model's; empty when no chain started. */
  readonly columns: readonly string[];
  readonly variables: readonly OutputVariable[];
  readonly chains: readonly ChainRun[];
}

export async function runChains(request: RunRequest): Promise<RunResult> {
  const { settings } = request;
  const seed = settings.seed ?? drawSeed();
  const parallel = request.parallel ?? settings.parallelChains ?? defaultParallelChains();
  const numChains = request.sources?.length ?? settings.numChains;
  const gathered = Array.from({ length: numChains }, (_, i) =>
    createGathering(i + 1, warmedBy(settings, i + 1)),
  );
  const waiting = gathered.values();
  const run = crypto.randomUUID();
  const lane = async () => {
    for (const gathering of waiting) {
      // chains that warm up come first, so the one we wait for is running or has ended
      const warmup = gathered[gathering.warmedBy - 1];
      const start = warmup === gathering ? undefined : await warmup.warmedUp;
      const failed = failureOfAll(gathered);
      if (request.signal?.aborted) gathering.outcome = { status: 'stopped' };
      else if (failed !== null)
        gathering.outcome = { ...failed, failure: { ...failed.failure, chain: gathering.chain } };
      else if (start === null) gathering.outcome = withoutWarmup(gathering.chain, warmup);
      else await runOne(request, { seed, run, start }, gathering);
      gathering.endWarmup(null);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, parallel) }, lane));
  const started = gathered.find((gathering) => gathering.columns.length > 0);
  return {
    seed,
    columns: started?.columns ?? [],
    variables: started?.variables ?? [],
    chains: gathered.map(assemble),
  };
}

type Failed = Extract<ChainOutcome, { status: 'failed' }>;

/** How the chains that have not started end without starting: with this program or these data, each would fail. */
function failureOfAll(gathered: readonly Gathering[]): Failed | null {
  for (const { outcome } of gathered)
    if (outcome.status === 'failed' && endsRun[outcome.failure.reason]) return outcome;
  return null;
}

/** What a chain delivers while it runs. */
interface Gathering {
  readonly chain: number;
  readonly warmedBy: number;
  /** The end of its warmup, once available; null if the chain ended without reaching it. */
  readonly warmedUp: Promise<NutsCheckpoint | null>;
  readonly endWarmup: (checkpoint: NutsCheckpoint | null) => void;
  readonly blocks: DrawBlock[];
  columns: readonly string[];
  variables: readonly OutputVariable[];
  progress: ChainProgress | null;
  checkpoint: ChainCheckpoint | null;
  outcome: ChainOutcome;
}

function createGathering(chain: number, warmedBy: number): Gathering {
  let endWarmup: Gathering['endWarmup'] = () => {};
  const warmedUp = new Promise<NutsCheckpoint | null>((resolve) => {
    endWarmup = resolve;
  });
  return {
    chain,
    warmedBy,
    warmedUp,
    endWarmup,
    blocks: [],
    columns: [],
    variables: [],
    progress: null,
    checkpoint: null,
    outcome: { status: 'stopped' },
  };
}

async function runOne(
  request: RunRequest,
  {
    seed,
    run,
    start,
  }: { readonly seed: number; readonly run: string; readonly start: NutsCheckpoint | undefined },
  gathering: Gathering,
): Promise<void> {
  const { settings, source, files, data, limits, workerUrl, signal } = request;
  const { chain } = gathering;
  const ofChain = settingsOfChain(settings, { seed, chain, streamWarmup: settings.saveWarmup });
  const draws = request.sources?.[chain - 1];
  const handle: ChainHandle = startChain({
    source,
    files,
    data,
    chain,
    settings: draws === undefined ? ofChain : withSource(ofChain, draws),
    timeout: settings.timeout,
    iterationTimeout: settings.iterationTimeout,
    ...limits,
    workerUrl,
    run,
    ...(start === undefined ? {} : { checkpoint: startFrom(start, chain) }),
    onEvent(event) {
      if (event.type === 'started') {
        gathering.columns = event.columns;
        gathering.variables = event.variables;
      } else if (event.type === 'advanced') {
        gathering.blocks.push(...event.blocks);
        gathering.progress = event.progress;
        gathering.checkpoint = event.checkpoint;
        const end = endOfWarmup(event.checkpoint);
        if (end !== null) gathering.endWarmup(end);
      }
      request.onEvent?.(chain, event);
    },
  });
  const stop = () => handle.stop();
  signal?.addEventListener('abort', stop);
  gathering.outcome = await handle.done;
  signal?.removeEventListener('abort', stop);
}

/** The outcome of a chain that cannot start because the chain whose warmup it needs did not finish it. */
function withoutWarmup(chain: number, { chain: other, outcome }: Gathering): ChainOutcome {
  if (outcome.status !== 'failed') return { status: 'stopped' };
  const { reason, message } = outcome.failure;
  const failure = {
    chain,
    reason,
    message: `Chain ${other} did not finish its warmup: ${message}`,
  };
  return { status: 'failed', failure };
}

function assemble(gathering: Gathering): ChainRun {
  const { chain, warmedBy, outcome, progress, checkpoint, columns, blocks } = gathering;
  const gather = (phase: Phase) => gatherColumns(blocks, columns.length, phase);
  return {
    chain,
    ...(warmedBy === chain ? {} : { warmedBy }),
    outcome,
    progress,
    adaptation: checkpoint === null ? null : adaptationOf(checkpoint),
    warmup: gather('warmup'),
    sampling: gather('sampling'),
  };
}

/** Null if nothing adapts: algorithms other than NUTS, and models without parameters. */
export function adaptationOf(checkpoint: ChainCheckpoint): ChainRun['adaptation'] {
  if ('fitVersion' in checkpoint || checkpoint.numUnconstrained === 0) return null;
  const [stepSize] = decodeFloats(checkpoint.stepSize);
  const invMetric = decodeFloats(checkpoint.invMetric);
  const isLowRank = checkpoint.settings.metric === 'low-rank';
  return {
    stepSize,
    invMetric: isLowRank ? diagonalOfLowRank(invMetric, checkpoint.numUnconstrained) : invMetric,
  };
}

function gatherColumns(
  blocks: readonly DrawBlock[],
  numColumns: number,
  phase: Phase,
): Float64Array[] {
  const wanted = blocks.filter((block) => block.phase === phase);
  const length = wanted.reduce((sum, block) => sum + block.count, 0);
  return Array.from({ length: numColumns }, (_, c) => {
    const values = new Float64Array(length);
    for (const block of wanted) values.set(blockColumn(block, c), block.firstIteration - 1);
    return values;
  });
}
