/** Runs a worker's programs of other languages: takes them from the queue and stops those that were stopped. */
import { isUnavailable } from '../repositories/database.ts';
import {
  type ClaimedProgram,
  claimProgramRun,
  listUnwanted,
} from '../repositories/program-runs.ts';
import { type ProgramRunnerDeps, runProgram, workerEnds } from './program-runner.ts';

export interface ProgramLoop {
  /** Fills free slots; may be called at any time. */
  claim(): void;
  isBusy(): boolean;
  /** Ends its programs: an interrupted program cannot be continued elsewhere. */
  stop(): Promise<void>;
}

export interface ProgramLoopOptions extends ProgramRunnerDeps {
  readonly slots: number;
  readonly pools: readonly string[];
  /** See `QueueChoice`. */
  readonly userChains: number;
}

const WATCH_MS = 500;

interface Running {
  readonly stopping: AbortController;
  readonly done: Promise<void>;
}

export function createProgramLoop(options: ProgramLoopOptions): ProgramLoop {
  const { pool, slots, pools, userChains, workerId, logger } = options;
  const running = new Map<number, Running>();
  let isStopping = false;
  let claiming: Promise<void> | null = null;
  let claimAgain = false;
  let watcher: NodeJS.Timeout | null = null;

  const note = (error: unknown) => {
    if (!isStopping && !isUnavailable(error))
      logger.warn({ err: error }, 'checking the programs failed');
  };

  const begin = (claimed: ClaimedProgram) => {
    const { run } = claimed;
    const stopping = new AbortController();
    const done = runProgram(options, claimed, stopping.signal)
      .catch((error: unknown) =>
        logger.error(
          { err: error, experiment: run.short_id },
          'a program could not be ended cleanly',
        ),
      )
      .finally(() => {
        running.delete(run.experiment_id);
        if (running.size === 0 && watcher !== null) {
          clearInterval(watcher);
          watcher = null;
        }
        claim();
      });
    running.set(run.experiment_id, { stopping, done });
    watcher ??= setInterval(() => void endUnwanted().catch(note), WATCH_MS);
  };

  const endUnwanted = async () => {
    for (const id of await listUnwanted(pool, [...running.keys()]))
      running.get(id)?.stopping.abort();
  };

  const fill = async () => {
    while (running.size < slots && !isStopping) {
      const claimed = await claimProgramRun(pool, { workerId, pools, userChains });
      if (claimed === null) return;
      begin(claimed);
    }
  };

  const claim = () => {
    if (isStopping) return;
    claimAgain = true;
    claiming ??= (async () => {
      while (claimAgain) {
        claimAgain = false;
        await fill().catch(note);
      }
    })().finally(() => {
      claiming = null;
    });
  };

  return {
    claim,
    isBusy: () => running.size > 0,
    async stop() {
      isStopping = true;
      await claiming;
      for (const { stopping } of running.values()) stopping.abort(workerEnds);
      await Promise.all([...running.values()].map(({ done }) => done));
      if (watcher !== null) clearInterval(watcher);
    },
  };
}
