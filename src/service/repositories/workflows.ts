/** Workflows: a model, data, settings and scripts, and the newest experiment made from them. */
import {
  cleanText,
  type Executor,
  execute,
  inTransaction,
  isGiven,
  join,
  prepared,
  raw,
  type SQL,
  select,
  sql,
} from './database.ts';
import {
  findObject,
  insertObject,
  numbersOf,
  type ObjectChange,
  type ObjectRow,
  ofKind,
  updateObject,
  withRows,
} from './objects.ts';
import type { Columns } from './tables.ts';

/** Ids and names of related objects are empty if nothing is attached or it was deleted. */
export interface WorkflowRow
  extends ObjectRow,
    Columns<
      'workflows',
      'analyzer_result' | 'startup_script' | 'settings' | 'data_script' | 'uri'
    > {
  readonly model_id: string;
  readonly model_name: string;
  readonly data_id: string;
  readonly data_name: string;
  readonly data_fmt: string;
  readonly experiment_id: string;
  readonly experiment_name: string;
  readonly analyzer_id: string;
  readonly analyzer_name: string;
}

export interface NewWorkflow {
  readonly ownerId: number;
  readonly name: string;
  readonly description?: string;
  /** Numbers of objects. */
  readonly modelId?: number | null;
  readonly dataId?: number | null;
  readonly analyzerId?: number | null;
  readonly settings?: string | null;
  readonly startupScript?: string | null;
  readonly dataScript?: string | null;
  readonly uri?: string;
}

export async function insertWorkflow(db: Executor, workflow: NewWorkflow): Promise<WorkflowRow> {
  return inTransaction(db, async (tx) => {
    const { ownerId, name, description } = workflow;
    const object = await insertObject(tx, { kind: 'workflow', ownerId, name, description });
    await execute(
      tx,
      sql`insert into workflows (id, model_id, data_id, analyzer_id, settings, startup_script, data_script, uri)
          values (${object.id}, ${workflow.modelId ?? null}, ${workflow.dataId ?? null}, ${workflow.analyzerId ?? null},
                  ${workflow.settings ?? null}, ${workflow.startupScript ?? null}, ${workflow.dataScript ?? null},
                  ${workflow.uri ?? ''})`,
    );
    return (await findWorkflow(tx, object.short_id)) as WorkflowRow;
  });
}

export async function findWorkflow(db: Executor, shortId: string): Promise<WorkflowRow | null> {
  return ofKind('workflow', await findObject(db, shortId), (objects) => listWorkflows(db, objects));
}

/** The workflows of a page of objects, in its order. */
export async function listWorkflows(
  db: Executor,
  objects: readonly ObjectRow[],
): Promise<WorkflowRow[]> {
  const joined = (alias: string, column: string): SQL =>
    sql`left join objects ${raw(alias)} on ${raw(alias)}.id = w.${raw(column)} and ${raw(alias)}.deleted_at is null`;
  const rows = await select<WorkflowRow>(
    db,
    prepared(sql`select w.id, coalesce(m.short_id, '') as model_id, coalesce(m.name, '') as model_name,
          coalesce(d.short_id, '') as data_id, coalesce(d.name, '') as data_name, coalesce(dd.fmt, '') as data_fmt,
          coalesce(x.short_id, '') as experiment_id, coalesce(x.name, '') as experiment_name,
          coalesce(a.short_id, w.builtin_analyzer) as analyzer_id, coalesce(a.name, '') as analyzer_name,
          w.analyzer_result, w.startup_script, w.settings, w.data_script, w.uri
        from workflows w ${joined('m', 'model_id')} ${joined('d', 'data_id')} ${joined('x', 'experiment_id')}
          ${joined('a', 'analyzer_id')} left join data_objects dd on dd.id = d.id
        where w.id = any(${numbersOf(objects)})`),
  );
  return withRows(objects, rows);
}

/** Absent or null: unchanged. An id of 0 detaches. */
export interface WorkflowChange extends ObjectChange {
  readonly dataId?: number | null;
  readonly experimentId?: number | null;
  /** A number, or the id of an analyzer that comes with the service. */
  readonly analyzerId?: number | string | null;
  readonly analyzerResult?: string | null;
  readonly startupScript?: string | null;
  readonly settings?: string | null;
  readonly dataScript?: string | null;
}

export async function updateWorkflow(
  db: Executor,
  id: number,
  change: WorkflowChange,
): Promise<void> {
  const parts: SQL[] = [];
  const reference = (column: string, value: number | null | undefined) => {
    if (isGiven(value)) parts.push(sql`${raw(column)} = ${value === 0 ? null : value}`);
  };
  const text = (column: string, value: string | null | undefined) => {
    if (isGiven(value)) parts.push(sql`${raw(column)} = ${cleanText(value)}`);
  };
  reference('data_id', change.dataId);
  reference('experiment_id', change.experimentId);
  const { analyzerId } = change;
  if (isGiven(analyzerId)) {
    const isBuiltin = typeof analyzerId === 'string';
    parts.push(sql`analyzer_id = ${isBuiltin ? null : analyzerId || null}`);
    parts.push(sql`builtin_analyzer = ${isBuiltin ? analyzerId : ''}`);
  }
  text('analyzer_result', change.analyzerResult);
  text('startup_script', change.startupScript);
  text('settings', change.settings);
  text('data_script', change.dataScript);
  await inTransaction(db, async (tx) => {
    await updateObject(tx, id, change);
    if (parts.length > 0)
      await execute(tx, sql`update workflows set ${join(parts, ', ')} where id = ${id}`);
  });
}
