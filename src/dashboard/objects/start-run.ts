/** Starts the run of a workflow and names its experiment, without waiting for its end. */
import { ApiError } from '../../client/api-error.ts';
import type { Client } from '../../client/create-client.ts';
import { expectKind } from '../../client/expect-kind.ts';
import type { Workflow } from '../../contract/workflow.ts';

/** `workflow`: its state beforehand, with its newest experiment at that time. Throws `ApiError`. */
export async function startRun(
  client: Client,
  { short_id: target, experiment_id: before }: Pick<Workflow, 'short_id' | 'experiment_id'>,
): Promise<string> {
  const started = await client.invoke({
    body: { target, action: 'run_sample', get_response: false },
  });
  if (started.experiment_id) return started.experiment_id;
  // documented servers name it only when the caller waits for the end; the workflow has its newest experiment
  const workflow = expectKind(await client.viewObject({ params: { objid: target } }), 'workflow');
  if (workflow.experiment_id && workflow.experiment_id !== before) return workflow.experiment_id;
  throw new ApiError('schema', 'The server started the run but did not return its id.');
}
