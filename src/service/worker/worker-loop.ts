/** A worker: runs chains and jobs from the queue, brings chains to the state their owner wants, and recovers lost ones. */
import { hostname } from 'node:os';
import type pg from 'pg';
import { engineVersion } from '../../engine/checkpoint.ts';
import { endThreads } from '../../engine/workers/node-threads.ts';
import type { Fetcher } from '../fetching/fetcher.ts';
import type { ConfinedRunner } from '../guests/confined-runtimes.ts';
import { createGuestPool, type GuestPool, noteReadFault } from '../guests/guest-pool.ts';
import { createConfinedRunner } from '../language-runtimes/confined-functions.ts';
import { type RuntimeReport, rememberRuntimes } from '../language-runtimes/confinement.ts';
import { createProgramLoop, type ProgramLoop } from '../language-runtimes/program-loop.ts';
import { explainMismatch } from '../migrations/handshake.ts';
import {
  CHAINS_CHANNEL,
  type ChainHold,
  type ClaimedChain,
  CONTROL_CHANNEL,
  claimChain,
  listAwaitingFinalise,
  listDesiredStates,
  requeueLostChains,
  requeueOrphan,
} from '../repositories/chains.ts';
import { listAwaitingScript } from '../repositories/data-scripts.ts';
import { type Connection, createClient, isUnavailable } from '../repositories/database.ts';
import { fireSampleEvents } from '../repositories/event-calls.ts';
import { foldTallies } from '../repositories/object-tallies.ts';
import { keepQueuePlaces } from '../repositories/queue-places.ts';
import { bringTasksBack } from '../repositories/tasks.ts';
import { findVersions } from '../repositories/versions.ts';
import {
  countWorkers,
  findWorkerState,
  insertWorker,
  type NewWorker,
  removeDeadWorkers,
  removeWorker,
  takeSharedRound,
  touchWorker,
  WORKER_LOCK_CLASS,
  type WorkerState,
} from '../repositories/workers.ts';
import { type ChainRunnerDeps, type RunningChain, runClaimedChain } from '../runs/chain-runner.ts';
import { endStalledRuns } from '../runs/end-run.ts';
import { stopOverdueRuns } from '../runs/time-limit.ts';
import type { FileStore } from '../storage/file-store.ts';
import { recoverLostTasks, takeJobs } from './take-jobs.ts';
import { warmUp } from './warm-up.ts';

export interface WorkerOptions extends Omit<ChainRunnerDeps, 'workerId'> {
  readonly connection: Connection;
  readonly files: FileStore;
  /** Where functions run; absent: in its own processes. */
  readonly guests?: GuestPool;
  /** Where functions in other languages run; absent: as `runtimes` says. */
  readonly confined?: ConfinedRunner;
  /** Other languages that run here, looked up when needed; absent: whatever is found, only in a sandbox. */
  readonly runtimes?: () => Promise<RuntimeReport>;
  readonly fetcher?: Fetcher;
  /** Chains that may run at the same time. */
  readonly slots: number;
  /** Names in run_on that it serves; empty: any name that no other worker claims. */
  readonly pools: readonly string[];
  /** Chains of one user that may run at the same time on all machines; absent or 0: no limit. */
  readonly userChains?: number;
  /** Address of the service, for programs that send their draws; absent: no programs can run. */
  readonly serviceUrl?: string;
  /** Started on its own, not by a service, so an administrator may end it. */
  readonly isOwnProcess?: boolean;
  /** The Slurm job in which it runs. */
  readonly job?: string;
  /** Runs a chain; absent: in a thread. */
  readonly runChain?: (deps: ChainRunnerDeps, claim: ClaimedChain) => RunningChain;
  /** How often it checks without a notification; shorter in tests. */
  readonly roundMs?: number;
  /** The program's version; empty when absent. */
  readonly version?: string;
  /** The database has moved to another version: the worker takes no more work. Called once. */
  readonly onOutdated?: (reason: string) => void;
  /** Whether it prepares for its first run while it is idle. */
  readonly warmsUp?: boolean;
  /** Milliseconds without a chain, a program or a job after which `onIdle` is called, once. */
  readonly idleMs?: number;
  readonly onIdle?: () => void;
  /** An administrator has asked it to end. Called once. */
  readonly onRetired?: () => void;
}

export interface Worker {
  readonly id: number;
  readonly isStopping: boolean;
  /** Returns its chains to the queue and stops; another worker, or this one's next start, continues them. */
  stop(): Promise<void>;
}

/** Workers that try to claim as soon as chains are queued; the others do so in their next round, soon enough for many chains. */
const CALLED_AT_ONCE = 32;
/** Rounds between two counts of the workers. */
const ROUNDS_A_COUNT = 15;
/** Per 500 workers, a worker skips one round after each that it does; two at most, so that its heartbeat is in time. */
const WORKERS_A_PAUSE = 500;
const MOST_PAUSES = 2;
const PURGE_MS = 6 * 3600 * 1000;
/** Seconds after which a run that waits for its finaliser is queued for it again. */
const FINALISE_PATIENCE = 10;

export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const worker = new WorkerLoop(options);
  await worker.start();
  return worker;
}

class WorkerLoop implements Worker {
  id = 0;
  private readonly running = new Map<string, RunningChain>();
  private listener: pg.Client | null = null;
  isStopping = false;
  private busyAt = performance.now();
  private readonly ending = new AbortController();
  /** Settles when it has prepared for its first run; null: it has not begun to, and no run has done it. */
  private warming: Promise<void> | null = null;
  private claiming: Promise<void> | null = null;
  private claimAgain = false;
  /** Approximate number of workers. */
  private workers = 1;
  private rounds = 0;
  private timers: NodeJS.Timeout[] = [];
  private suspects: ReadonlySet<string> = new Set();
  /** The state an administrator requests for it. */
  private desired: WorkerState = 'work';

  private readonly roundMs: number;
  private readonly guests: GuestPool;
  private readonly runtimes: () => Promise<RuntimeReport>;
  private programs: ProgramLoop | null = null;

  constructor(private readonly options: WorkerOptions) {
    this.roundMs = options.roundMs ?? 2000;
    this.guests =
      options.guests ?? createGuestPool({ size: 4, onFault: noteReadFault(options.logger) });
    this.runtimes = options.runtimes ?? rememberRuntimes({});
  }

  async start(): Promise<void> {
    const { pool, slots, pools, queue, files, logger, fetcher } = this.options;
    const { serviceUrl, confined = createConfinedRunner(this.runtimes) } = this.options;
    await queue.start();
    this.id = await insertWorker(pool, this.entry);
    this.programs = createProgramLoop({
      pool,
      queue,
      logger,
      pools,
      userChains: this.options.userChains ?? 0,
      serviceUrl,
      workerId: this.id,
      report: this.runtimes,
      slots: Math.max(1, Math.floor(slots / 2)),
    });
    await this.listen();
    // the clock may have been set back while no worker was running
    await this.bringBack();
    await this.beat();
    await this.round();
    const guests = this.guests;
    const workerId = this.id;
    const { workerUrl, heapMiB } = this.options;
    const ending = this.ending.signal;
    const threads = { workerUrl, heapMiB, ending };
    await takeJobs({ pool, queue, files, logger, guests, confined, fetcher, workerId, ...threads });
    for (const work of [() => this.beat(), () => this.round()])
      this.every(this.roundMs, this.thinned(work));
    this.every(PURGE_MS, () => queue.send('purge', {}, { key: 'purge' }));
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    this.ending.abort();
    for (const timer of this.timers) clearInterval(timer);
    await this.claiming;
    await this.warming;
    for (const chain of this.running.values()) chain.giveBack();
    await Promise.all([...this.running.values()].map((chain) => chain.done));
    await endThreads();
    await this.programs?.stop();
    await this.options.queue.stop();
    await this.guests.close();
    await removeWorker(this.options.pool, this.id).catch(() => {});
    await this.listener?.end().catch(() => {});
  }

  /** Its entry for other processes. */
  private get entry(): NewWorker {
    const { slots, pools, version = '', isOwnProcess, job } = this.options;
    return {
      host: hostname(),
      pid: process.pid,
      pools,
      slots,
      version,
      engine: engineVersion,
      isOwnProcess,
      job,
    };
  }

  /** With very many workers, each skips some of the work of every round. */
  private thinned(work: () => Promise<void>): () => Promise<void> {
    let left = 0;
    return async () => {
      const pauses = Math.min(MOST_PAUSES, Math.floor(this.workers / WORKERS_A_PAUSE));
      left = left < pauses ? left + 1 : 0;
      if (left === 0) await work();
    };
  }

  private every(ms: number, work: () => Promise<void>): void {
    let isBusy = false;
    const timer = setInterval(() => {
      if (isBusy || this.isStopping) return;
      isBusy = true;
      work()
        .catch((error: unknown) => {
          // resources of a round are closed while the worker stops
          if (this.isStopping) return;
          this.options.logger.warn({ err: error }, 'a round of the worker failed');
        })
        .finally(() => {
          isBusy = false;
        });
    }, ms);
    this.timers.push(timer);
  }

  /**
   * One connection listens for new chains and changed desired states, and holds the lock that proves this worker is alive:
   * when the process dies, the database releases the lock immediately.
   */
  private async listen(): Promise<void> {
    const client = createClient(this.options.connection);
    client.on('notification', ({ channel }) => {
      if (channel === CHAINS_CHANNEL && Math.random() * this.workers < CALLED_AT_ONCE) this.claim();
      if (channel === CONTROL_CHANNEL)
        Promise.all([this.applyDesiredStates(), this.applyOwnState()]).catch((error: unknown) =>
          this.note(error),
        );
    });
    client.on('error', (error) => this.note(error));
    client.on('end', () => {
      if (this.listener === client) this.listener = null;
    });
    try {
      await client.connect();
      await client.query('select pg_advisory_lock($1::int, $2::int)', [WORKER_LOCK_CLASS, this.id]);
      await client.query(`listen ${CHAINS_CHANNEL}`);
      await client.query(`listen ${CONTROL_CHANNEL}`);
    } catch (error) {
      client.end().catch(() => {});
      throw error;
    }
    this.listener = client;
  }

  private note(error: unknown): void {
    if (!this.isStopping)
      this.options.logger.warn({ err: error }, 'the connection of the worker failed');
  }

  /** Separate from the round, which may have to wait for rows that a frozen process has locked. */
  private async beat(): Promise<void> {
    if (this.listener === null) await this.listen();
    const isSetBack = await touchWorker(this.options.pool, this.id, this.entry);
    if (this.isStopping) await removeWorker(this.options.pool, this.id);
    else if (isSetBack) await this.bringBack();
  }

  /** Work that must happen even if a message was lost or a process died. */
  private async round(): Promise<void> {
    const { pool } = this.options;
    if (await this.isOutdated()) return;
    if (this.rounds++ % ROUNDS_A_COUNT === 0) await this.countOthers();
    await this.applyOwnState();
    await this.applyDesiredStates();
    // slightly less than a round, so that a single worker does it in each of its rounds
    if (await takeSharedRound(pool, 0.9 * this.roundMs)) await this.lookAfterAll();
    this.claim();
    this.noteIdle();
  }

  private async countOthers(): Promise<void> {
    this.workers = await countWorkers(this.options.pool);
    this.options.queue.noteWorkers?.(this.workers);
  }

  /** What one worker does for all: recovers lost chains, tasks and jobs, and runs what is due. */
  private async lookAfterAll(): Promise<void> {
    const { pool, queue } = this.options;
    await removeDeadWorkers(pool);
    await requeueLostChains(pool, WORKER_LOCK_CLASS);
    await fireSampleEvents(pool);
    await recoverLostTasks({ pool, queue });
    for (const id of await listAwaitingScript(pool))
      await queue.send('data_script', { experimentId: id }, { key: String(id) });
    await foldTallies(pool);
    await stopOverdueRuns(pool, queue);
    await endStalledRuns(pool, queue);
    for (const id of await listAwaitingFinalise(pool, FINALISE_PATIENCE)) {
      await queue.send('finalise', { experimentId: id }, { key: String(id) });
    }
    await keepQueuePlaces(pool);
  }

  /** Nothing is running here, and nothing is waiting that could run here. */
  private noteIdle(): void {
    const { idleMs, onIdle, queue } = this.options;
    const isBusy = this.running.size > 0 || this.programs?.isBusy() === true || queue.isBusy();
    if (isBusy) this.busyAt = performance.now();
    const restMs = performance.now() - this.busyAt;
    if (restMs >= this.roundMs) this.warmUp();
    if (!isBusy && idleMs !== undefined && restMs >= idleMs) onIdle?.();
  }

  private warmUp(): void {
    const { warmsUp = false, slots, workerUrl, heapMiB, logger } = this.options;
    if (!warmsUp || this.isStopping) return;
    this.warming ??= warmUp({ slots, workerUrl, heapMiB, signal: this.ending.signal }).catch(
      (error: unknown) => logger.warn({ err: error }, 'the worker could not prepare for a run'),
    );
  }

  /** A newer service has migrated the database to its version: this worker's writes may be wrong there. */
  private async isOutdated(): Promise<boolean> {
    const { pool, logger, onOutdated } = this.options;
    const reason = explainMismatch(await findVersions(pool));
    if (reason === null || onOutdated === undefined) return false;
    logger.error({ reason }, 'the worker ends; its chains go back to the queue');
    onOutdated(reason);
    return true;
  }

  /** Stops taking work, or ends, when an administrator asks for it. */
  private async applyOwnState(): Promise<void> {
    const { pool, logger, onRetired } = this.options;
    const desired = (await findWorkerState(pool, this.id)) ?? 'work';
    if (desired === this.desired) return;
    this.desired = desired;
    logger.info({ worker: this.id, desired }, 'the desired state of the worker changed');
    if (desired === 'retire') onRetired?.();
    else this.claim();
  }

  private async bringBack(): Promise<void> {
    await bringTasksBack(this.options.pool);
    await this.options.queue.bringBack();
  }

  /** Fills free slots; may be called at any time. */
  private claim(): void {
    if (this.isStopping || this.desired !== 'work') return;
    this.programs?.claim();
    if (this.claiming !== null) {
      this.claimAgain = true;
      return;
    }
    this.claiming = this.fillSlots()
      .catch((error: unknown) => {
        if (!isUnavailable(error)) this.note(error);
      })
      .finally(() => {
        this.claiming = null;
        if (!this.claimAgain) return;
        this.claimAgain = false;
        this.claim();
      });
  }

  private async fillSlots(): Promise<void> {
    const { pool, slots, pools, userChains = 0, runChain = runClaimedChain } = this.options;
    while (this.running.size < slots && !this.isStopping && this.desired === 'work') {
      const claim = await claimChain(pool, { workerId: this.id, pools, userChains });
      if (claim === null) return;
      this.warming ??= Promise.resolve();
      const key = keyOf(claim);
      const chain = runChain({ ...this.options, workerId: this.id }, claim);
      this.running.set(key, chain);
      void chain.done.then(() => {
        if (this.running.get(key) === chain) this.running.delete(key);
        this.claim();
      });
    }
  }

  private async applyDesiredStates(): Promise<void> {
    const held = new Map<string, RunningChain>(this.running);
    const desired = await listDesiredStates(this.options.pool, this.id);
    for (const row of desired) {
      const key = keyOf(row);
      held.get(key)?.applyState(row.desired_state);
      held.delete(key);
    }
    await this.releaseOrphans(desired);
    // Chains that the table no longer assigns to us must not continue here.
    for (const [key, chain] of held) if (this.running.get(key) === chain) chain.abandon();
  }

  /** Rows that say a chain runs here though none does (its end could not be written) return to the queue. */
  private async releaseOrphans(rows: readonly ChainHold[]): Promise<void> {
    const orphans = rows.filter((row) => !this.running.has(keyOf(row)));
    // A newly claimed chain may be on its way to us: only one that was here before and was missing twice is an orphan.
    for (const row of orphans.filter((row) => this.suspects.has(keyOf(row)))) {
      await requeueOrphan(this.options.pool, row);
    }
    this.suspects = new Set(orphans.map(keyOf));
  }
}

function keyOf(chain: { experiment_id: number; chain: number; lease: number }): string {
  return `${chain.experiment_id}/${chain.chain}/${chain.lease}`;
}
