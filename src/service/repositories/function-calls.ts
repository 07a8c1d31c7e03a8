/** Calls of functions and callbacks: one row each as the record; an open one waits or runs as a task. */
import { createHash } from 'node:crypto';
import {
  cleanText,
  type Executor,
  execute,
  inTransaction,
  type SQL,
  select,
  selectCount,
  selectOne,
  selectValue,
  selectValues,
  sql,
} from './database.ts';
import type { Columns, Tables } from './tables.ts';
import { claimTask, dropTask, endLease, insertTask, type Lease } from './tasks.ts';

export type CallState = 'waiting' | 'running' | 'done' | 'failed';

export interface CallRow
  extends Columns<
    'function_calls',
    | 'id'
    | 'function_id'
    | 'version'
    | 'user_id'
    | 'event_id'
    | 'background'
    | 'parameters'
    | 'lock_key'
    | 'attempts'
    | 'error_code'
    | 'error'
    | 'log'
    | 'milliseconds'
    | 'created_at'
    | 'started_at'
    | 'finished_at'
  > {
  readonly state: CallState;
}

/** A call and the lease under which it is carried out. */
export interface ClaimedCall {
  readonly call: CallRow;
  readonly lease: Lease;
}

const columns = sql`c.id, c.function_id, c.version, c.user_id, c.event_id, c.background, c.parameters, c.lock_key, c.attempts,
  c.error_code, c.error, c.log, c.milliseconds, c.created_at, c.started_at, c.finished_at,
  case when c.state <> 'open' then c.state
       else coalesce((select t.state from tasks t where t.kind = 'call' and t.subject_id = c.id), 'waiting') end as state`;

/** Calls `o` that wait or run, with their task `k`; one whose process is gone does not count. */
export const liveCalls: SQL = sql`function_calls o join tasks k on k.kind = 'call' and k.subject_id = o.id and k.lease_until > now()`;

export const callTask = (id: number) => ({ kind: 'call', subjectId: id }) as const;

/** Maximum of waiting calls per key. */
export const MAX_WAITING = 100;
/** Maximum of waiting jobs per user. */
export const USER_WAITING = 1000;
/** Maximum of running jobs per user. */
const USER_JOBS = 2;
/** Ended calls that are stored per user. */
const KEPT = 1000;
const LOCK_CLASS = 4_715_011;

export interface NewCall {
  readonly functionId: string;
  readonly version?: number;
  readonly userId: number;
  readonly eventId?: number | null;
  readonly background: boolean;
  /** JSON text. */
  readonly parameters: string;
  readonly lockKey: string | null;
}

/** Null: `MAX_WAITING` calls of this key, or `USER_WAITING` jobs of this user, are already waiting. */
export async function insertCall(db: Executor, order: NewCall): Promise<CallRow | null> {
  const { functionId, version = 0, userId, eventId = null, background, lockKey } = order;
  return inTransaction(db, async (tx) => {
    if (lockKey !== null) {
      await lock(tx, lockKey);
      if ((await countWaiting(tx, sql`o.lock_key = ${lockKey}`)) >= MAX_WAITING) return null;
    }
    if (background) {
      const theirs = sql`o.user_id = ${userId} and o.background`;
      if ((await countWaiting(tx, theirs)) >= USER_WAITING) return null;
    }
    const call = (await selectOne<CallRow>(
      tx,
      sql`insert into function_calls as c (function_id, version, user_id, event_id, state, background, parameters, lock_key)
          values (${functionId}, ${version}, ${userId}, ${eventId}, 'open', ${background},
            ${cleanText(order.parameters)}, ${lockKey}) returning ${columns}`,
    )) as CallRow;
    // a waiting caller renews, and a call that loses its caller is over
    const awaited = background ? {} : { isAwaited: true, maxAttempts: 0 };
    await insertTask(tx, { ...callTask(call.id), ...awaited });
    return call;
  });
}

function countWaiting(tx: Executor, which: SQL): Promise<number> {
  return selectCount(
    tx,
    sql`select count(*) from ${liveCalls} where ${which} and o.state = 'open' and k.state = 'waiting'`,
  );
}

async function lock(tx: Executor, key: string): Promise<void> {
  await execute(tx, sql`select pg_advisory_xact_lock(${LOCK_CLASS}::int, hashtext(${key}))`);
}

export async function findCall(db: Executor, id: number): Promise<CallRow | null> {
  return selectOne<CallRow>(db, sql`select ${columns} from function_calls c where c.id = ${id}`);
}

/**
 * Begins a waiting call if no call of its key runs or has waited longer; null: not now (or no longer). `workerId`: the
 * worker that carries it out; null if its caller does.
 */
export async function claimCall(
  db: Executor,
  { id, lock_key: key }: CallRow,
  workerId: number | null = null,
): Promise<ClaimedCall | null> {
  return inTransaction(db, async (tx) => {
    if (key !== null) await lock(tx, key);
    const call = await selectOne<CallRow>(
      tx,
      sql`update function_calls c set started_at = clock_timestamp(), attempts = c.attempts + 1
          where c.id = ${id} and c.state = 'open' and not ${isBlocked()}
            and exists (select 1 from tasks t where t.kind = 'call' and t.subject_id = c.id and t.state = 'waiting')
          returning ${columns}`,
    );
    if (call === null) return null;
    const lease = await claimTask(tx, callTask(id), workerId);
    return lease === null ? null : { call: { ...call, state: 'running' }, lease };
  });
}

/** Another call of its key runs or has waited longer, or its user's running jobs are at the limit. */
function isBlocked(): SQL {
  return sql`(exists (select 1 from ${liveCalls} where o.lock_key = c.lock_key and o.id <> c.id and o.state = 'open'
      and (k.state = 'running' or o.id < c.id))
    or (c.background and (select count(*) from ${liveCalls} where o.user_id = c.user_id and o.background
      and o.state = 'open' and k.state = 'running') >= ${USER_JOBS}))`;
}

export interface CallEnd {
  readonly error?: { readonly code: string; readonly message: string } | null;
  readonly log?: string;
  readonly milliseconds?: number | null;
}

/** False when another attempt took the call over, or its caller gave it up. */
export async function endCall(
  db: Executor,
  { call, lease }: ClaimedCall,
  end: CallEnd,
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    if (!(await endLease(tx, lease))) return false;
    await storeEnd(tx, call, end);
    return true;
  });
}

/** Ends a waiting call; false: it no longer waits. */
export async function cancelCall(db: Executor, call: CallRow, end: CallEnd): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    if (!(await dropTask(tx, callTask(call.id), { onlyWaiting: true }))) return false;
    await storeEnd(tx, call, end);
    return true;
  });
}

/** Fails a call whose caller is gone, or whose process was lost too often. */
export async function giveUpCall(db: Executor, lease: Lease): Promise<void> {
  const call = await findCall(db, lease.subject_id);
  const message =
    call?.background === true
      ? `The process that ran this call was lost ${lease.attempts} times, so it is not tried again. Call the function again, or see the log of the service for what ended the process.`
      : 'The service ended while this call waited or ran.';
  if (call === null) await endLease(db, lease);
  else await endCall(db, { call, lease }, { error: { code: 'UNAVAILABLE', message } });
}

async function storeEnd(tx: Executor, call: CallRow, end: CallEnd): Promise<void> {
  const { error = null, log = '', milliseconds = null } = end;
  await execute(
    tx,
    sql`update function_calls set state = ${error === null ? 'done' : 'failed'}, parameters = '',
          error_code = ${error?.code ?? null}, error = ${error === null ? null : cleanText(error.message)},
          log = ${cleanText(log)}, milliseconds = ${milliseconds}, finished_at = now()
        where id = ${call.id} and state = 'open'`,
  );
  await prune(tx, call.user_id);
}

async function prune(db: Executor, userId: number): Promise<void> {
  await execute(
    db,
    sql`delete from function_calls where user_id = ${userId} and state <> 'open'
        and id < (select id from function_calls where user_id = ${userId} order by id desc offset ${KEPT} limit 1)`,
  );
}

/** Background calls that wait and are not blocked; `only` narrows them. */
const readyCalls = (only: SQL): SQL => sql`select c.id from function_calls c
  join tasks t on t.kind = 'call' and t.subject_id = c.id and t.state = 'waiting'
  where c.state = 'open' and c.background ${only} and not ${isBlocked()} order by c.id`;

/** Background calls that may begin now that this one has ended: those of its key or its user. */
export async function listNextCalls(db: Executor, ended: CallRow): Promise<number[]> {
  const theirs = sql`and (c.lock_key = ${ended.lock_key} or c.user_id = ${ended.user_id})`;
  return selectValues<Tables['function_calls']['id']>(
    db,
    sql`${readyCalls(theirs)} limit ${USER_JOBS}`,
  );
}

/** Background calls that could begin now: their job may be lost. */
export async function listReadyCalls(db: Executor): Promise<number[]> {
  return selectValues<Tables['function_calls']['id']>(db, sql`${readyCalls(sql``)} limit 50`);
}

/** The newest calls that an event fired. */
export function listEventCalls(db: Executor, eventId: number, count: number): Promise<CallRow[]> {
  return listNewest(db, sql`c.event_id = ${eventId}`, count);
}

/** The newest calls of a function. */
export function listCalls(db: Executor, functionId: string, count: number): Promise<CallRow[]> {
  return listNewest(db, sql`c.function_id = ${functionId}`, count);
}

function listNewest(db: Executor, which: SQL, count: number): Promise<CallRow[]> {
  return select<CallRow>(
    db,
    sql`select ${columns} from function_calls c where ${which} order by c.id desc limit ${count}`,
  );
}

/** The key of a stored answer: the function's version, the parameters, and the user whose rights were used. */
export interface AnswerKey {
  readonly functionId: string;
  readonly version: number;
  readonly userId: number;
  /** JSON text. */
  readonly parameters: string;
}

const hashOf = (text: string) => createHash('sha256').update(text).digest();
const keyOf = ({ functionId, version, userId, parameters }: AnswerKey) =>
  sql`function_id = ${functionId} and version = ${version} and user_id = ${userId}
      and parameters_hash = ${hashOf(parameters)}`;

/** JSON text of the answer, or null. */
export async function findAnswer(db: Executor, key: AnswerKey): Promise<string | null> {
  return selectValue<Tables['function_answers']['answer']>(
    db,
    sql`select answer from function_answers where ${keyOf(key)}`,
  );
}

/** Answers that are stored per function. */
const ANSWERS_KEPT = 100;

export async function insertAnswer(db: Executor, key: AnswerKey, answer: string): Promise<void> {
  const { functionId, version, userId, parameters } = key;
  await execute(
    db,
    sql`insert into function_answers (function_id, version, user_id, parameters_hash, answer)
        values (${functionId}, ${version}, ${userId}, ${hashOf(parameters)}, ${cleanText(answer)})
        on conflict (function_id, version, user_id, parameters_hash)
        do update set answer = excluded.answer, created_at = now()`,
  );
  await execute(
    db,
    sql`delete from function_answers where function_id = ${functionId} and created_at <
        (select created_at from function_answers where function_id = ${functionId}
         order by created_at desc offset ${ANSWERS_KEPT} limit 1)`,
  );
}
