/** Models and cloud functions, and their immutable versions. */

import {
  type Executor,
  execute,
  inTransaction,
  isGiven,
  json,
  prepared,
  select,
  selectOne,
  sql,
} from './database.ts';
import { type DecodedNode, insertTree, type StoredNode } from './model-trees.ts';
import type { ContentMeta, ModelMeta } from './model-types.ts';
import {
  type ChangeOutcome,
  findObject,
  insertObject,
  listVersions,
  numbersOf,
  type ObjectRow,
  ofKind,
  updateVersioned,
  type VersionedChange,
  withRows,
} from './objects.ts';
import type { Columns } from './tables.ts';

export interface ModelRow
  extends ObjectRow,
    Columns<'models', 'env' | 'lang' | 'single_instance' | 'lambda_image'> {
  readonly meta: ModelMeta;
  /** Of the current version. */
  readonly entrance_file: string;
}

export interface ModelVersion
  extends Columns<'model_versions', 'version' | 'entrance_file' | 'created_at'> {
  readonly tree: readonly StoredNode[];
  readonly content_meta: ContentMeta | null;
}

export interface NewModelContent {
  /** Null: the files of the previous version; a new model has none. */
  readonly tree: readonly DecodedNode[] | null;
  readonly contentMeta?: ContentMeta | null;
  readonly entranceFile?: string;
}

export interface NewModel {
  readonly ownerId: number;
  readonly name: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly env?: string;
  readonly lang?: string;
  readonly singleInstance?: boolean;
  readonly lambdaImage?: boolean;
  readonly meta?: ModelMeta;
  /** Null: a model without files, as the documented create allows. */
  readonly content: NewModelContent | null;
}

export async function insertModel(db: Executor, model: NewModel): Promise<ModelRow> {
  return inTransaction(db, async (tx) => {
    const { ownerId, name, description, tags } = model;
    const object = await insertObject(tx, { kind: 'model', ownerId, name, description, tags });
    await execute(
      tx,
      sql`insert into models (id, env, lang, single_instance, lambda_image, meta)
          values (${object.id}, ${model.env ?? ''}, ${model.lang ?? ''}, ${model.singleInstance ?? true},
                  ${model.lambdaImage ?? false}, ${json(model.meta ?? {})})`,
    );
    if (model.content !== null) await insertVersion(tx, object.id, 1, model.content);
    return (await findModel(tx, object.short_id)) as ModelRow;
  });
}

async function insertVersion(
  tx: Executor,
  id: number,
  version: number,
  content: NewModelContent,
  before: ModelVersion | null = null,
): Promise<void> {
  const tree =
    content.tree === null ? (before?.tree ?? []) : await insertTree(tx, id, content.tree);
  const meta = content.contentMeta ? json(content.contentMeta) : sql`null`;
  await execute(
    tx,
    sql`insert into model_versions (model_id, version, tree, content_meta, entrance_file)
        values (${id}, ${version}, ${json(tree)}, ${meta}, ${content.entranceFile ?? ''})`,
  );
}

const modelColumns = sql`o.id, m.env, m.lang, m.single_instance, m.lambda_image, m.meta,
  coalesce(v.entrance_file, '') as entrance_file`;
const modelJoins = sql`join models m on m.id = o.id
  left join model_versions v on v.model_id = o.id and v.version = o.version`;

export async function findModel(db: Executor, shortId: string): Promise<ModelRow | null> {
  return ofKind('model', await findObject(db, shortId), (objects) => listModels(db, objects));
}

/** The models of a page of objects, in its order. */
export async function listModels(db: Executor, objects: readonly ObjectRow[]): Promise<ModelRow[]> {
  const rows = await select<ModelRow>(
    db,
    prepared(
      sql`select ${modelColumns} from objects o ${modelJoins} where o.id = any(${numbersOf(objects)})`,
    ),
  );
  return withRows(objects, rows);
}

/** A version of a model; the current one when `version` is absent or 0. */
export async function findModelVersion(
  db: Executor,
  id: number,
  version = 0,
): Promise<ModelVersion | null> {
  return selectOne<ModelVersion>(
    db,
    prepared(sql`select v.version, v.tree, v.content_meta, v.entrance_file, v.created_at
        from model_versions v join objects o on o.id = v.model_id
        where v.model_id = ${id} and v.version = ${version === 0 ? sql`o.version` : sql`${version}`}`),
  );
}

export function listModelVersions(db: Executor, id: number) {
  return listVersions(db, sql`model_versions where model_id = ${id}`);
}

export interface ModelChange extends VersionedChange {
  readonly lambdaImage?: boolean | null;
  readonly content?: NewModelContent | null;
}

/** Changes a model; new content makes the next version. */
export async function updateModel(
  db: Executor,
  id: number,
  change: ModelChange,
): Promise<ChangeOutcome> {
  const { lambdaImage, content } = change;
  return updateVersioned(db, id, change, async (tx, version) => {
    if (isGiven(lambdaImage))
      await execute(tx, sql`update models set lambda_image = ${lambdaImage} where id = ${id}`);
    if (!isGiven(content)) return version;
    const before = await findModelVersion(tx, id);
    const next = before === null ? version : version + 1;
    const entranceFile = content.entranceFile || before?.entrance_file || '';
    await insertVersion(tx, id, next, { ...content, entranceFile }, before);
    return next;
  });
}
