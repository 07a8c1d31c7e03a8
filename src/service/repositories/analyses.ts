/** Analyses: one row each, which is the order, its lock and its result. */
import { type BlobHash, insertBlob, keepBlobs } from './blobs.ts';
import {
  cleanText,
  type Executor,
  execute,
  inTransaction,
  raw,
  select,
  selectOne,
  sql,
} from './database.ts';
import { updateWorkflow } from './workflows.ts';

export type AnalysisState = 'waiting' | 'running' | 'done' | 'failed';

export interface AnalysisRow {
  readonly id: number;
  /** Numbers of objects. */
  readonly workflow_id: number;
  readonly experiment_id: number | null;
  readonly analyzer_id: string;
  readonly user_id: number;
  readonly state: AnalysisState;
  readonly attempts: number;
  /** Grows with each attempt; who holds an older one may not write any more. */
  readonly lease: number;
  readonly return_code: number | null;
  readonly errlines: string;
  readonly hash: string | null;
  readonly file_name: string;
  readonly created_at: string;
  readonly finished_at: string | null;
}

/** A finished file: where its bytes are and what it is called. */
export interface AnalysisFile {
  readonly hash: BlobHash;
  readonly file_name: string;
}

const columns = sql`id, workflow_id, experiment_id, analyzer_id, user_id, state, attempts, lease, return_code, errlines,
  encode(hash, 'hex') as hash, file_name, created_at, finished_at`;

const isOpen = sql`state in ('waiting', 'running')`;

const LEASE_SECONDS = 20;
export const RENEW_MS = 5000;
/** An analysis that lost its process is tried so many times in all. */
const MAX_ATTEMPTS = 3;
const renewed = sql`now() + make_interval(secs => ${LEASE_SECONDS}::int)`;

export interface NewAnalysis {
  readonly workflowId: number;
  /** Null: none is attached, and a result from elsewhere is of the workflow alone. */
  readonly experimentId: number | null;
  readonly analyzerId: string;
  readonly userId: number;
}

/**
 * One act at a time on the analyses of a workflow, in the order it is asked. What begins or ends one takes this before
 * anything else: so an order and a result that meet neither refuse nor block each other.
 */
async function lockAnalyses(tx: Executor, workflowId: number): Promise<void> {
  await execute(tx, sql`select id from objects where id = ${workflowId} for no key update`);
}

/** The analysis that goes on already, or a new one that waits. To be called in the transaction that queues its job. */
export async function insertAnalysis(
  tx: Executor,
  analysis: NewAnalysis,
): Promise<{ row: AnalysisRow; isNew: boolean }> {
  const { workflowId } = analysis;
  await lockAnalyses(tx, workflowId);
  const open = await selectOne<AnalysisRow>(
    tx,
    sql`select ${columns} from analyses where workflow_id = ${workflowId} and ${isOpen}`,
  );
  if (open !== null) return { row: open, isNew: false };
  const row = await insertRow(tx, analysis, 'waiting');
  await updateWorkflow(tx, workflowId, { analyzerResult: stateText(row) });
  return { row, isNew: true };
}

async function insertRow(
  tx: Executor,
  { workflowId, experimentId, analyzerId, userId }: NewAnalysis,
  state: AnalysisState,
): Promise<AnalysisRow> {
  const row = await selectOne<AnalysisRow>(
    tx,
    sql`insert into analyses (workflow_id, experiment_id, analyzer_id, user_id, state)
        values (${workflowId}, ${experimentId}, ${analyzerId}, ${userId}, ${state}) returning ${columns}`,
  );
  return row as AnalysisRow;
}

export async function findAnalysis(db: Executor, id: number): Promise<AnalysisRow | null> {
  return selectOne<AnalysisRow>(db, sql`select ${columns} from analyses where id = ${id}`);
}

/** Begins one that waits; null: it does not wait any more. `holder`: the worker that carries it out. */
export async function claimAnalysis(
  db: Executor,
  id: number,
  holder: number | null = null,
): Promise<AnalysisRow | null> {
  return selectOne<AnalysisRow>(
    db,
    sql`update analyses set state = 'running', attempts = attempts + 1, lease = lease + 1, lease_until = ${renewed},
          started_at = now(), holder = ${holder}
        where id = ${id} and state = 'waiting' returning ${columns}`,
  );
}

export async function renewAnalysis(db: Executor, { id, lease }: AnalysisRow): Promise<void> {
  await execute(
    db,
    sql`update analyses set lease_until = ${renewed} where id = ${id} and lease = ${lease} and state = 'running'`,
  );
}

export interface AnalysisEnd {
  readonly returnCode: number;
  readonly errlines: string;
  readonly file: { readonly bytes: Uint8Array; readonly name: string } | null;
}

const MAX_ERRLINES = 64_000;

/** Stores the result; null when another attempt took it over. To be called in a transaction. */
export async function endAnalysis(
  tx: Executor,
  analysis: AnalysisRow,
  { returnCode, errlines, file }: AnalysisEnd,
): Promise<AnalysisRow | null> {
  await lockAnalyses(tx, analysis.workflow_id);
  const isDone = returnCode === 0 && file !== null;
  const hash = file === null ? null : await storeFile(tx, analysis, file.bytes);
  const row = await selectOne<AnalysisRow>(
    tx,
    sql`update analyses set state = ${isDone ? 'done' : 'failed'}, return_code = ${returnCode},
          errlines = ${cleanText(errlines.slice(-MAX_ERRLINES))}, hash = ${hash === null ? null : Buffer.from(hash, 'hex')},
          file_name = ${cleanText(file?.name.slice(0, 255) ?? '')}, finished_at = now(), lease_until = now()
        where id = ${analysis.id} and lease = ${analysis.lease} and ${isOpen} returning ${columns}`,
  );
  if (row !== null) await updateWorkflow(tx, row.workflow_id, { analyzerResult: stateText(row) });
  return row;
}

async function storeFile(
  tx: Executor,
  { workflow_id, experiment_id }: AnalysisRow,
  bytes: Uint8Array,
): Promise<BlobHash> {
  const hash = await insertBlob(tx, workflow_id, bytes);
  if (experiment_id !== null) await keepBlobs(tx, experiment_id, [hash]);
  return hash;
}

/** Characters of the analyzer's last words that the state repeats. */
const SHOWN_ERRLINES = 2000;

/** JSON text: status (running, done, error), and at the end finished_at, return_code and the last words. */
function stateText(row: AnalysisRow): string {
  const { state, finished_at, return_code, errlines } = row;
  if (state === 'waiting' || state === 'running') return JSON.stringify({ status: 'running' });
  const status = state === 'done' ? 'done' : 'error';
  const tail = errlines.slice(-SHOWN_ERRLINES);
  return JSON.stringify({ status, finished_at, return_code, errlines: tail });
}

/** The file of the newest analysis that went well: of a workflow, or of an experiment by whatever workflow. */
export async function findAnalysisFile(
  db: Executor,
  object: { readonly kind: 'workflow' | 'experiment'; readonly id: number },
): Promise<AnalysisFile | null> {
  const column = raw(object.kind === 'workflow' ? 'workflow_id' : 'experiment_id');
  return selectOne<AnalysisFile>(
    db,
    sql`select encode(hash, 'hex') as hash, file_name from analyses
        where ${column} = ${object.id} and state = 'done' and hash is not null order by id desc limit 1`,
  );
}

/** A result that an analyzer elsewhere sent: it ends the analysis that goes on, or stands by itself. */
export async function insertResult(
  db: Executor,
  analysis: NewAnalysis,
  end: AnalysisEnd,
): Promise<AnalysisRow> {
  return inTransaction(db, async (tx) => {
    const { workflowId } = analysis;
    await lockAnalyses(tx, workflowId);
    const open = await selectOne<AnalysisRow>(
      tx,
      sql`update analyses set lease = lease + 1 where workflow_id = ${workflowId} and ${isOpen} returning ${columns}`,
    );
    const row = open ?? (await insertRow(tx, analysis, 'running'));
    return (await endAnalysis(tx, row, end)) as AnalysisRow;
  });
}

/**
 * Gives back the analyses that lost their process, and fails those that lost it too often (their rows are the second
 * list). The first: those that wait and whose job may be lost.
 */
export async function recoverAnalyses(
  db: Executor,
): Promise<{ waiting: number[]; failed: AnalysisRow[] }> {
  const isLost = sql`state = 'running' and lease_until < now()`;
  await execute(
    db,
    sql`update analyses set lease = lease + 1, lease_until = 'infinity', state = 'waiting'
        where ${isLost} and attempts < ${MAX_ATTEMPTS}::int`,
  );
  const given = await select<AnalysisRow>(db, sql`select ${columns} from analyses where ${isLost}`);
  const failed: AnalysisRow[] = [];
  for (const row of given) {
    const errlines = `The analysis lost its process ${row.attempts} times and was given up.`;
    const end = { returnCode: 1, errlines, file: null };
    const ended = await inTransaction(db, (tx) => endAnalysis(tx, row, end));
    if (ended !== null) failed.push(ended);
  }
  const rows = await select<{ id: number }>(
    db,
    sql`select id from analyses where state = 'waiting' and created_at < now() - interval '2 seconds'
        order by id limit 100`,
  );
  return { waiting: rows.map(({ id }) => id), failed };
}
