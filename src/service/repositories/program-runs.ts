/** Runs of programs in other languages: their ids and token; an open one waits or runs as a task. */
import {
  array,
  type Executor,
  execute,
  inTransaction,
  json,
  type SQL,
  selectCount,
  selectOne,
  selectValues,
  sql,
} from './database.ts';
import {
  isServed,
  nextProgram,
  type QueueChoice,
  type Turn,
  takeProgram,
  takeTurn,
} from './run-queue.ts';
import type { Columns, Tables } from './tables.ts';
import { claimTask, dropTask, endLease, insertTask, type Lease } from './tasks.ts';

export interface NewProgramRun {
  readonly experimentId: number;
  readonly runtime: string;
  readonly batchId: string;
  readonly runId: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface ProgramRun
  extends Columns<'program_runs', 'experiment_id' | 'runtime' | 'batch_id' | 'run_id'>,
    Columns<'objects', 'short_id' | 'owner_id'> {
  /** Id of the workflow; empty when there is none. */
  readonly workflow_id: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** See `run-origins.ts`. */
  readonly trace_parent: string | null;
}

/** A run and the lease under which it is carried out. */
export interface ClaimedProgram {
  readonly run: ProgramRun;
  readonly lease: Lease;
}

const taskOf = (experimentId: number) => ({ kind: 'program', subjectId: experimentId }) as const;

export async function insertProgramRun(tx: Executor, run: NewProgramRun): Promise<void> {
  await execute(
    tx,
    sql`insert into program_runs (experiment_id, runtime, batch_id, run_id, settings)
        values (${run.experimentId}, ${run.runtime}, ${run.batchId}, ${run.runId}, ${json(run.settings)})`,
  );
  // an interrupted program cannot be resumed
  await insertTask(tx, { ...taskOf(run.experimentId), maxAttempts: 1 });
}

const columns: SQL = sql`p.experiment_id, o.short_id, o.owner_id, coalesce(w.short_id, '') as workflow_id, p.runtime,
  p.batch_id, p.run_id, p.settings, e.trace_parent`;
const joins: SQL = sql`join objects o on o.id = p.experiment_id join experiments e on e.id = p.experiment_id
  left join objects w on w.id = e.workflow_id`;

/** How many programs wait for a worker of these pools. */
export async function countWaitingPrograms(
  db: Executor,
  pools: readonly string[],
): Promise<number> {
  return selectCount(
    db,
    sql`select count(*) as n from tasks q join objects o on o.id = q.subject_id
        where q.kind = 'program' and q.state = 'waiting' and o.deleted_at is null
          and ${isServed(pools, sql`q.run_on`)}`,
  );
}

/** Takes the program whose turn it is, or null. */
export function claimProgramRun(
  db: Executor,
  { workerId, ...choice }: QueueChoice & { readonly workerId: number },
): Promise<ClaimedProgram | null> {
  return takeProgram(db, (most) =>
    inTransaction(db, (tx) => claimNext(tx, { workerId, ...choice }, most)),
  );
}

async function claimNext(
  tx: Executor,
  { workerId, ...choice }: QueueChoice & { readonly workerId: number },
  most: number,
): Promise<ClaimedProgram | null> {
  const next = await selectOne<Turn>(tx, nextProgram(choice, most));
  const lease = next === null ? null : await claimTask(tx, taskOf(next.experiment_id), workerId);
  const run = lease === null ? null : await findProgramRun(tx, lease.subject_id);
  if (next === null || lease === null || run === null) return null;
  await takeTurn(tx, next, choice.userChains);
  return { run, lease };
}

export async function findProgramRun(
  db: Executor,
  experimentId: number,
): Promise<ProgramRun | null> {
  return selectOne<ProgramRun>(
    db,
    sql`select ${columns} from program_runs p ${joins} where p.experiment_id = ${experimentId}`,
  );
}

export async function noteProgramToken(
  tx: Executor,
  experimentId: number,
  tokenId: number,
): Promise<void> {
  await execute(
    tx,
    sql`update program_runs set token_id = ${tokenId} where experiment_id = ${experimentId}`,
  );
}

/** Ends the run and its token. False: it had ended, or another process has it. */
export async function endProgramRun(tx: Executor, lease: Lease): Promise<boolean> {
  if (!(await endLease(tx, lease))) return false;
  await execute(
    tx,
    sql`delete from tokens t using program_runs p
        where p.experiment_id = ${lease.subject_id} and t.id = p.token_id`,
  );
  return true;
}

/** True if it had not begun: then it never will. */
export async function dropQueuedProgram(tx: Executor, experimentId: number): Promise<boolean> {
  return dropTask(tx, taskOf(experimentId), { onlyWaiting: true });
}

/** Those of `ids` that their owner stopped or deleted. */
export async function listUnwanted(db: Executor, ids: readonly number[]): Promise<number[]> {
  return selectValues<Tables['objects']['id']>(
    db,
    sql`select o.id from objects o join experiments e on e.id = o.id where o.id = any(${array(ids, 'bigint')})
          and (o.deleted_at is not null or e.meta->>'action' in ('stopped', 'stopping'))`,
  );
}
