/** Starts a run with these settings: in the user's newest workflow for that model and data, or in a new one. */
import { ApiError } from '../../../client/api-error.ts';
import type { Client } from '../../../client/create-client.ts';
import { expectKind } from '../../../client/expect-kind.ts';
import type { Experiment } from '../../../contract/experiment.ts';
import type { Workflow } from '../../../contract/workflow.ts';
import { startRun } from '../../objects/start-run.ts';

export interface LaunchOrder {
  readonly modelId: string;
  /** Empty: the program reads no data. */
  readonly dataId: string;
  /** By the keys users write; missing ones use their default. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Name of a new workflow. */
  readonly name: string;
  /** A run whose workflow is reused, including scripts, if model and data match. */
  readonly again?: Pick<Experiment, 'workflow_id' | 'model_id' | 'input'> | null;
}

/** Maximum number of workflows searched for a match. */
const searchedWorkflows = 200;

/** Returns the id of the experiment, which exists by then. */
export async function launchRun(client: Client, order: LaunchOrder): Promise<string> {
  const found = await findWorkflow(client, order);
  const workflow = found ?? (await createWorkflow(client, order));
  const settings = await settingsText(workflow.settings ?? '', order.settings);
  await client.updateObject({
    params: { objid: workflow.short_id },
    body: { payload: { object_type: 'workflow', data_id: order.dataId, settings } },
  });
  return startRun(client, workflow);
}

async function findWorkflow(
  client: Client,
  { modelId, dataId, again = null }: LaunchOrder,
): Promise<Workflow | null> {
  const own = again === null ? null : await workflowOf(client, again);
  if (own?.model_id === modelId && (own.data_id ?? '') === dataId) return own;
  const page = await client.listObjects({
    query: { object_type: 'workflow', page_size: searchedWorkflows },
  });
  const fits = (workflow: Workflow) =>
    workflow.model_id === modelId && (workflow.data_id ?? '') === dataId && isPlain(workflow);
  return (
    page.objects.find(
      (object): object is Workflow => object.object_type === 'workflow' && fits(object),
    ) ?? null
  );
}

/** Null if it was deleted or never existed. */
async function workflowOf(
  client: Client,
  { workflow_id: objid }: Pick<Experiment, 'workflow_id'>,
): Promise<Workflow | null> {
  if (objid === '') return null;
  try {
    return expectKind(await client.viewObject({ params: { objid } }), 'workflow');
  } catch (error) {
    if (['NOT_FOUND', 'PERMISSION_DENIED'].includes(ApiError.from(error).code)) return null;
    throw error;
  }
}

/** Scripts and analyses belong to the user who set them up: those workflows are not reused. */
function isPlain({ analyzer_id, startup_script, data_script }: Workflow): boolean {
  return !analyzer_id && !startup_script && !data_script;
}

async function createWorkflow(
  client: Client,
  { modelId, dataId, name }: LaunchOrder,
): Promise<Workflow> {
  const payload = {
    object_type: 'workflow' as const,
    name: name.slice(0, 255),
    model_id: modelId,
    data_id: dataId,
  };
  return expectKind(await client.createObject({ body: { payload } }), 'workflow');
}

/** The previous text with its `sampling` part replaced; other parts belong to other runners and stay. */
export async function settingsText(
  before: string,
  settings: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { parse, stringify } = await import('yaml');
  let other: unknown = null;
  try {
    other = parse(before);
  } catch {
    // Invalid YAML cannot be run, so none of it is worth keeping.
  }
  const kept = typeof other === 'object' && other !== null && !Array.isArray(other) ? other : {};
  return stringify({ ...kept, sampling: settings });
}

/** The setting named in an error: `sampling.num_chains must be …`. Null: it is about something else. */
export function settingOfError(error: unknown): { key: string; message: string } | null {
  const { code, message } = ApiError.from(error);
  if (code !== 'INVALID_PARAMETER') return null;
  const [, key, rule] = /^sampling\.(\w+)\s+(.*)$/s.exec(message) ?? [];
  return key === undefined ? null : { key, message: `${key} ${rule}` };
}
