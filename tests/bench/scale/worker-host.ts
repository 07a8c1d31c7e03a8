/** A process with many workers whose chains sleep. */

import { createLogger } from '../../../src/service/logging.ts';
import { type ClaimedChain, updateChain } from '../../../src/service/repositories/chains.ts';
import {
  execute,
  inTransaction,
  openDatabase,
  sql,
} from '../../../src/service/repositories/database.ts';
import type { ChainRunnerDeps, RunningChain } from '../../../src/service/runs/chain-runner.ts';
import { endChain } from '../../../src/service/runs/end-run.ts';
import { createDiskStore } from '../../../src/service/storage/disk-store.ts';
import { startWorker } from '../../../src/service/worker/worker-loop.ts';
import { createMemoryQueue } from '../../support/memory-queue.ts';
import type { HostSettings } from './workers.ts';

const { url, workers, slots, folder } = JSON.parse(process.argv[2] ?? '{}') as HostSettings;
const { pool, connection } = openDatabase({ connectionString: url }, { maxConnections: 16 });

/** Iterations between two writes, of 100 ms each. */
const stepIterations = 50;
const iterationMs = 100;

class SleepingChain implements RunningChain {
  readonly done: Promise<void>;
  private isOver = false;
  private wake = () => {};

  constructor(
    private readonly deps: ChainRunnerDeps,
    readonly hold: ClaimedChain,
  ) {
    this.done = this.run().catch(() => {});
  }

  applyState(): void {}
  giveBack(): void {
    this.abandon();
  }
  abandon(): void {
    this.isOver = true;
    this.wake();
  }

  private async run(): Promise<void> {
    const { hold } = this;
    for (let iteration = 0; iteration < hold.iterations; ) {
      const next = Math.min(iteration + stepIterations, hold.iterations);
      await this.sleep((next - iteration) * iterationMs);
      if (this.isOver || !(await this.write(iteration, next))) return;
      iteration = next;
    }
    await inTransaction(this.deps.pool, (tx) =>
      endChain(tx, this.deps.queue, {
        place: { ...hold, iteration: hold.iterations },
        end: { state: 'done' },
      }),
    );
  }

  private sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** False: the chain now belongs to another worker. */
  private write(from: number, iteration: number): Promise<boolean> {
    const { hold, deps } = this;
    return inTransaction(deps.pool, async (tx) => {
      const isHeld = await updateChain(
        tx,
        { ...hold, iteration: from },
        {
          phase: 'sampling',
          iteration,
          savedWarmup: 0,
          savedSamples: iteration,
          divergences: 0,
          treedepthHits: 0,
          drawsPerSecond: 10,
          warmupSeconds: 0,
          samplingSeconds: iteration / 10,
          stepSize: 1,
          checkpoint: new Uint8Array(2000),
        },
      );
      if (isHeld)
        await execute(
          tx,
          sql`insert into bench_steps (experiment_id, chain, lease) values (${hold.experiment_id}, ${hold.chain}, ${hold.lease})`,
        );
      return isHeld;
    });
  }
}

// the work after a run is not measured
const queue = { ...createMemoryQueue(), send: async () => {} };
const files = createDiskStore(folder);
const logger = createLogger({ level: 'error' });

/** How many start together: a thousand would wait for connections for longer than the connection timeout. */
const atOnce = 3;
let left = workers;
const startNext = async (): Promise<void> => {
  while (left-- > 0)
    // a worker that gets no connection in time is restarted, as its supervisor would do
    await startWorker({
      pool,
      connection,
      queue,
      files,
      logger,
      slots,
      pools: [],
      runChain: (deps, claim) => new SleepingChain(deps, claim),
    }).catch(() => {
      left += 1;
    });
};
await Promise.all(Array.from({ length: atOnce }, startNext));
process.send?.('ready');
