/** Models: versioned trees of files, sent, fetched or taken from the gallery; those tagged `code` are functions. */
import type { Model, ModelContent } from '../../../contract/model.ts';
import type { View } from '../../../contract/objects.ts';
import { ownerName } from '../../auth/user-names.ts';
import { contentMetaToWire, envOf, langOf, readContent } from '../../content/model-content.ts';
import type { CoreContext, WebContext } from '../../context.ts';
import { listFunctionRuns } from '../../functions/function-runs.ts';
import { invokeFunction, runScript } from '../../functions/invoke-function.ts';
import { findByAddress, insertGalleryModel } from '../../gallery/gallery.ts';
import { checkTags } from '../../http/names.ts';
import { notFound, orNotFound } from '../../http/service-error.ts';
import { authorize, authorizeBuiltin } from '../../policy/authorize.ts';
import { builtinToWire, listBuiltins } from '../../policy/builtin-functions.ts';
import { type Snapshot, snapshotOf } from '../../policy/share-snapshot.ts';
import type { Executor } from '../../repositories/database.ts';
import { findWireTree } from '../../repositories/model-trees.ts';
import {
  findModel,
  findModelVersion,
  insertModel,
  listModels,
  listModelVersions,
  type ModelRow,
  updateModel,
} from '../../repositories/models.ts';
import type { ObjectRow } from '../../repositories/objects.ts';
import type { ShareRow } from '../../repositories/shares.ts';
import { refuseStale, viewRequest } from '../call-checks.ts';
import type {
  Caller,
  ChangePayload,
  CreatePayload,
  Kind,
  ListQuery,
  Target,
  ViewCall,
} from '../kind.ts';
import { importModel } from './import-model.ts';
import { viewSharedProgram } from './shared-program.ts';

export const model: Kind<'model', ModelRow> = {
  create,
  change,
  list: listModels,
  toWire,
  view,
  freeze,
  versions: listModelVersions,
  commands: {
    'model.run_script': (context, { objid, viewer }, payload) =>
      runScript(context, objid, { payload, viewer }),
  },
  actions: {
    run: (context, { objid: target, viewer, parameters, getResponse }) =>
      invokeFunction(context, { target, parameters, getResponse, viewer }),
  },
  builtinEntries,
};

function toWire(row: ModelRow, content?: ModelContent): Model {
  const { github = null, commit_id = null, origin_url = null, fixed_version_url = null } = row.meta;
  return {
    object_type: 'model',
    id: row.row_number,
    short_id: row.short_id,
    name: row.name,
    meta: { github, commit_id, origin_url, fixed_version_url },
    tags: [...row.tags],
    ...(content === undefined ? {} : { content }),
    lambda_image_url: '',
    lambda_image_name: '',
    env: row.env,
    lang: row.lang,
    single_instance: row.single_instance,
    description: row.description,
    version: row.version,
    created_at: row.created_at,
    updated_at: row.updated_at,
    owner: ownerName(row),
  };
}

async function create(
  context: CoreContext,
  { user, prepared }: Caller,
  payload: CreatePayload<'model'>,
): Promise<Model> {
  checkTags('payload.tags', payload.tags);
  const entry = findByAddress(payload.source_url);
  const { pool } = context;
  const made =
    entry !== null
      ? await insertGalleryModel(pool, user.id, entry)
      : payload.type === 'local'
        ? await insertSent(pool, { user, prepared }, payload)
        : await importModel(context, user.id, payload);
  return toWire(made, (await findContent(pool, made.id, 0)) ?? undefined);
}

async function insertSent(
  db: Executor,
  { user, prepared }: Pick<Caller, 'user' | 'prepared'>,
  payload: CreatePayload<'model'>,
): Promise<ModelRow> {
  const { name, description = '', single_instance: singleInstance } = payload;
  const content =
    prepared?.content ??
    (payload.content ? readContent(payload.content, payload.entrance_file) : null);
  const env = envOf(
    (payload.env ?? '').slice(0, 64),
    content?.entranceFile ?? payload.entrance_file,
  );
  const lang = payload.lang?.slice(0, 64) || langOf(env);
  const tags = payload.tags ?? ['model'];
  const lambdaImage = payload.lambda_image;
  const parts = { name, description, tags, env, lang, singleInstance, lambdaImage, content };
  return insertModel(db, { ownerId: user.id, ...parts });
}

async function change(
  { pool }: CoreContext,
  { object, prepared }: Target,
  payload: ChangePayload<'model'>,
): Promise<Model> {
  checkTags('payload.tags', payload.tags);
  const { name, description, tags, lambda_image: lambdaImage, base_version: baseVersion } = payload;
  const content = prepared.content ?? (payload.content ? readContent(payload.content) : null);
  const changes = { name, description, tags, lambdaImage, baseVersion, content };
  refuseStale(await updateModel(pool, object.id, changes));
  const row = orNotFound(await findModel(pool, object.short_id));
  return toWire(row, (await findContent(pool, row.id, 0)) ?? undefined);
}

/** A version's tree as it was sent; null when the model has none. `version` 0: the newest. */
async function findContent(
  db: Executor,
  id: number,
  version: number,
): Promise<ModelContent | null> {
  const stored = await findModelVersion(db, id, version);
  if (stored === null) return null;
  const tree = await findWireTree(db, stored.tree);
  return { meta: contentMetaToWire(stored.content_meta, stored.entrance_file), tree };
}

/** A built-in function, the live model, a share's version of it, or the program that a shared run includes. */
async function view(context: WebContext, call: ViewCall): Promise<View> {
  const { objid, viewer } = call;
  const builtin = authorizeBuiltin({ objid, operation: 'view', viewer });
  if (builtin !== null) return builtinToWire(builtin);
  const access = await authorize(context, viewRequest(call));
  if (access.mode === 'program') return viewSharedProgram(context.pool, access.share);
  if (access.mode === 'snapshot') return viewShared(context.pool, access.share);
  return viewLive(context, access.object, call);
}

async function viewLive(
  context: WebContext,
  object: ObjectRow,
  { query, viewer }: ViewCall,
): Promise<Model> {
  const row = orNotFound(await findModel(context.pool, object.short_id));
  const content = await findContent(context.pool, row.id, query.version);
  if (content === null && query.version > 0) throw notFound('There is no such version.');
  const version = query.version || row.version;
  const live = toWire({ ...row, version }, content ?? undefined);
  if (!row.tags.includes('code')) return live;
  return { ...live, runs: await listFunctionRuns(context.pool, row.short_id, viewer) };
}

async function viewShared(db: Executor, share: ShareRow): Promise<View> {
  const { view: frozen, version = 0 } = snapshotOf(share);
  const content = await findContent(db, share.object_id, version);
  return content === null ? frozen : ({ ...frozen, content } as Model);
}

/** Fields and a version, whose tree does not change. */
async function freeze(tx: Executor, object: ObjectRow): Promise<Snapshot> {
  // it may have been deleted since access was granted
  const row = orNotFound(await findModel(tx, object.short_id));
  const shown = toWire(row);
  delete shown.owner;
  return { view: { ...shown, meta: {} }, version: row.version };
}

/** Built-in functions have no owner, so they are listed only on request. */
function builtinEntries({ tags, owner, q, model_ids: ids }: ListQuery): Model[] | null {
  if (owner !== '' || tags?.includes('builtin') !== true) return null;
  return listBuiltins(q)
    .filter(({ id }) => !ids?.length || ids.includes(id))
    .map((builtin) => {
      const { content: _, ...entry } = builtinToWire(builtin);
      return entry;
    });
}
