/** Runs one claimed chain in a thread and commits its output: a batch of draws with its checkpoint, or neither. */

import type pg from 'pg';
import { settingsOfChain, withSource } from '../../engine/chain-settings.ts';
import type { ChainCheckpoint } from '../../engine/checkpoint.ts';
import { columnBlocks } from '../../engine/column-blocks.ts';
import { columnBounds } from '../../engine/column-bounds.ts';
import type { ChainFailure } from '../../engine/events.ts';
import { endOfWarmup, followersOf, startFrom } from '../../engine/shared-warmup.ts';
import { type ChainHandle, type ChainOutcome, startChain } from '../../engine/workers/node-host.ts';
import type { ChainEvent } from '../../engine/workers/protocol.ts';
import { type Diagnostic, render } from '../../language/diagnostics.ts';
import type { SourceFile } from '../../language/source/source-file.ts';
import { isSamplerColumn } from '../../posterior/draws.ts';
import { readStored } from '../content/settings-text.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import type { Logger } from '../logging.ts';
import {
  type ChainEnd,
  type ChainHold,
  type ChainPlace,
  type ClaimedChain,
  type DesiredState,
  insertFollowers,
  listChains,
  lockChains,
  lockHeldChain,
  publishLive,
  updateChain,
} from '../repositories/chains.ts';
import { commitOnce } from '../repositories/commit-once.ts';
import { type Executor, isGiven, isUnavailable } from '../repositories/database.ts';
import { type DrawColumn, ensureLayout, insertDraws } from '../repositories/draws.ts';
import { findFrozen, growDraws, updateVariableCount } from '../repositories/experiments.ts';
import { appendLog } from '../repositories/logs.ts';
import { inSpan, type OpenSpan, openSpan, outsideTrace } from '../spans.ts';
import { ChainSpeed } from './chain-speed.ts';
import { endChain } from './end-run.ts';
import { failureCode } from './failure-scope.ts';
import { readProgram, readRunData } from './program.ts';
import { readSourceDraws } from './source-draws.ts';

export interface ChainRunnerDeps {
  readonly pool: pg.Pool;
  readonly queue: JobQueue;
  readonly logger: Logger;
  /** The built thread; the engine's default when absent. */
  readonly workerUrl?: URL;
  /** Milliseconds between commits; the engine's default when absent. */
  readonly flushMs?: number;
  /** True while the disk is full and the remaining space is reserved for deleting: nothing is stored meanwhile. */
  readonly isDiskFull?: () => boolean;
  /** MiB of heap for a chain's thread; the engine's default when absent. */
  readonly heapMiB?: number;
  /** Names this process in traces. */
  readonly workerId?: number;
}

export interface RunningChain {
  readonly hold: ChainHold;
  /** Brings the chain to the state its owner wants; a lost chain stops without writing more. */
  applyState(desired: DesiredState): void;
  /** Stops the thread and gives the chain back to the queue, to continue from its last checkpoint. */
  giveBack(): void;
  abandon(): void;
  /** Resolves when the thread has ended and the row records how; never rejects. */
  readonly done: Promise<void>;
}

/** The chain belongs to another worker now (or to none). */
class LeaseLost extends Error {}

export function runClaimedChain(deps: ChainRunnerDeps, claim: ClaimedChain): RunningChain {
  return new ChainRunner(deps, claim);
}

class ChainRunner implements RunningChain {
  readonly hold: ChainHold;
  readonly done: Promise<void>;
  private handle: ChainHandle | null = null;
  /** Why the thread was asked to stop. */
  private ending: 'pause' | 'stop' | 'give-back' | 'abandon' | null = null;
  private layoutId = 0;
  private logLines = '';
  /** Characters of it in the current transaction. */
  private logTaken = 0;
  /** Of the last commit. */
  private iteration: number;
  private readonly speed = new ChainSpeed();
  private isLost = false;

  constructor(
    private readonly deps: ChainRunnerDeps,
    private readonly claim: ClaimedChain,
  ) {
    const { experiment_id, chain, lease } = claim;
    this.hold = { experiment_id, chain, lease };
    this.iteration = claim.iteration;
    this.done = this.runInTrace().catch((error: unknown) => {
      deps.logger.error(
        { err: error, experiment: claim.short_id, chain },
        'a chain could not be ended cleanly',
      );
    });
  }

  applyState(desired: DesiredState): void {
    if (desired !== 'run') this.end(desired);
  }

  giveBack(): void {
    this.end('give-back');
  }

  abandon(): void {
    this.isLost = true;
    this.end('abandon');
  }

  private end(why: 'pause' | 'stop' | 'give-back' | 'abandon'): void {
    // A stop beats a pause; giving back and losing beat both.
    if (this.ending === null || this.ending === 'pause' || why === 'abandon' || why === 'give-back')
      this.ending = why;
    this.handle?.stop();
  }

  /** In the trace of the request that started or resumed the run: first the wait in the queue, then the work. */
  private runInTrace(): Promise<void> {
    const { claim, deps } = this;
    const where = {
      kind: 'consumer',
      parent: claim.trace_parent,
      attributes: {
        'ergodic.run.id': claim.short_id,
        'ergodic.chain': claim.chain,
        'ergodic.attempt': claim.lease,
        ...(deps.workerId === undefined ? {} : { 'ergodic.worker.id': deps.workerId }),
      },
    } as const;
    openSpan('wait in queue', { ...where, sinceMs: claim.waited_seconds * 1000 }).end();
    return inSpan('chain', where, (span) => this.run(span));
  }

  private get place(): ChainPlace {
    return { ...this.hold, iteration: this.iteration };
  }

  private async run(span: OpenSpan): Promise<void> {
    const outcome = await this.sample().catch((error: unknown) => {
      if (isUnavailable(error)) throw error;
      // if given back to the queue, it would meet the same fault forever
      const reason = error instanceof Error ? error.message : String(error);
      return this.failed('worker-failed', `The chain could not be started: ${reason}`);
    });
    span.set({ 'ergodic.chain.outcome': this.isLost ? 'lost' : outcome.status });
    if (this.isLost) return;
    await this.persist(async (tx) => {
      // Locks all chains of the run, in order: two that end at the same time would otherwise wait for each other's row.
      await lockChains(tx, this.hold.experiment_id);
      await this.writeLog(tx);
      const end = await this.endOf(tx, outcome);
      if (outcome.status === 'failed') {
        const text = `${this.claim.name}: ${outcome.failure.message}\n${placesOf(outcome.details)}`;
        await appendLog(tx, { experimentId: this.hold.experiment_id, stream: 'stdlog', text });
      }
      if (!(await endChain(tx, this.deps.queue, { place: this.place, end }))) throw new LeaseLost();
      await publishLive(tx, this.claim.short_id, 'status');
    });
  }

  /** Runs the thread; failures to start are reported like failures while running. */
  private async sample(): Promise<ChainOutcome> {
    const { claim, deps } = this;
    const settings = readStored(claim.settings);
    const frozen = await findFrozen(deps.pool, claim.experiment_id);
    if (!isGiven(frozen?.program))
      return this.failed('program-invalid', 'The program of this run no longer exists.');
    const program = await readProgram(deps.pool, frozen.program);
    if (!program.ok) return this.failed('program-invalid', program.error);
    const data = await readRunData(deps.pool, frozen.dataHash, frozen.dataFmt);
    if (!data.ok) return this.failed('program-invalid', data.error);
    const draws = await readSourceDraws(deps.pool, claim.settings, claim.chain);
    if (!draws.ok) return this.failed('program-invalid', draws.error);
    const timeout = settings.timeout === null ? null : settings.timeout - claim.sampled_seconds;
    const overTime = `The chain took longer than the ${settings.timeout} seconds allowed (timeout).`;
    if (timeout !== null && timeout <= 0) return this.failed('run-timeout', overTime);
    // warmup draws that are not saved are there to be watched
    const streamWarmup = settings.saveWarmup || ('if-small' as const);
    const place = { seed: settings.seed ?? 0, chain: claim.chain, streamWarmup };
    const ofChain = settingsOfChain(settings, place);
    this.handle = startChain({
      source: program.value.source,
      files: program.value.files,
      data: data.value,
      chain: claim.chain,
      settings: draws.value === null ? ofChain : withSource(ofChain, draws.value),
      checkpoint: readCheckpoint(claim.checkpoint),
      timeout,
      iterationTimeout: settings.iterationTimeout,
      flushMs: deps.flushMs,
      heapMiB: deps.heapMiB,
      workerUrl: deps.workerUrl,
      // everything that the run's chains have in common
      run: JSON.stringify([claim.short_id, frozen, place.seed]),
      onEvent: (event) => this.onEvent(event),
    });
    if (this.ending !== null) this.handle.stop();
    const outcome = await this.handle.done;
    // the thread knows only the time that remained when it started
    if (outcome.status === 'failed' && outcome.failure.reason === 'run-timeout')
      return this.failed('run-timeout', overTime);
    return outcome;
  }

  private failed(reason: ChainFailure['reason'], message: string): ChainOutcome {
    return { status: 'failed', failure: { chain: this.claim.chain, reason, message } };
  }

  private async onEvent(event: ChainEvent): Promise<void> {
    if (this.isLost) return;
    switch (event.type) {
      case 'started':
        await this.persist((tx) => this.prepareLayout(tx, event));
        break;
      case 'advanced': {
        // Once, even if the transaction is retried.
        const drawsPerSecond = this.speed.report(event.progress.iteration, performance.now());
        // several a second, for hours: they would flood the trace
        await outsideTrace(() => this.persist((tx) => this.commit(tx, event, drawsPerSecond)));
        if (!this.isLost) this.iteration = event.progress.iteration;
        break;
      }
      case 'log':
        if (this.logLines.length < 1 << 20) this.logLines += `${this.claim.name}: ${event.line}\n`;
        break;
      default:
        break;
    }
  }

  private async prepareLayout(
    tx: Executor,
    { columns: names, variables }: Extract<ChainEvent, { type: 'started' }>,
  ): Promise<void> {
    if (!(await lockHeldChain(tx, this.place))) throw new LeaseLost();
    const bounds = columnBounds(variables);
    const blocks = columnBlocks(variables);
    // The sampler's columns come before those of the program.
    const numSampler = names.length - bounds.length;
    const columns = names.map(
      (name, k): DrawColumn =>
        isSamplerColumn(name) || name === 'lp__'
          ? { name, sampler: true }
          : { name, ...bounds[k - numSampler], block: blocks[k - numSampler] },
    );
    this.layoutId = await ensureLayout(tx, this.hold.experiment_id, columns);
    const numVariables = columns.filter((column) => !column.sampler).length;
    await updateVariableCount(tx, this.hold.experiment_id, numVariables);
  }

  private async commit(
    tx: Executor,
    event: Extract<ChainEvent, { type: 'advanced' }>,
    drawsPerSecond: number | null,
  ): Promise<void> {
    const { experiment_id: experimentId, chain } = this.hold;
    const { progress, checkpoint, blocks } = event;
    const isHeld = await updateChain(tx, this.place, {
      phase: progress.phase,
      iteration: progress.iteration,
      savedWarmup: checkpoint.warmupDraws,
      savedSamples: checkpoint.samplingDraws,
      divergences: progress.divergences,
      treedepthHits: progress.treeDepthHits,
      drawsPerSecond,
      warmupSeconds: progress.warmupSeconds,
      samplingSeconds: progress.samplingSeconds,
      stepSize: Number.isFinite(progress.stepSize) ? progress.stepSize : null,
      checkpoint: Buffer.from(JSON.stringify(checkpoint)),
    });
    if (!isHeld) throw new LeaseLost();
    await this.startFollowers(tx, checkpoint);
    for (const { phase, firstIteration, count, values } of blocks) {
      await insertDraws(tx, {
        experimentId,
        chain,
        phase,
        layoutId: this.layoutId,
        firstIteration,
        count,
        values,
      });
    }
    if (blocks.length > 0) await growDraws(tx, experimentId);
    await this.writeLog(tx);
    await publishLive(tx, this.claim.short_id, 'draws');
  }

  /** Queues the chains that start from this one's warmup, once it has ended. */
  private async startFollowers(tx: Executor, checkpoint: ChainCheckpoint): Promise<void> {
    const warmedUp = endOfWarmup(checkpoint);
    if (warmedUp === null) return;
    const followers = followersOf(readStored(this.claim.settings), this.claim.chain);
    await insertFollowers(
      tx,
      this.place,
      followers.map((chain) => ({
        chain,
        checkpoint: Buffer.from(JSON.stringify(startFrom(warmedUp, chain))),
      })),
    );
  }

  private async writeLog(tx: Executor): Promise<void> {
    const text = this.logLines;
    if (text === '') return;
    await appendLog(tx, { experimentId: this.hold.experiment_id, stream: 'stdlog', text });
    await publishLive(tx, this.claim.short_id, 'log');
    this.logTaken = text.length;
  }

  private async endOf(tx: Executor, outcome: ChainOutcome): Promise<ChainEnd> {
    switch (outcome.status) {
      case 'failed':
        return {
          state: 'failed',
          errorCode: failureCode(outcome.failure.reason),
          errorMessage: outcome.failure.message,
        };
      case 'complete': {
        const row = (await listChains(tx, this.hold.experiment_id)).find(
          ({ chain }) => chain === this.hold.chain,
        );
        // Extended while it ran: it continues from here.
        const isExtended = row !== undefined && row.iterations > this.claim.iterations;
        return { state: isExtended ? 'queued' : 'done' };
      }
      case 'stopped':
        // the row has the owner's current command, which may be the opposite of what stopped the thread
        return { state: 'queued' };
    }
  }

  /**
   * Runs a transaction, and retries while the database is unavailable; the chain waits. If the lease is lost, the
   * thread ends without writing more.
   */
  private async persist(work: (tx: Executor) => Promise<void>): Promise<void> {
    const { pool, logger, isDiskFull } = this.deps;
    const attempt = async (tx: Executor) => {
      this.logTaken = 0;
      await work(tx);
    };
    try {
      await commitOnce(pool, attempt, {
        before: async () => {
          while (isDiskFull?.() && this.ending === null)
            await new Promise((resolve) => setTimeout(resolve, 2000));
        },
        onRetry: (error) => logger.warn({ err: error }, 'a chain could not be stored; retrying'),
        isGivenUp: () => this.ending === 'abandon',
      });
      this.logLines = this.logLines.slice(this.logTaken);
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      this.abandon();
    }
  }
}

/** The compiler's errors in the program, with their lines; empty if the program's text is not at fault. */
function placesOf(details: unknown): string {
  const { diagnostics = [], files = [] } = (details ?? {}) as Partial<CompilerFindings>;
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
  return errors.map((diagnostic) => `${render(diagnostic, files)}\n`).join('\n');
}

/** As the chain's thread sends them for a program that does not compile. */
interface CompilerFindings {
  readonly diagnostics: readonly Diagnostic[];
  readonly files: readonly SourceFile[];
}

function readCheckpoint(bytes: Buffer | null): ChainCheckpoint | undefined {
  return bytes === null ? undefined : (JSON.parse(bytes.toString('utf8')) as ChainCheckpoint);
}
