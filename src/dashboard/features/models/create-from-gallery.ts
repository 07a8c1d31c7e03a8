/** Copies a gallery entry to one's own objects: model, data and workflow in one step, run if requested. */
import { ApiError } from '../../../client/api-error.ts';
import type { Client } from '../../../client/create-client.ts';
import { expectKind } from '../../../client/expect-kind.ts';
import { startRun } from '../../objects/start-run.ts';

export interface MadeFromGallery {
  readonly modelId: string;
  /** Null: it was not run. */
  readonly experimentId: string | null;
}

/** `address`: the entry's first one. */
export async function createFromGallery(
  client: Client,
  address: string,
  run: boolean,
): Promise<MadeFromGallery> {
  const answer = await client.createObject({
    body: { payload: { object_type: 'workflow', uri: address } },
  });
  const workflow = expectKind(answer, 'workflow');
  if (!workflow.model_id)
    throw new ApiError('schema', 'The server made a workflow without a model.');
  if (!run) return { modelId: workflow.model_id, experimentId: null };
  return { modelId: workflow.model_id, experimentId: await startRun(client, workflow) };
}
