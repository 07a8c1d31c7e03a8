/** Imports that a job reads: one row each, which is the order and its lock, until it ended. */
import type { ImportType } from '../../formats/imported-draws.ts';
import { type Executor, execute, inTransaction, json, select, selectOne, sql } from './database.ts';

/** The bytes wait in the database. */
export interface ImportFiles {
  /** Null: guess. */
  readonly type: ImportType | null;
  readonly files: readonly { readonly name: string; readonly hash: string }[];
}

export interface ImportOrder {
  readonly experiment_id: number;
  readonly files: ImportFiles;
  readonly attempts: number;
  readonly lease: number;
}

const columns = sql`experiment_id, files, attempts, lease`;

const LEASE_SECONDS = 15;
export const RENEW_MS = 4000;
/** An import that lost its process is tried so many times in all. */
const MAX_ATTEMPTS = 3;
const renewed = sql`now() + make_interval(secs => ${LEASE_SECONDS}::int)`;

/** To be called in the transaction that queues its job. */
export async function insertImportOrder(
  tx: Executor,
  experimentId: number,
  files: ImportFiles,
): Promise<void> {
  await execute(
    tx,
    sql`insert into import_orders (experiment_id, files) values (${experimentId}, ${json(files)})`,
  );
}

/** Of a deleted experiment the order waits until it comes back, or is purged with it. */
const isWanted = sql`exists (select 1 from objects o where o.id = experiment_id and o.deleted_at is null)`;

/** Begins one that waits; null: it is being read, or has ended, or its experiment is deleted. `holder`: the worker that reads it. */
export async function claimImport(
  db: Executor,
  experimentId: number,
  holder: number | null,
): Promise<ImportOrder | null> {
  return selectOne<ImportOrder>(
    db,
    sql`update import_orders set attempts = attempts + 1, lease = lease + 1, lease_until = ${renewed}, holder = ${holder}
        where experiment_id = ${experimentId} and lease_until = 'infinity' and ${isWanted} returning ${columns}`,
  );
}

export async function renewImport(db: Executor, order: ImportOrder): Promise<void> {
  await execute(
    db,
    sql`update import_orders set lease_until = ${renewed}
        where experiment_id = ${order.experiment_id} and lease = ${order.lease}`,
  );
}

/** It waits again. */
export async function releaseImport(db: Executor, order: ImportOrder): Promise<void> {
  await execute(
    db,
    sql`update import_orders set lease_until = 'infinity'
        where experiment_id = ${order.experiment_id} and lease = ${order.lease}`,
  );
}

/** False: another attempt took it over. To be called in the transaction that writes what came of it. */
export async function endImport(tx: Executor, order: ImportOrder): Promise<boolean> {
  const touched = await execute(
    tx,
    sql`delete from import_orders where experiment_id = ${order.experiment_id} and lease = ${order.lease}`,
  );
  return touched === 1;
}

/**
 * Gives back the imports that lost their process. `waiting`: those whose job may be lost; `failed`: those that lost
 * their process too often, which are to be ended.
 */
export async function recoverImports(
  db: Executor,
): Promise<{ waiting: number[]; failed: ImportOrder[] }> {
  return inTransaction(db, async (tx) => {
    const lost = await select<ImportOrder>(
      tx,
      sql`update import_orders set lease = lease + 1,
            lease_until = case when attempts >= ${MAX_ATTEMPTS}::int then lease_until else 'infinity' end
          where lease_until < now() and ${isWanted} returning ${columns}`,
    );
    const rows = await select<{ id: number }>(
      tx,
      sql`select experiment_id as id from import_orders
          where lease_until = 'infinity' and ${isWanted} and ordered_at < now() - interval '2 seconds' order by 1 limit 100`,
    );
    const failed = lost.filter(({ attempts }) => attempts >= MAX_ATTEMPTS);
    return { waiting: rows.map(({ id }) => id), failed };
  });
}
