/** Making objects, one function a kind. */
import type * as z from 'zod/mini';
import { kindOfId, type ObjectKind } from '../../contract/common.ts';
import type { createDataSchema } from '../../contract/data.ts';
import type { createExperimentSchema } from '../../contract/experiment.ts';
import type { createModelSchema } from '../../contract/model.ts';
import type { createPayloadSchema, ListEntry } from '../../contract/objects.ts';
import type { createWorkflowSchema } from '../../contract/workflow.ts';
import { assertNever } from '../../shared/assert-never.ts';
import { createCallback, createEvent, createRelation } from '../events/create-relations.ts';
import { importModel, type ModelOrder } from '../fetching/import-model.ts';
import type { User, Viewer } from '../http/call.ts';
import { invalidParameter } from '../http/service-error.ts';
import { createImport } from '../imports/create-import.ts';
import { isImport } from '../imports/request-files.ts';
import { authorizeLive } from '../policy/authorize.ts';
import type { Prepared } from '../reading/prepared-body.ts';
import { insertData } from '../repositories/data.ts';
import { inTransaction } from '../repositories/database.ts';
import { insertExperiment, type NewExperiment } from '../repositories/experiments.ts';
import { insertModel, type ModelRow } from '../repositories/models.ts';
import type { ObjectRow } from '../repositories/objects.ts';
import { insertWorkflow, updateWorkflow } from '../repositories/workflows.ts';
import type { ServiceContext } from '../service-deps.ts';
import { takeDataContent } from './data-content.ts';
import { checkMeta } from './experiment-meta.ts';
import {
  findByAddress,
  gallerySettings,
  insertGalleryData,
  insertGalleryModel,
} from './gallery.ts';
import { envOf, langOf, readContent } from './model-content.ts';
import { checkName, checkTags } from './names.ts';
import { createShare } from './shares.ts';
import { readModelContent } from './snapshots.ts';
import { dataToWire, experimentToWire, modelToWire, workflowToWire } from './views.ts';

export interface Caller {
  readonly user: User;
  readonly viewer: Viewer;
  /** What was taken out of a large body and read already. */
  readonly prepared?: Prepared;
}

export async function createObject(
  context: ServiceContext,
  caller: Caller,
  payload: z.output<typeof createPayloadSchema>,
): Promise<ListEntry> {
  if ('name' in payload) checkName('payload.name', payload.name);
  switch (payload.object_type) {
    case 'model':
      return createModel(context, caller, payload);
    case 'experiment':
      return createExperiment(context, caller, payload);
    case 'data':
      return createData(context, caller, payload);
    case 'workflow':
      return createWorkflow(context, caller, payload);
    case 'share':
      return createShare(context, caller, payload);
    case 'event':
      return createEvent(context, caller, payload);
    case 'callback':
      return createCallback(context, caller, payload);
    case 'relation':
      return createRelation(context, caller, payload);
    default:
      return assertNever(payload);
  }
}

async function createModel(
  context: ServiceContext,
  { user, prepared }: Caller,
  payload: z.output<typeof createModelSchema>,
): Promise<ListEntry> {
  checkTags('payload.tags', payload.tags);
  const entry = findByAddress(payload.source_url);
  const { pool } = context;
  const made =
    entry !== null
      ? await insertGalleryModel(pool, user.id, entry)
      : payload.type === 'local'
        ? await insertSentModel(pool, { user, prepared }, payload)
        : await importModel(context, user.id, payload);
  return modelToWire(made, (await readModelContent(pool, made.id, 0)) ?? undefined);
}

async function insertSentModel(
  pool: ServiceContext['pool'],
  { user, prepared }: Pick<Caller, 'user' | 'prepared'>,
  payload: z.output<typeof createModelSchema>,
): Promise<ModelRow> {
  const {
    name,
    description = '',
    single_instance: singleInstance,
    lambda_image: lambdaImage,
  } = payload;
  const content =
    prepared?.content ??
    (payload.content ? readContent(payload.content, payload.entrance_file) : null);
  const env = envOf(
    (payload.env ?? '').slice(0, 64),
    content?.entranceFile ?? payload.entrance_file,
  );
  const lang = payload.lang?.slice(0, 64) || langOf(env);
  const tags = payload.tags ?? ['model'];
  return insertModel(pool, {
    ownerId: user.id,
    name,
    description,
    tags,
    env,
    lang,
    singleInstance,
    lambdaImage,
    content,
  });
}

async function createData(
  context: ServiceContext,
  { user, prepared }: Caller,
  payload: z.output<typeof createDataSchema>,
): Promise<ListEntry> {
  const { name, description, tags } = payload;
  const { pool } = context;
  const entry = findByAddress(payload.data_uri);
  if (entry !== null) return dataToWire(await insertGalleryData(pool, user.id, entry));
  const content = (await takeDataContent(context, payload, prepared?.data)) ?? {
    bytes: new Uint8Array(),
    fmt: 'raw',
  };
  return dataToWire(
    await insertData(pool, { ownerId: user.id, name, description, tags: tags ?? [], content }),
  );
}

/** An object of the caller's by its id; null for an empty id. */
export async function findAttachment(
  context: ServiceContext,
  viewer: Viewer,
  attach: { field: string; kind: ObjectKind; objid: string },
): Promise<ObjectRow | null> {
  const { field, kind, objid } = attach;
  if (objid === '') return null;
  if (kindOfId(objid) !== kind)
    throw invalidParameter(
      `${field} must be the id of a ${kind === 'data' ? 'data object' : kind}.`,
      { field },
    );
  return authorizeLive(context, { objid, operation: 'view', viewer });
}

async function createExperiment(
  context: ServiceContext,
  { user, viewer, prepared }: Caller,
  payload: z.output<typeof createExperimentSchema>,
): Promise<ListEntry> {
  const find = (field: string, kind: ObjectKind, objid: string) =>
    findAttachment(context, viewer, { field: `payload.${field}`, kind, objid });
  const model = await find('model_id', 'model', payload.model_id);
  const workflow = await find('workflow_id', 'workflow', payload.workflow_id);
  const data = await find('input_id', 'data', payload.input_id);
  const experiment: NewExperiment = {
    ownerId: user.id,
    name: payload.name,
    modelId: model?.id ?? null,
    modelName: model?.name ?? '',
    modelVersion: model?.version ?? null,
    workflowId: workflow?.id ?? null,
    dataId: data?.id ?? null,
    dataName: data?.name ?? '',
    dataVersion: data?.version ?? null,
    inputId: payload.input_id,
    runOn: payload.run_on.slice(0, 64),
    meta: checkMeta(payload.meta),
  };
  if (isImport(payload))
    return experimentToWire(await createImport(context, payload, experiment, prepared?.dataFiles));
  const row = await inTransaction(context.pool, async (tx) => {
    const made = await insertExperiment(tx, experiment);
    if (workflow !== null) await updateWorkflow(tx, workflow.id, { experimentId: made.id });
    return made;
  });
  return experimentToWire(row);
}

async function createWorkflow(
  context: ServiceContext,
  { user, viewer }: Caller,
  payload: z.output<typeof createWorkflowSchema>,
): Promise<ListEntry> {
  const ownerId = user.id;
  const { name, uri, model_id: modelId, data_id: dataId } = payload;
  if (uri !== '' && modelId === '') {
    const entry = findByAddress(uri);
    if (entry === null) return createFetchedWorkflow(context, { user, viewer }, payload);
    return inTransaction(context.pool, async (tx) => {
      const model = await insertGalleryModel(tx, ownerId, entry);
      const data = await insertGalleryData(tx, ownerId, entry);
      const parts = { modelId: model.id, dataId: data.id, settings: gallerySettings(entry), uri };
      return workflowToWire(
        await insertWorkflow(tx, { ownerId, name: name || entry.name, ...parts }),
      );
    });
  }
  const model = await findAttachment(context, viewer, {
    field: 'payload.model_id',
    kind: 'model',
    objid: modelId,
  });
  const data = await findAttachment(context, viewer, {
    field: 'payload.data_id',
    kind: 'data',
    objid: dataId,
  });
  const parts = { modelId: model?.id ?? null, dataId: data?.id ?? null };
  return workflowToWire(await insertWorkflow(context.pool, { ownerId, name, ...parts }));
}

/** Of a model at an address: a file, an archive, a repository or a snippet. */
async function createFetchedWorkflow(
  context: ServiceContext,
  { user, viewer }: Caller,
  { name, uri, data_id: objid }: z.output<typeof createWorkflowSchema>,
): Promise<ListEntry> {
  const place = { field: 'payload.data_id', kind: 'data', objid } as const;
  const data = await findAttachment(context, viewer, place);
  const model = await importModel(context, user.id, { ...fetchedModel, source_url: uri });
  const parts = { modelId: model.id, dataId: data?.id ?? null, uri };
  return workflowToWire(
    await insertWorkflow(context.pool, { ownerId: user.id, name: name || model.name, ...parts }),
  );
}

const fetchedModel: ModelOrder = {
  type: 'url',
  name: '',
  env: null,
  tags: null,
  lang: null,
  source_url: '',
  repo: '',
  branch: '',
  single_instance: true,
  lambda_image: false,
  entrance_file: '',
};
