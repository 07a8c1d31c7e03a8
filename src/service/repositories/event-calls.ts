/** Firing events: calls everything that existing relations bind to them, in one statement. */
import { builtinEvents } from '../../contract/relations.ts';
import {
  cleanText,
  type Executor,
  execute,
  hasRow,
  inTransaction,
  type SQL,
  select,
  selectValues,
  sql,
} from './database.ts';
import { liveCalls, MAX_WAITING, USER_WAITING } from './function-calls.ts';
import { insertObject } from './objects.ts';
import type { Tables } from './tables.ts';
import { MAX_ATTEMPTS } from './tasks.ts';

/** An event calls at most this many. */
const MAX_BOUND = 100;

/**
 * Calls for the bindings of `relations r join objects ro, objects ev (the event), objects t (the target)` that `where`
 * selects. `parameters`: JSON text. `key`: narrows "one at a time"; empty: the target's setting applies.
 */
function insertCalls({ parameters, key, where }: { parameters: SQL; key: SQL; where: SQL }): SQL {
  return sql`with bound as (
      select t.short_id as function_id, ev.owner_id as user_id, ev.id as event_id, ${parameters} as parameters,
        case when ${key} <> '' then t.short_id || ':' || left(${key}, 200)
             when coalesce(m.single_instance, cb.single_instance, true) then t.short_id end as lock_key
      from relations r join objects ro on ro.id = r.id and ro.deleted_at is null
        join events e on e.id = r.object1_id join objects ev on ev.id = e.id and ev.deleted_at is null
        join objects t on t.id = r.object2_id and t.deleted_at is null
        left join models m on m.id = t.id left join callbacks cb on cb.id = t.id
      where ${where} order by r.id limit ${MAX_BOUND}
    ), judged as (
      select b.*, (b.lock_key is not null and (select count(*) from ${liveCalls} where o.lock_key = b.lock_key
          and o.state = 'open' and k.state = 'waiting') >= ${MAX_WAITING})
        or (select count(*) from ${liveCalls} where o.user_id = b.user_id and o.background
          and o.state = 'open' and k.state = 'waiting') >= ${USER_WAITING} as is_full from bound b
    ), made as (
      insert into function_calls (function_id, user_id, event_id, state, background, parameters, lock_key,
        error_code, error, finished_at)
      select function_id, user_id, event_id, case when is_full then 'failed' else 'open' end, true,
        case when is_full then '' else parameters end, lock_key,
        case when is_full then 'LIMIT_EXCEEDED' end,
        case when is_full then 'Too many calls wait already.' end,
        case when is_full then now() end
      from judged returning id, state
    )
    insert into tasks (kind, subject_id, max_attempts)
    select 'call', id, ${MAX_ATTEMPTS} from made where state = 'open' returning subject_id as id`;
}

/** Ids of the calls that are now waiting. `parameters`: JSON text. */
export async function insertEventCalls(
  db: Executor,
  { eventId, parameters, key }: { eventId: number; parameters: string; key: string },
): Promise<number[]> {
  return selectValues<Tables['function_calls']['id']>(
    db,
    insertCalls({
      parameters: sql`${cleanText(parameters)}::text`,
      key: sql`${cleanText(key)}::text`,
      where: sql`ev.id = ${eventId}`,
    }),
  );
}

export interface BuiltinFiring {
  readonly builtin: (typeof builtinEvents)[number];
  /** The user whose events fire. */
  readonly userId: number;
  /** Short id of the object concerned. */
  readonly object: string;
  readonly message: string;
}

/** Fires a built-in event of a user: does nothing unless something is bound to it. */
export async function fireBuiltin(
  db: Executor,
  { builtin, userId, object, message }: BuiltinFiring,
): Promise<void> {
  const run = (path: string) =>
    sql`coalesce((select x.meta #>> ${`{run_info,${path}}`}::text[] from experiments x join objects xo on xo.id = x.id
      where xo.short_id = ${object}), '')`;
  const parameters = sql`jsonb_build_object('event', ${builtin}::text, 'object_id', ${object}::text,
    'experiment_id', case when ${object}::text like 'X%' then ${object}::text else '' end,
    'batch_id', ${run('batch_id')}, 'run_id', ${run('run_id')}, 'chain_name', '', 'n_iteration',
    coalesce((select x.n_samples from experiments x join objects xo on xo.id = x.id where xo.short_id = ${object}), 0),
    'message', ${cleanText(message)}::text)::text`;
  await execute(
    db,
    insertCalls({
      parameters,
      key: sql`${object}::text`,
      where: sql`e.builtin = ${builtin} and e.builtin_owner = ${userId}`,
    }),
  );
}

/** Makes the missing built-in events of a user; deleted ones stay deleted until they are restored. */
export async function ensureBuiltinEvents(db: Executor, userId: number): Promise<void> {
  const known = await selectValues<string>(
    db,
    sql`select builtin from events where builtin_owner = ${userId} and builtin is not null`,
  );
  const missing = builtinEvents.filter((builtin) => !known.includes(builtin));
  if (missing.length === 0) return;
  await inTransaction(db, async (tx) => {
    await execute(tx, sql`select id from users where id = ${userId} for no key update`);
    for (const name of missing) {
      const isThere = await hasRow(
        tx,
        sql`select 1 from events where builtin_owner = ${userId} and builtin = ${name}`,
      );
      if (isThere) continue;
      const made = { kind: 'event', ownerId: userId, name, tags: ['builtin'] } as const;
      const object = await insertObject(tx, made);
      await execute(
        tx,
        sql`insert into events (id, builtin, builtin_owner) values (${object.id}, ${name}, ${userId})`,
      );
    }
  });
}

/** "Every n samples" if a binding does not set n. */
const DEFAULT_N = 1000;

/**
 * Fires "every n samples" for chains that passed a multiple of n since the last check; of several multiples passed,
 * only the last counts. Starts from the runs in progress, and those that just ended, then looks up their owners'
 * bindings: runs in progress are few, bindings are many.
 */
export async function fireSampleEvents(db: Executor): Promise<number> {
  const due = sql`select r.id as relation_id, c.experiment_id, c.chain, c.name as chain_name, xo.short_id,
      coalesce(x.meta #>> '{run_info,batch_id}', '') as batch_id, coalesce(x.meta #>> '{run_info,run_id}', '') as run_id,
      coalesce((r.params->>'n')::bigint, ${DEFAULT_N}) as n,
      c.saved_samples / coalesce((r.params->>'n')::bigint, ${DEFAULT_N}) as times
    from (
        select id, '-infinity'::timestamptz as bound_before from objects
          where kind = 'experiment' and status in ('RUN', 'SAMPLE_FIN')
        union all
        select id, finished_at from experiments where finished_at > now() - interval '1 minute'
      ) live join objects xo on xo.id = live.id and xo.deleted_at is null
      join events e on e.builtin_owner = xo.owner_id and e.builtin = 'experiment.every_n_samples'
      join objects ev on ev.id = e.id and ev.deleted_at is null
      join relations r on r.object1_id = e.id
      join objects ro on ro.id = r.id and ro.deleted_at is null
        and (live.bound_before = '-infinity' or live.bound_before > ro.created_at)
      join experiments x on x.id = xo.id join experiment_chains c on c.experiment_id = x.id`;
  return inTransaction(db, async (tx) => {
    const marks = await select<{
      relation_id: number;
      chain_name: string;
      short_id: string;
      batch_id: string;
      run_id: string;
      reached: number;
    }>(
      tx,
      sql`with due as (${due}), marked as (
          insert into sample_marks as m (relation_id, experiment_id, chain, fired)
          select relation_id, experiment_id, chain, times from due where times > 0
          on conflict (relation_id, experiment_id, chain) do update set fired = excluded.fired
            where m.fired < excluded.fired
          returning relation_id, experiment_id, chain, fired)
        select d.relation_id, d.chain_name, d.short_id, d.batch_id, d.run_id, m.fired * d.n as reached
        from marked m join due d using (relation_id, experiment_id, chain) order by reached`,
    );
    for (const mark of marks) {
      const { short_id: experimentId, batch_id, run_id, chain_name, reached } = mark;
      const parameters = JSON.stringify({
        event: 'experiment.every_n_samples',
        object_id: experimentId,
        experiment_id: experimentId,
        batch_id,
        run_id,
        chain_name,
        n_iteration: reached,
      });
      await execute(
        tx,
        insertCalls({
          parameters: sql`${cleanText(parameters)}::text`,
          key: sql`${`${experimentId}:${chain_name}`}::text`,
          where: sql`r.id = ${mark.relation_id}`,
        }),
      );
    }
    return marks.length;
  });
}
