/** Experiments: what was frozen at the start, the state of the run, and the columns that lists need. */
import type { ExperimentMeta, ExperimentStatus } from '../../contract/experiment.ts';
import { isRecord } from '../../shared/items.ts';
import { keepBlobs } from './blobs.ts';
import {
  type Executor,
  execute,
  hasRow,
  inTransaction,
  isGiven,
  join,
  json,
  prepared,
  raw,
  type SQL,
  select,
  selectOne,
  selectValue,
  sql,
} from './database.ts';
import { chainsLeftOut, composeMeta, type LiveChain } from './experiment-meta.ts';
import { listHashes, type StoredNode } from './model-trees.ts';
import type { ContentMeta } from './model-types.ts';
import {
  findObject,
  findObjectById,
  insertObject,
  numbersOf,
  type ObjectRow,
  ofKind,
  updateObject,
  withRows,
} from './objects.ts';
import { listQueuePlaces } from './queue-places.ts';
import type { Columns } from './tables.ts';

/** `SAMPLE_FIN` is internal and shown as `RUN`. */
export type StoredStatus = ExperimentStatus | 'SAMPLE_FIN';

export interface FrozenProgram {
  readonly env: string;
  readonly lang: string;
  readonly entrance_file: string;
  readonly content_meta: ContentMeta | null;
  readonly tree: readonly StoredNode[];
}

export interface ExperimentRow
  extends ObjectRow,
    Columns<
      'experiments',
      | 'model_name'
      | 'model_version'
      | 'data_name'
      | 'data_version'
      | 'input_id'
      | 'run_on'
      | 'n_chains'
      | 'n_variables'
      | 'n_samples'
      | 'sample_update_time'
      | 'revision'
      | 'started_at'
      | 'finished_at'
    > {
  /** Ids and names are empty where there is none or it was deleted; `model_name` stays. */
  readonly model_id: string;
  readonly workflow_id: string;
  readonly workflow_name: string;
  readonly data_id: string;
  readonly output: string | null;
  /** As the API shows it: stored meta with progress, place in the queue, settings, times. */
  readonly meta: ExperimentMeta;
  /** Null for outside runners and imports. */
  readonly settings: Readonly<Record<string, unknown>> | null;
}

export interface NewExperiment {
  readonly ownerId: number;
  readonly name: string;
  readonly status?: StoredStatus;
  readonly tags?: readonly string[];
  /** Numbers of objects. */
  readonly modelId?: number | null;
  readonly modelName?: string;
  readonly modelVersion?: number | null;
  readonly workflowId?: number | null;
  readonly dataId?: number | null;
  readonly dataName?: string;
  readonly dataVersion?: number | null;
  readonly dataHash?: string | null;
  readonly dataFmt?: string;
  readonly program?: FrozenProgram | null;
  readonly settings?: Readonly<Record<string, unknown>> | null;
  readonly inputId?: string;
  readonly runOn?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly numChains?: number;
}

export async function insertExperiment(
  db: Executor,
  experiment: NewExperiment,
): Promise<ExperimentRow> {
  return inTransaction(db, async (tx) => {
    const {
      ownerId,
      name,
      status = 'NEW',
      tags,
      program = null,
      dataHash = null,
      settings = null,
    } = experiment;
    const object = await insertObject(tx, { kind: 'experiment', ownerId, name, status, tags });
    await execute(
      tx,
      sql`insert into experiments (id, model_id, workflow_id, data_id, model_name, model_version, data_name,
            data_version, program, data_hash, data_fmt, settings, input_id, run_on, meta, n_chains)
          values (${object.id}, ${experiment.modelId ?? null}, ${experiment.workflowId ?? null},
            ${experiment.dataId ?? null}, ${experiment.modelName ?? ''}, ${experiment.modelVersion ?? null},
            ${experiment.dataName ?? ''}, ${experiment.dataVersion ?? null},
            ${program === null ? sql`null` : json(program)}, decode(${dataHash}::text, 'hex'),
            ${experiment.dataFmt ?? ''}, ${settings === null ? sql`null` : json(settings)},
            ${experiment.inputId ?? ''}, ${experiment.runOn ?? ''}, ${json(experiment.meta ?? {})},
            ${experiment.numChains ?? 0})`,
    );
    const hashes = program === null ? [] : listHashes(program.tree);
    await keepBlobs(tx, object.id, dataHash === null ? hashes : [...hashes, dataHash]);
    return (await findExperiment(tx, object.short_id)) as ExperimentRow;
  });
}

interface StoredRow extends Omit<ExperimentRow, 'meta'> {
  readonly meta: Record<string, unknown>;
  readonly live: readonly LiveChain[] | null;
  readonly silent_since: string | null;
}

/**
 * When an outside runner last spoke, five minutes ago or more. It may be dead or slow: the service cannot tell, so it
 * only shows the silence. The owner can stop the run, and the next message ends the silence.
 */
const silentSince: SQL = sql`(select heard.at from (select coalesce(
    (select max(r.last_message_at) from runner_runs r where r.experiment_id = e.id), o.updated_at) as at) heard
  where heard.at < now() - interval '5 minutes')`;

/** Chains are read only for runs that have not ended: an ended run has its progress in meta. */
const experimentColumns: SQL = sql`e.id, coalesce(m.short_id, '') as model_id, e.model_name, e.model_version,
  coalesce(w.short_id, '') as workflow_id, coalesce(w.name, '') as workflow_name,
  coalesce(d.short_id, '') as data_id, e.data_name, e.data_version, e.input_id, e.output, e.run_on, e.meta,
  e.n_chains, e.n_variables, e.n_samples, e.sample_update_time, e.settings, e.revision, e.started_at, e.finished_at,
  case when o.status in ('NEW', 'RUN', 'SAMPLE_FIN') then (
    select jsonb_agg(jsonb_build_object('chain', c.chain, 'name', c.name, 'state', c.state, 'phase', c.phase, 'iteration', c.iteration,
      'of', c.iterations, 'draws_per_second', c.draws_per_second, 'divergences', c.divergences,
      'saved', c.saved_samples, 'warmed_by', c.warmed_by) order by c.chain)
    from experiment_chains c where c.experiment_id = e.id and c.state <> 'outside') end as live,
  case when o.status = 'RUN' and e.settings is null then ${silentSince} end as silent_since`;
const experimentJoins: SQL = sql`join objects o on o.id = e.id
  left join objects m on m.id = e.model_id and m.deleted_at is null
  left join objects w on w.id = e.workflow_id and w.deleted_at is null
  left join objects d on d.id = e.data_id and d.deleted_at is null`;

export async function findExperiment(db: Executor, shortId: string): Promise<ExperimentRow | null> {
  const object = await findObject(db, shortId);
  return ofKind('experiment', object, (objects) => listExperiments(db, objects));
}

export async function findExperimentById(db: Executor, id: number): Promise<ExperimentRow | null> {
  const object = await findObjectById(db, id);
  return ofKind('experiment', object, (objects) => listExperiments(db, objects));
}

/** The experiments of a page of objects, in its order. */
export async function listExperiments(
  db: Executor,
  objects: readonly ObjectRow[],
): Promise<ExperimentRow[]> {
  const rows = await select<StoredRow>(
    db,
    prepared(
      sql`select ${experimentColumns} from experiments e ${experimentJoins} where e.id = any(${numbersOf(objects)})`,
    ),
  );
  const waiting = objects.filter((object) => object.status === 'NEW').map((object) => object.id);
  const places = await listQueuePlaces(db, waiting);
  return withRows(objects, rows).map((row) => complete(row, places.get(row.id) ?? null));
}

function complete(row: StoredRow, queuePlace: number | null): ExperimentRow {
  const { live, silent_since: silentSince, meta, ...rest } = row;
  const leftOut = chainsLeftOut(meta);
  const counted = live?.filter(({ name }) => !leftOut.includes(name)) ?? [];
  const saved =
    counted.length > 0 ? Math.min(...counted.map((chain) => chain.saved)) : rest.n_samples;
  const composed = composeMeta({
    stored: meta,
    live,
    queuePlace,
    silentSince,
    experiment: rest,
    status: row.status ?? '',
  });
  return { ...rest, n_samples: saved, meta: composed };
}

/** The program and data of a run, as frozen; null if the experiment has none (outside runner, import). */
export async function findFrozen(
  db: Executor,
  id: number,
): Promise<{ program: FrozenProgram | null; dataHash: string | null; dataFmt: string } | null> {
  const row = await selectOne<{
    program: FrozenProgram | null;
    data_hash: string | null;
    data_fmt: string;
  }>(
    db,
    sql`select program, encode(data_hash, 'hex') as data_hash, data_fmt from experiments where id = ${id}`,
  );
  return row === null
    ? null
    : { program: row.program, dataHash: row.data_hash, dataFmt: row.data_fmt };
}

/** Whether the data that it used are stored here. */
export async function hasFrozenData(db: Executor, id: number): Promise<boolean> {
  return hasRow(
    db,
    prepared(sql`select 1 from experiments where id = ${id} and data_hash is not null`),
  );
}

/** Absent or null: unchanged. */
export interface ExperimentChange {
  readonly name?: string | null;
  readonly status?: StoredStatus | null;
  /** Merged deeply into the stored one; nested nulls remove keys. */
  readonly meta?: Readonly<Record<string, unknown>> | null;
  /** The note that `meta` was edited from; absent or null: any note. */
  readonly baseNote?: string | null;
  readonly numChains?: number | null;
  readonly numVariables?: number | null;
  readonly numSamples?: number | null;
  readonly sampleUpdateTime?: string | null;
  readonly runOn?: string | null;
  readonly output?: string | null;
  readonly tags?: readonly string[] | null;
  readonly settings?: Readonly<Record<string, unknown>> | null;
}

/** The note differs from the one that was edited; nothing was changed. */
export class OtherNote extends Error {
  readonly note: string;
  constructor(note: string) {
    super('the note has changed since');
    this.note = note;
  }
}

/** Throws `OtherNote`. */
export async function updateExperiment(
  db: Executor,
  id: number,
  change: ExperimentChange,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { name, status, tags } = change;
    await updateObject(tx, id, { name, status, tags });
    const parts: SQL[] = [];
    const set = (column: string, value: unknown) => {
      if (isGiven(value)) parts.push(sql`${raw(column)} = ${value}`);
    };
    set('n_chains', change.numChains);
    set('n_variables', change.numVariables);
    set('n_samples', change.numSamples);
    set('sample_update_time', change.sampleUpdateTime);
    set('run_on', change.runOn);
    set('output', change.output);
    if (isGiven(change.settings)) parts.push(sql`settings = ${json(change.settings)}`);
    if (isGiven(change.meta)) {
      const row = await selectOne<{ meta: Record<string, unknown> }>(
        tx,
        sql`select meta from experiments where id = ${id} for no key update`,
      );
      const note = typeof row?.meta.note === 'string' ? row.meta.note : '';
      if (isGiven(change.baseNote) && change.baseNote !== note) throw new OtherNote(note);
      parts.push(sql`meta = ${json(mergeMeta(row?.meta ?? {}, change.meta))}`);
    }
    if (status === 'RUN')
      parts.push(sql`started_at = coalesce(started_at, now()), finished_at = null`);
    // The end of sampling: statistics, and draws that an outside runner sends late, come after it.
    if (status === 'SAMPLE_FIN' || status === 'FIN' || status === 'ERR')
      parts.push(sql`finished_at = coalesce(finished_at, now())`);
    if (parts.length > 0) await setColumns(tx, id, join(parts, ', '));
  });
}

async function setColumns(db: Executor, id: number, change: SQL): Promise<void> {
  await execute(db, sql`update experiments set ${change} where id = ${id}`);
}

/**
 * Seconds since the run began in which none of its chains worked: it was paused, or had ended and was continued. If it
 * rests now, up to now. The run keeps them as `meta.idle_seconds`; null: none.
 */
export async function countIdleSeconds(tx: Executor, id: number): Promise<number | null> {
  const row = await selectOne<{ seconds: number | null }>(
    tx,
    sql`select coalesce(json_number(e.meta->'idle_seconds'), 0)
          + coalesce(greatest(0, extract(epoch from now() - coalesce(e.finished_at, rest.since))::float8), 0) as seconds
        from experiments e, (
          select case when not bool_or(state = 'running') then max(greatest(heartbeat_at, finished_at, queued_at)) end as since
          from experiment_chains where experiment_id = ${id} and state <> 'outside'
        ) rest where e.id = ${id} and e.started_at is not null`,
  );
  return row?.seconds || null;
}

/** Objects are merged key by key, everything else is replaced, null removes. */
export function mergeMeta(
  into: Readonly<Record<string, unknown>>,
  from: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...into };
  for (const [key, value] of Object.entries(from)) {
    if (key === '__proto__') continue;
    if (value === null) delete merged[key];
    else if (isRecord(value) && isRecord(merged[key])) merged[key] = mergeMeta(merged[key], value);
    else merged[key] = value;
  }
  return merged;
}

/** Statistics of an ended run, as stored by the finaliser; null before that. */
export async function findSummary(db: Executor, id: number): Promise<unknown> {
  return selectValue<unknown>(db, sql`select summary from experiments where id = ${id}`);
}

export async function updateSummary(db: Executor, id: number, summary: unknown): Promise<void> {
  await setColumns(db, id, sql`summary = ${summary === null ? sql`null` : json(summary)}`);
}

/** Notes that draws were added or changed. */
export async function touchDraws(db: Executor, id: number): Promise<void> {
  await setColumns(
    db,
    id,
    sql`revision = revision + 1, sample_update_time = now(), summary = null`,
  );
}

/** Notes that results of the draws (summary, files that contain it) have changed, though the draws have not. */
export async function bumpRevision(db: Executor, id: number): Promise<void> {
  await setColumns(db, id, sql`revision = revision + 1, summary = null`);
}

/** Like `touchDraws` while chains sample: there is no summary yet. */
export async function growDraws(db: Executor, id: number): Promise<void> {
  await setColumns(db, id, sql`revision = revision + 1, sample_update_time = now()`);
}

/** Of the program, without the sampler's variables; most calls change nothing. */
export async function updateVariableCount(db: Executor, id: number, count: number): Promise<void> {
  await execute(
    db,
    sql`update experiments set n_variables = ${count} where id = ${id} and n_variables <> ${count}`,
  );
}
