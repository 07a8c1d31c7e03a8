/** Records the progress of an import every second, and checks whether it is still wanted. */
import type { CoreContext } from '../context.ts';
import { publishLive } from '../repositories/chains.ts';
import { inTransaction } from '../repositories/database.ts';
import { findExperimentById, updateExperiment } from '../repositories/experiments.ts';
import { type Lease, renewLease } from '../repositories/tasks.ts';
import type { DrawsHead, FedBatch } from './draws-feed.ts';

const NOTE_MS = 1000;

export interface ImportProgress {
  /** Bytes of the files that have been read. */
  readonly read: (bytes: number) => void;
  /** The batches, counted as they are stored. After the last one, no more progress is recorded. */
  watch(head: DrawsHead, batches: AsyncIterable<FedBatch>): AsyncIterable<FedBatch>;
  end(): Promise<void>;
}

export interface FollowOptions {
  /** Bytes of all files. */
  readonly total: number;
  /** The run was stopped or deleted, or another attempt has taken over the import. */
  readonly onOver: () => void;
  readonly everyMs?: number;
}

export function followImport(
  { pool, logger }: Pick<CoreContext, 'pool' | 'logger'>,
  lease: Lease,
  { total, onOver, everyMs = NOTE_MS }: FollowOptions,
): ImportProgress {
  let progress = { step: 'reading', done: 0, total };
  let noting: Promise<void> = Promise.resolve();
  let isNoting = false;
  const note = async () => {
    const now = await findExperimentById(pool, lease.subject_id);
    if (now?.status !== 'RUN') return onOver();
    const isHeld = await inTransaction(pool, async (tx) => {
      if (!(await renewLease(tx, lease))) return false;
      const meta = { progress: { ...progress, chains: [] } };
      await updateExperiment(tx, lease.subject_id, { meta });
      await publishLive(tx, now.short_id, 'status');
      return true;
    });
    if (!isHeld) onOver();
  };
  const timer = setInterval(() => {
    if (isNoting) return;
    isNoting = true;
    noting = note()
      .catch((error: unknown) =>
        logger.warn({ err: error }, 'the progress of an import was not written'),
      )
      .finally(() => {
        isNoting = false;
      });
  }, everyMs);
  const end = async () => {
    clearInterval(timer);
    await noting;
  };
  return {
    read(bytes) {
      progress = { ...progress, done: Math.min(bytes, total) };
    },
    async *watch({ numValues }, batches) {
      progress = { step: 'storing', done: 0, total: 8 * numValues };
      for await (const batch of batches) {
        yield batch;
        progress = { ...progress, done: progress.done + 8 * batch.values.length };
      }
      // the final writes lock the same rows in another order
      await end();
    },
    end,
  };
}
