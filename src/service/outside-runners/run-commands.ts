/** Commands of the run proxy: start a run of a model, and report that an outside runner has finished sampling. */
import type * as z from 'zod/mini';
import { modelContentSchema } from '../../contract/model.ts';
import type { runProxyAnswerSchema, runProxySchema } from '../../contract/run-proxy.ts';
import { findUserOfToken } from '../auth/token-user.ts';
import { envOf, langOf, readContent } from '../content/model-content.ts';
import type { CoreContext } from '../context.ts';
import type { User, Viewer } from '../http/call.ts';
import { networkOf } from '../http/caller-network.ts';
import { checkName } from '../http/names.ts';
import {
  conflict,
  invalidField,
  invalidParameter,
  permissionDenied,
  unauthorized,
} from '../http/service-error.ts';
import { validate } from '../http/validate.ts';
import { sendFinalise } from '../jobs/job-queue.ts';
import { authorizeLive } from '../policy/authorize.ts';
import { findData } from '../repositories/data.ts';
import { type Executor, inTransaction } from '../repositories/database.ts';
import { type ExperimentRow, findExperiment } from '../repositories/experiments.ts';
import { findModel, insertModel, type ModelRow } from '../repositories/models.ts';
import { findPlainWorkflow, isUntouched } from '../repositories/run-targets.ts';
import {
  findWorkflow,
  insertWorkflow,
  updateWorkflow,
  type WorkflowRow,
} from '../repositories/workflows.ts';
import { startRun } from '../runs/start-run.ts';
import { admitRun, endRun, openLedger, stopped } from './run-ledger.ts';
import { samplingOfRequest, settingsText } from './run-settings.ts';
import { checkOutside } from './take-messages.ts';

type Command = z.output<typeof runProxySchema>;
type Answer = z.input<typeof runProxyAnswerSchema>;

/**
 * The token is in the body: `ergodic_auth_token`, another prefix before `_auth_token`, or `wd_auth_token`. Throws
 * UNAUTHORIZED for a wrong token, RATE_LIMITED after several from one address.
 */
export async function applyRunCommand(
  context: CoreContext,
  command: Command,
  { address }: Viewer,
): Promise<Answer> {
  const user = await signIn(context, tokenOf(command), address);
  const viewer: Viewer = { user, sharePassword: null, address };
  if (user.scope !== null && !(isAfterSample(command) && command.experiment_id === user.scope))
    throw permissionDenied('This token gives access to one experiment only.');
  return isAfterSample(command)
    ? afterSample(context, command, viewer)
    : run(context, command, { user, viewer });
}

const isAfterSample = ({ cmd }: Command) => cmd === 'after_sample';

function tokenOf(command: Command): string {
  const named = isAfterSample(command)
    ? command.wd_auth_token || command.ergodic_auth_token
    : command.ergodic_auth_token || command.wd_auth_token;
  if (named !== '') return named;
  for (const [key, value] of Object.entries(command))
    if (key.endsWith('_auth_token') && typeof value === 'string' && value !== '') return value;
  return '';
}

async function signIn(context: CoreContext, token: string, address: string): Promise<User> {
  const user = token === '' ? null : await findUserOfToken(context, token);
  if (user !== null) return user;
  // wrong tokens are counted by address: a token is too long to guess, but unlimited attempts should not be possible
  const target = `run:${networkOf(address)}`;
  if (token !== '') await context.limits.attempt(target, address, async () => false);
  throw unauthorized('The token in the body is missing, unknown or has expired.');
}

async function afterSample(
  context: CoreContext,
  { experiment_id: objid, batch_id: batchId, run_id: runId }: Command,
  viewer: Viewer,
): Promise<Answer> {
  if (objid === '') throw invalidField('experiment_id', 'is missing.');
  const object = await authorizeLive(context, { objid, operation: 'update', viewer });
  const isStopped = await inTransaction(context.pool, async (tx) => {
    const ledger = await openLedger(tx, object, context.queue);
    checkOutside(ledger);
    const spoken = batchId === '' ? null : await admitRun(ledger, { batchId, runId });
    if (spoken?.status === 'STOPPED' || (spoken === null && ledger.action === 'stopped'))
      return true;
    await endRun(ledger, { run: spoken, word: 'SAMPLE_FIN', isWhole: true });
    await sendFinalise(context.queue, tx, object.id, 0);
    return false;
  });
  if (isStopped) throw stopped();
  const row = await findExperiment(context.pool, objid);
  return { experiment_id: objid, model_id: row?.model_id ?? '' };
}

interface Caller {
  readonly user: User;
  readonly viewer: Viewer;
}

/** All or nothing: an invalid request creates no model and no workflow. */
async function run(context: CoreContext, command: Command, caller: Caller): Promise<Answer> {
  const experiment = await findTarget(context, command, caller);
  const modelId = command.model_id || (isGivenModel(command) ? '' : (experiment?.model_id ?? ''));
  if (modelId !== '')
    await authorizeLive(context, { objid: modelId, operation: 'invoke', viewer: caller.viewer });
  return inTransaction(context.pool, async (tx) => {
    const model =
      modelId === ''
        ? await insertRequestedModel(tx, command, caller)
        : await findModel(tx, modelId);
    if (model === null) throw invalidParameter('There is no such model.', { field: 'model_id' });
    const workflow = await prepareWorkflow(tx, command, { caller, model, experiment });
    const started = await startRun(tx, {
      workflowId: workflow.id,
      ownerId: caller.user.id,
      startedBy: caller.user.id,
      queue: context.queue,
      reading: context.reading,
      ...(experiment === null ? {} : { into: experiment.id }),
    });
    return { experiment_id: started.short_id, model_id: model.short_id };
  });
}

const isGivenModel = ({ model }: Command) => model !== undefined && model !== null;

/** The experiment to run; null: a new one is created. Throws CONFLICT when it has already started. */
async function findTarget(
  context: CoreContext,
  { experiment_id: objid }: Command,
  { viewer }: Caller,
): Promise<ExperimentRow | null> {
  if (objid === '') return null;
  await authorizeLive(context, { objid, operation: 'update', viewer });
  const row = await findExperiment(context.pool, objid);
  if (row === null) throw invalidField('experiment_id', 'is not the id of an experiment.');
  if (await isUntouched(context.pool, row.id)) return row;
  const state = { status: row.status, action: row.meta.action ?? '' };
  throw conflict('This experiment has already started.', { state });
}

/** The model in the request: stored under its name if it is to be saved, otherwise as a model that lists omit. */
async function insertRequestedModel(
  tx: Executor,
  { model, save_model: save }: Command,
  { user }: Caller,
): Promise<ModelRow> {
  if (model === undefined || model === null) throw invalidField('model_id', 'or model is missing.');
  const content = readContent(validate(modelContentSchema, model, 'body'));
  const env = envOf('', content.entranceFile ?? '');
  return insertModel(tx, {
    ownerId: user.id,
    name: nameOf(model),
    tags: [isYes(save) ? 'model' : 'anonymous'],
    env,
    lang: langOf(env),
    content,
  });
}

function nameOf(model: unknown): string {
  const { experiment_name: name } = metaOf(model);
  if (typeof name !== 'string') return '';
  checkName('model.meta.experiment_name', name);
  return name.slice(0, 255);
}

const isYes = (value: unknown) =>
  value === true || value === 1 || /^(true|1|yes)$/i.test(String(value));

function metaOf(model: unknown): Record<string, unknown> {
  const { meta } = (model ?? {}) as { meta?: unknown };
  return typeof meta === 'object' && meta !== null ? (meta as Record<string, unknown>) : {};
}

interface Parts {
  readonly caller: Caller;
  readonly model: ModelRow;
  readonly experiment: ExperimentRow | null;
}

/** The caller's latest workflow with this model and data, which the launch form would choose, otherwise a new one. */
async function prepareWorkflow(
  tx: Executor,
  command: Command,
  { caller, model, experiment }: Parts,
): Promise<WorkflowRow> {
  const ownerId = caller.user.id;
  const dataRow = experiment?.data_id ? await findData(tx, experiment.data_id) : null;
  const dataId = dataRow?.id ?? null;
  const engine = command.cmd === 'run_in_fargate' ? 'fargate' : 'lambda';
  const sampling = samplingOfRequest(metaOf(command.model), command.parallel);
  const settings = settingsText(sampling, { engine, name: nameOf(command.model) });
  const startupScript = command.startup_script;
  const plain =
    startupScript === ''
      ? await findPlainWorkflow(tx, { ownerId, modelId: model.id, dataId })
      : null;
  const found = plain === null ? null : await findWorkflow(tx, plain);
  if (found !== null) {
    // without sampling settings in the request, the workflow's settings apply
    if (Object.keys(sampling).length > 0) await updateWorkflow(tx, found.id, { settings });
    return found;
  }
  const parts = { modelId: model.id, dataId, settings, startupScript: startupScript || null };
  return insertWorkflow(tx, { ownerId, name: model.name || 'From the run proxy', ...parts });
}
