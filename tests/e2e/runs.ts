/** Runs started over HTTP, for tests that need a finished one. */
import type { Served } from '../support/served.ts';

/** Makes a gallery model with its data and workflow, runs it with `sampling` settings, waits for its end; gives its id. */
export async function runGalleryModel(
  served: Served,
  slug: string,
  sampling: Readonly<Record<string, unknown>>,
): Promise<string> {
  const made = await served.call('POST', '/api/object', {
    payload: { object_type: 'workflow', uri: `ergodic-gallery:${slug}` },
  });
  const workflow = made.data as { short_id: string };
  const settings = `sampling: ${JSON.stringify(sampling)}\n`;
  await served.call('POST', `/api/object/${workflow.short_id}`, {
    payload: { object_type: 'workflow', settings },
  });
  const started = await served.call('POST', '/invoke', {
    target: workflow.short_id,
    action: 'run_sample',
    get_response: true,
  });
  const { experiment_id } = started.data as { experiment_id: string };
  await untilEnded(served, experiment_id);
  return experiment_id;
}

/** Polls until the run has ended; throws with its error when it failed or takes more than two minutes. */
export async function untilEnded(served: Served, experimentId: string): Promise<void> {
  for (let i = 0; i < 600; i++) {
    const view = await served.call('GET', `/api/object/${experimentId}`);
    const { status, meta } = view.data as { status: string; meta: { error?: { message: string } } };
    if (status === 'FIN') return;
    if (status === 'ERR') throw new Error(`the run failed: ${meta.error?.message}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('the run did not end in two minutes');
}
