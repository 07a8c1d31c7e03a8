/** Calls of functions and callbacks: one row each, which is the order, its lock and its record. */
import { createHash } from 'node:crypto';
import {
  cleanText,
  type Executor,
  execute,
  inTransaction,
  type SQL,
  select,
  selectOne,
  sql,
} from './database.ts';

export type CallState = 'waiting' | 'running' | 'done' | 'failed';

export interface CallRow {
  readonly id: number;
  readonly function_id: string;
  readonly version: number;
  readonly user_id: number;
  readonly event_id: number | null;
  readonly state: CallState;
  readonly background: boolean;
  /** JSON text; empty once it ended. */
  readonly parameters: string;
  readonly lock_key: string | null;
  readonly attempts: number;
  /** Grows with each attempt; who holds an older one may not write any more. */
  readonly lease: number;
  readonly error_code: string | null;
  readonly error: string | null;
  readonly log: string;
  readonly milliseconds: number | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
}

const columns = sql`c.id, c.function_id, c.version, c.user_id, c.event_id, c.state, c.background, c.parameters,
  c.lock_key, c.attempts, c.lease, c.error_code, c.error, c.log, c.milliseconds, c.created_at, c.started_at,
  c.finished_at`;

/** A call is lost when nobody renewed it for so long. */
const LEASE_SECONDS = 20;
/** How often it is renewed. */
export const RENEW_MS = 5000;
/** A call that lost its process is tried so many times in all. */
export const MAX_ATTEMPTS = 3;
/** Calls of one key that wait at most. */
export const MAX_WAITING = 100;
/** Jobs of one user that wait at most. */
export const USER_WAITING = 1000;
/** Jobs of one user that are carried out at once. */
export const USER_JOBS = 2;
/** Ended calls that are kept for one user. */
const KEPT = 1000;
const LOCK_CLASS = 4_715_011;

const renewed = sql`now() + make_interval(secs => ${LEASE_SECONDS}::int)`;

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

/** Null: `MAX_WAITING` calls of this key, or `USER_WAITING` jobs of this user, wait already. */
export async function insertCall(db: Executor, call: NewCall): Promise<CallRow | null> {
  const { functionId, version = 0, userId, eventId = null, background, lockKey } = call;
  // a caller who waits renews; a job is looked after by the queue and by every worker's round
  const lease = background ? sql`'infinity'::timestamptz` : renewed;
  return inTransaction(db, async (tx) => {
    if (lockKey !== null) {
      await lock(tx, lockKey);
      const row = await selectOne<{ waiting: number }>(
        tx,
        sql`select count(*) as waiting from function_calls where lock_key = ${lockKey} and state = 'waiting'
            and lease_until > now()`,
      );
      if ((row?.waiting ?? 0) >= MAX_WAITING) return null;
    }
    if (background) {
      const row = await selectOne<{ waiting: number }>(
        tx,
        sql`select count(*) as waiting from function_calls where user_id = ${userId} and state = 'waiting' and background`,
      );
      if ((row?.waiting ?? 0) >= USER_WAITING) return null;
    }
    return selectOne<CallRow>(
      tx,
      sql`insert into function_calls as c (function_id, version, user_id, event_id, state, background, parameters, lock_key,
            lease_until)
          values (${functionId}, ${version}, ${userId}, ${eventId}, 'waiting', ${background},
            ${cleanText(call.parameters)}, ${lockKey}, ${lease}) returning ${columns}`,
    );
  });
}

async function lock(tx: Executor, key: string): Promise<void> {
  await execute(tx, sql`select pg_advisory_xact_lock(${LOCK_CLASS}::int, hashtext(${key}))`);
}

export async function findCall(db: Executor, id: number): Promise<CallRow | null> {
  return selectOne<CallRow>(db, sql`select ${columns} from function_calls c where c.id = ${id}`);
}

/**
 * Begins a waiting call when nothing of its key runs or waits longer; null: not now (or not any more). `holder`: the
 * worker that carries it out; null when its caller does.
 */
export async function claimCall(
  db: Executor,
  call: CallRow,
  holder: number | null = null,
): Promise<CallRow | null> {
  const { id, lock_key: key } = call;
  return inTransaction(db, async (tx) => {
    if (key !== null) await lock(tx, key);
    return selectOne<CallRow>(
      tx,
      sql`update function_calls c set state = 'running', started_at = clock_timestamp(), attempts = attempts + 1,
            lease = lease + 1, lease_until = ${renewed}, holder = ${holder}
          where c.id = ${id} and c.state = 'waiting' and not ${isBlocked()} returning ${columns}`,
    );
  });
}

/** Another of its key goes on or waits longer; or its user has enough jobs going on, so that others have theirs. */
function isBlocked(): SQL {
  return sql`(exists (select 1 from function_calls o where o.lock_key = c.lock_key and o.id <> c.id
      and o.lease_until > now() and (o.state = 'running' or (o.state = 'waiting' and o.id < c.id)))
    or (c.background and (select count(*) from function_calls o where o.user_id = c.user_id and o.background
      and o.state = 'running' and o.lease_until > now()) >= ${USER_JOBS}))`;
}

/** Says that somebody still waits for it or runs it. */
export async function renewCall(db: Executor, id: number, lease: number): Promise<void> {
  await execute(
    db,
    sql`update function_calls set lease_until = ${renewed}
        where id = ${id} and lease = ${lease} and state in ('waiting', 'running')`,
  );
}

export interface CallEnd {
  readonly error?: { readonly code: string; readonly message: string } | null;
  readonly log?: string;
  readonly milliseconds?: number | null;
}

/** False when the call was ended already, or taken over by another attempt. */
export async function endCall(db: Executor, call: CallRow, end: CallEnd): Promise<boolean> {
  const { error = null, log = '', milliseconds = null } = end;
  const count = await execute(
    db,
    sql`update function_calls set state = ${error === null ? 'done' : 'failed'}, parameters = '', lease_until = now(),
          error_code = ${error?.code ?? null}, error = ${error === null ? null : cleanText(error.message)},
          log = ${cleanText(log)}, milliseconds = ${milliseconds}, finished_at = now()
        where id = ${call.id} and lease = ${call.lease} and state in ('waiting', 'running')`,
  );
  if (count > 0) await prune(db, call.user_id);
  return count > 0;
}

async function prune(db: Executor, userId: number): Promise<void> {
  await execute(
    db,
    sql`delete from function_calls where user_id = ${userId} and state in ('done', 'failed')
        and id < (select id from function_calls where user_id = ${userId} order by id desc offset ${KEPT} limit 1)`,
  );
}

/** Background calls that may begin now that this one has ended: of its key, or of its user. */
export async function listNextCalls(db: Executor, ended: CallRow): Promise<number[]> {
  const rows = await select<{ id: number }>(
    db,
    sql`select c.id from function_calls c
        where c.state = 'waiting' and c.background and (c.lock_key = ${ended.lock_key} or c.user_id = ${ended.user_id})
          and not ${isBlocked()} order by c.id limit ${USER_JOBS}`,
  );
  return rows.map((row) => row.id);
}

/**
 * Ends calls that lost whoever waited for them or ran them: a background call waits again until its attempts are used
 * up, any other has failed. Gives the background calls that could begin now and whose job may be lost.
 */
export async function recoverCalls(db: Executor): Promise<number[]> {
  const isSpent = sql`(not background or attempts >= ${MAX_ATTEMPTS}::int)`;
  await execute(
    db,
    sql`update function_calls set
          state = case when ${isSpent} then 'failed' else 'waiting' end,
          parameters = case when ${isSpent} then '' else parameters end,
          error_code = case when ${isSpent} then 'UNAVAILABLE' end,
          error = case when ${isSpent} then 'The service ended while this call waited or ran.' end,
          finished_at = case when ${isSpent} then now() end,
          lease = lease + 1,
          lease_until = case when ${isSpent} then now() else 'infinity'::timestamptz end
        where state in ('waiting', 'running') and lease_until < now()`,
  );
  const rows = await select<{ id: number }>(
    db,
    sql`select c.id from function_calls c where c.state = 'waiting' and c.background
          and not ${isBlocked()}
        order by c.id limit 50`,
  );
  return rows.map((row) => row.id);
}

/** The newest calls that an event fired. */
export async function listEventCalls(
  db: Executor,
  eventId: number,
  count: number,
): Promise<CallRow[]> {
  return select<CallRow>(
    db,
    sql`select ${columns} from function_calls c where c.event_id = ${eventId} order by c.id desc limit ${count}`,
  );
}

/** The newest calls of a function. */
export async function listCalls(
  db: Executor,
  functionId: string,
  count: number,
): Promise<CallRow[]> {
  return select<CallRow>(
    db,
    sql`select ${columns} from function_calls c where c.function_id = ${functionId} order by c.id desc limit ${count}`,
  );
}

/** What an answer is remembered by: the function's version, the parameters, and whose rights it was made with. */
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
  const row = await selectOne<{ answer: string }>(
    db,
    sql`select answer from function_answers where ${keyOf(key)}`,
  );
  return row?.answer ?? null;
}

/** Answers that are remembered of one function. */
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
