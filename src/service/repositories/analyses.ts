/** Analyses: one row each, both record and result; an open one waits or runs as a task. */
import { type BlobHash, insertBlob, keepBlobs } from './blobs.ts';
import {
  cleanText,
  type Executor,
  execute,
  inTransaction,
  raw,
  selectOne,
  sql,
} from './database.ts';
import type { Columns } from './tables.ts';
import { claimTask, dropTask, endLease, insertTask, type Lease } from './tasks.ts';
import { updateWorkflow } from './workflows.ts';

export type AnalysisState = 'waiting' | 'running' | 'done' | 'failed';

/** `workflow_id`, `experiment_id`: numbers of objects. */
export interface AnalysisRow
  extends Columns<
    'analyses',
    | 'id'
    | 'workflow_id'
    | 'experiment_id'
    | 'analyzer_id'
    | 'user_id'
    | 'attempts'
    | 'return_code'
    | 'errlines'
    | 'file_name'
    | 'created_at'
    | 'finished_at'
  > {
  readonly state: AnalysisState;
  readonly hash: string | null;
}

/** An analysis and the lease under which it is carried out. */
export interface ClaimedAnalysis {
  readonly row: AnalysisRow;
  readonly lease: Lease;
}

/** A finished file: where its bytes are, and its name. */
export interface AnalysisFile {
  readonly hash: BlobHash;
  readonly file_name: string;
}

const columns = sql`a.id, a.workflow_id, a.experiment_id, a.analyzer_id, a.user_id, a.attempts, a.return_code, a.errlines,
  encode(a.hash, 'hex') as hash, a.file_name, a.created_at, a.finished_at,
  case when a.state <> 'open' then a.state
       else coalesce((select t.state from tasks t where t.kind = 'analysis' and t.subject_id = a.id), 'running') end as state`;

const taskOf = (id: number) => ({ kind: 'analysis', subjectId: id }) as const;

export interface NewAnalysis {
  readonly workflowId: number;
  /** Null: none is attached, and a result from elsewhere belongs to the workflow alone. */
  readonly experimentId: number | null;
  readonly analyzerId: string;
  readonly userId: number;
}

/**
 * Serialises operations on the analyses of a workflow, in the order of requests. Beginning or ending one takes this
 * lock first, so that a simultaneous request and result neither refuse nor block each other.
 */
async function lockAnalyses(tx: Executor, workflowId: number): Promise<void> {
  await execute(tx, sql`select id from objects where id = ${workflowId} for no key update`);
}

/** The analysis already running, or a new one that waits. Call in the transaction that queues its job. */
export async function insertAnalysis(
  tx: Executor,
  analysis: NewAnalysis,
): Promise<{ row: AnalysisRow; isNew: boolean }> {
  const { workflowId } = analysis;
  await lockAnalyses(tx, workflowId);
  const open = await findOpen(tx, workflowId);
  if (open !== null) return { row: open, isNew: false };
  const { id } = await insertRow(tx, analysis);
  await insertTask(tx, taskOf(id));
  const row = (await findAnalysis(tx, id)) as AnalysisRow;
  await updateWorkflow(tx, workflowId, { analyzerResult: stateText(row) });
  return { row, isNew: true };
}

async function findOpen(tx: Executor, workflowId: number): Promise<AnalysisRow | null> {
  return selectOne<AnalysisRow>(
    tx,
    sql`select ${columns} from analyses a where a.workflow_id = ${workflowId} and a.state = 'open'`,
  );
}

async function insertRow(
  tx: Executor,
  { workflowId, experimentId, analyzerId, userId }: NewAnalysis,
): Promise<AnalysisRow> {
  const row = await selectOne<AnalysisRow>(
    tx,
    sql`insert into analyses as a (workflow_id, experiment_id, analyzer_id, user_id, state)
        values (${workflowId}, ${experimentId}, ${analyzerId}, ${userId}, 'open') returning ${columns}`,
  );
  return row as AnalysisRow;
}

export async function findAnalysis(db: Executor, id: number): Promise<AnalysisRow | null> {
  return selectOne<AnalysisRow>(db, sql`select ${columns} from analyses a where a.id = ${id}`);
}

/** Begins one that waits; null: it no longer waits. `workerId`: the worker that carries it out. */
export async function claimAnalysis(
  db: Executor,
  id: number,
  workerId: number | null = null,
): Promise<ClaimedAnalysis | null> {
  return inTransaction(db, async (tx) => {
    const lease = await claimTask(tx, taskOf(id), workerId);
    if (lease === null) return null;
    const row = await selectOne<AnalysisRow>(
      tx,
      sql`update analyses a set started_at = now(), attempts = a.attempts + 1 where a.id = ${id} and a.state = 'open' returning ${columns}`,
    );
    if (row !== null) return { row, lease };
    // its workflow is gone, and the analysis with it
    await endLease(tx, lease);
    return null;
  });
}

export interface AnalysisEnd {
  readonly returnCode: number;
  readonly errlines: string;
  readonly file: { readonly bytes: Uint8Array; readonly name: string } | null;
}

const MAX_ERRLINES = 64_000;

/** Stores the result; null if another attempt took it over. Call in a transaction. */
export async function endAnalysis(
  tx: Executor,
  { row: analysis, lease }: ClaimedAnalysis,
  end: AnalysisEnd,
): Promise<AnalysisRow | null> {
  await lockAnalyses(tx, analysis.workflow_id);
  return (await endLease(tx, lease)) ? storeEnd(tx, analysis, end) : null;
}

async function storeEnd(
  tx: Executor,
  analysis: AnalysisRow,
  { returnCode, errlines, file }: AnalysisEnd,
): Promise<AnalysisRow | null> {
  const isDone = returnCode === 0 && file !== null;
  const hash = file === null ? null : await storeFile(tx, analysis, file.bytes);
  const row = await selectOne<AnalysisRow>(
    tx,
    sql`update analyses a set state = ${isDone ? 'done' : 'failed'}, return_code = ${returnCode},
          errlines = ${cleanText(errlines.slice(-MAX_ERRLINES))}, hash = ${hash === null ? null : Buffer.from(hash, 'hex')},
          file_name = ${cleanText(file?.name.slice(0, 255) ?? '')}, finished_at = now()
        where a.id = ${analysis.id} and a.state = 'open' returning ${columns}`,
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

/** Characters of the analyzer's last lines that the state includes. */
const SHOWN_ERRLINES = 2000;

/** JSON text: status (running, done, error), and at the end finished_at, return_code and the last lines. */
function stateText(row: AnalysisRow): string {
  const { state, finished_at, return_code, errlines } = row;
  if (state === 'waiting' || state === 'running') return JSON.stringify({ status: 'running' });
  const status = state === 'done' ? 'done' : 'error';
  const tail = errlines.slice(-SHOWN_ERRLINES);
  return JSON.stringify({ status, finished_at, return_code, errlines: tail });
}

/** The file of the newest successful analysis: of a workflow, or of an experiment by any workflow. */
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

/** A result sent by an analyzer elsewhere: it ends the running analysis, or is stored by itself. */
export async function insertResult(
  db: Executor,
  analysis: NewAnalysis,
  end: AnalysisEnd,
): Promise<AnalysisRow> {
  return inTransaction(db, async (tx) => {
    const { workflowId } = analysis;
    await lockAnalyses(tx, workflowId);
    const open = await findOpen(tx, workflowId);
    if (open !== null) await dropTask(tx, taskOf(open.id));
    const row = open ?? (await insertRow(tx, analysis));
    return (await storeEnd(tx, row, end)) as AnalysisRow;
  });
}

/** Fails an analysis whose process was lost too often; null: it is already over. */
export async function giveUpAnalysis(db: Executor, lease: Lease): Promise<AnalysisRow | null> {
  const errlines = `The analysis lost its process ${lease.attempts} times and was abandoned.`;
  return inTransaction(db, async (tx) => {
    const row = await findAnalysis(tx, lease.subject_id);
    if (row !== null)
      return endAnalysis(tx, { row, lease }, { returnCode: 1, errlines, file: null });
    await endLease(tx, lease);
    return null;
  });
}

/** The output of an analyzer. */
export interface AnalyzerFile {
  readonly bytes: Uint8Array;
  readonly name: string;
}
