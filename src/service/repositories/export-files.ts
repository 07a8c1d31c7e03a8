/** Files made for download from an experiment's draws, and whether they are still up to date. */
import {
  array,
  type Executor,
  execute,
  inTransaction,
  selectOne,
  selectValues,
  sql,
} from './database.ts';
import type { Tables } from './tables.ts';
import { endLease, type Lease, takeTask } from './tasks.ts';

/** `revision`: the experiment's when the file was made. `path`: relative to the store. */
export type ExportFileRow = Omit<Tables['export_files'], 'experiment_id'>;

export interface ExportKey {
  readonly experimentId: number;
  readonly fmt: string;
  readonly numIterations: number;
}

const where = ({ experimentId, fmt, numIterations }: ExportKey) =>
  sql`experiment_id = ${experimentId} and fmt = ${fmt} and n_iteration = ${numIterations}`;

export async function findExportFile(db: Executor, key: ExportKey): Promise<ExportFileRow | null> {
  return selectOne<ExportFileRow>(
    db,
    sql`select fmt, n_iteration, revision, state, path, size, message, created_at from export_files where ${where(key)}`,
  );
}

/** Parts of one experiment's export tasks. */
const taskOf = ({ experimentId, fmt, numIterations }: ExportKey) =>
  ({ kind: 'export', subjectId: experimentId, part: `${fmt} ${numIterations}` }) as const;

/** Claims making a file for `revision`; null if it is being made or exists already. */
export async function beginExportFile(
  db: Executor,
  key: ExportKey,
  revision: number,
): Promise<Lease | null> {
  return inTransaction(db, async (tx) => {
    const lease = await takeTask(tx, taskOf(key));
    if (lease === null) return null;
    const touched = await execute(
      tx,
      sql`insert into export_files as f (experiment_id, fmt, n_iteration, revision, state)
          values (${key.experimentId}, ${key.fmt}, ${key.numIterations}, ${revision}, 'generating')
          on conflict (experiment_id, fmt, n_iteration) do update
            set revision = excluded.revision, state = 'generating', message = '', created_at = now()
            where f.revision <> excluded.revision or f.state <> 'done'`,
    );
    if (touched === 1) return lease;
    await endLease(tx, lease);
    return null;
  });
}

export type ExportEnd =
  | { readonly path: string; readonly size: number }
  | { readonly message: string };

/** Stores the outcome of making a file; false: another process has taken over. */
export async function finishExportFile(
  db: Executor,
  key: ExportKey,
  { lease, end }: { readonly lease: Lease; readonly end: ExportEnd },
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    if (!(await endLease(tx, lease))) return false;
    await storeEnd(tx, key, end);
    return true;
  });
}

/** Notes that a file is no longer in the store. */
export async function loseExportFile(db: Executor, key: ExportKey): Promise<void> {
  await storeEnd(db, key, { message: 'The file no longer exists.' });
}

/** The files' content other than draws has changed: the owner's are made again. A share keeps what it froze. */
export async function loseExportFiles(db: Executor, experimentId: number): Promise<void> {
  const own = sql`experiment_id = ${experimentId} and state = 'done' and fmt not like '% of %'`;
  await execute(
    db,
    sql`update export_files set state = 'error', message = 'The file is out of date.' where ${own}`,
  );
}

/** The paths that are in a row. */
export async function knownExportFiles(
  db: Executor,
  paths: readonly string[],
): Promise<Set<string>> {
  const known = sql`select path from export_files where path = any(${array(paths, 'text')})`;
  return new Set(await selectValues<string>(db, known));
}

async function storeEnd(db: Executor, key: ExportKey, end: ExportEnd): Promise<void> {
  const parts =
    'path' in end
      ? sql`state = 'done', path = ${end.path}, size = ${end.size}`
      : sql`state = 'error', message = ${end.message}`;
  await execute(db, sql`update export_files set ${parts} where ${where(key)}`);
}
