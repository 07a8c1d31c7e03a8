/** Files made for download from an experiment's draws, and whether they are still what the draws say. */
import { type Executor, execute, selectOne, sql } from './database.ts';

export interface ExportFileRow {
  readonly fmt: string;
  readonly n_iteration: number;
  /** The experiment's revision it was made from. */
  readonly revision: number;
  readonly state: 'generating' | 'done' | 'error';
  /** Relative to the store. */
  readonly path: string;
  readonly size: number;
  readonly message: string;
  readonly created_at: string;
}

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

/** Claims the making of a file for `revision`; false when it is being made or there already. Dead ones are retaken. */
export async function beginExportFile(
  db: Executor,
  key: ExportKey,
  revision: number,
): Promise<boolean> {
  const touched = await execute(
    db,
    sql`insert into export_files as f (experiment_id, fmt, n_iteration, revision, state)
        values (${key.experimentId}, ${key.fmt}, ${key.numIterations}, ${revision}, 'generating')
        on conflict (experiment_id, fmt, n_iteration) do update
          set revision = excluded.revision, state = 'generating', message = '', created_at = now()
          where f.revision <> excluded.revision or f.state = 'error'
            or (f.state = 'generating' and f.created_at < now() - interval '1 minute')`,
  );
  return touched === 1;
}

/** Says that a file is still being made. */
export async function touchExportFile(db: Executor, key: ExportKey): Promise<void> {
  await execute(
    db,
    sql`update export_files set created_at = now() where ${where(key)} and state = 'generating'`,
  );
}

export async function finishExportFile(
  db: Executor,
  key: ExportKey,
  result: { readonly path: string; readonly size: number } | { readonly message: string },
): Promise<void> {
  const parts =
    'path' in result
      ? sql`state = 'done', path = ${result.path}, size = ${result.size}`
      : sql`state = 'error', message = ${result.message}`;
  await execute(db, sql`update export_files set ${parts} where ${where(key)}`);
}
