/** Chains and files of imported runs. */
import { array, type Executor, execute, sql } from './database.ts';

export interface NewImportedChain {
  /** From 1. */
  readonly chain: number;
  readonly name: string;
  readonly savedWarmup: number;
  readonly savedSamples: number;
  readonly divergences: number;
  /** Null: the files do not say. */
  readonly treedepthHits: number | null;
  readonly stepSize: number | null;
  readonly warmupSeconds: number | null;
  readonly samplingSeconds: number | null;
}

/**
 * A chain that was sampled elsewhere: no worker ever takes it. One that records as much as ours is `done` like ours, so
 * that the verdict counts its treedepth; for others it is unknown.
 */
export async function insertImportedChain(
  tx: Executor,
  experimentId: number,
  chain: NewImportedChain,
): Promise<void> {
  const total = chain.savedWarmup + chain.savedSamples;
  await execute(
    tx,
    sql`insert into experiment_chains (experiment_id, chain, name, state, phase, iteration, iterations, saved_warmup,
          saved_samples, divergences, treedepth_hits, step_size, warmup_seconds, sampling_seconds)
        values (${experimentId}, ${chain.chain}, ${chain.name},
          ${chain.treedepthHits === null ? 'outside' : 'done'}, 'done', ${total}, ${total},
          ${chain.savedWarmup}, ${chain.savedSamples}, ${chain.divergences}, ${chain.treedepthHits ?? 0},
          ${chain.stepSize}, ${chain.warmupSeconds ?? 0}, ${chain.samplingSeconds ?? 0})`,
  );
}

/** The object no longer needs these stored bytes; a later purge removes them when no object does. */
export async function releaseBlobs(
  tx: Executor,
  objectId: number,
  hashes: readonly string[],
): Promise<void> {
  const keys = hashes.map((hash) => Buffer.from(hash, 'hex'));
  await execute(
    tx,
    sql`delete from object_blobs where object_id = ${objectId} and hash = any(${array(keys, 'bytea')})`,
  );
}

/** A file of draws as it was sent. */
export interface ImportFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}
