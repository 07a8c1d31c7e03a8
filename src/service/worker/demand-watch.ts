/**
 * The database part of a program that starts workers elsewhere: the waiting work, and the name for its jobs. It registers
 * as a worker without slots, so that its pools count as served though none of its workers is running yet, and so that
 * administrators can drain it.
 */
import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type pg from 'pg';
import { engineVersion } from '../../engine/checkpoint.ts';
import { explainMismatch } from '../migrations/handshake.ts';
import { workLocked } from '../repositories/advisory-locks.ts';
import { requeueLostChains } from '../repositories/chains.ts';
import type { QueueChoice } from '../repositories/run-queue.ts';
import { ensureServerKey } from '../repositories/settings.ts';
import { findVersions } from '../repositories/versions.ts';
import { readWorkerDemand, type WorkerDemand } from '../repositories/worker-demand.ts';
import {
  findWorkerState,
  insertWorker,
  removeWorker,
  touchWorker,
  WORKER_LOCK_CLASS,
  type WorkerState,
} from '../repositories/workers.ts';
import { StartError } from '../start-error.ts';

/** Class of the advisory locks that let only one program at a time start workers for the same pools. */
const SUBMIT_LOCK_CLASS = 4_715_005;

export interface DemandWatchOptions extends QueueChoice {
  /** Whether its workers can run programs of other languages. */
  readonly runsPrograms: boolean;
  /** The program's version. */
  readonly version: string;
}

export interface Demand extends WorkerDemand {
  /** The state an administrator requests for it. */
  readonly state: WorkerState;
}

export interface DemandWatch {
  /** Equal for the same database and pools, on any machine. */
  readonly key: string;
  /** Throws `StartError` when the database has moved to another version. */
  look(): Promise<Demand>;
  /** False, without running `work`: another program serves the same pools. */
  alone(work: () => Promise<void>): Promise<boolean>;
  end(): Promise<void>;
}

export async function watchDemand(
  pool: pg.Pool,
  { runsPrograms, version, ...choice }: DemandWatchOptions,
): Promise<DemandWatch> {
  const names = choice.pools.map((name) => name.toLowerCase()).sort();
  const serverKey = await ensureServerKey(pool);
  const hash = createHash('sha256').update(serverKey).update(JSON.stringify(names)).digest();
  const entry = {
    host: hostname(),
    pid: process.pid,
    pools: choice.pools,
    slots: 0,
    version,
    engine: engineVersion,
    isOwnProcess: true,
  };
  const id = await insertWorker(pool, entry);
  return {
    key: hash.toString('hex', 0, 4),
    async look() {
      const reason = explainMismatch(await findVersions(pool));
      if (reason !== null) throw new StartError(reason);
      await touchWorker(pool, id, entry);
      const state = (await findWorkerState(pool, id)) ?? 'work';
      // if no worker is running, no other process notices that the last one died
      await requeueLostChains(pool, WORKER_LOCK_CLASS);
      const demand = await readWorkerDemand(pool, choice);
      return { ...demand, programs: runsPrograms ? demand.programs : 0, state };
    },
    alone: (work) =>
      workLocked(pool, { lockClass: SUBMIT_LOCK_CLASS, id: hash.readInt32BE(0) }, work),
    end: () => removeWorker(pool, id).catch(() => {}),
  };
}
