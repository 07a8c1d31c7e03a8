/** Runs started over HTTP, for tests that need a finished one. */
import type { Served } from '../support/served.ts';

/** Creates a gallery model with data and workflow, and runs it with `sampling` settings to its end; returns its id. */
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
    get_response: false,
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

/** A model of one file; returns its id. */
export async function makeModel(served: Served, name: string, source: string): Promise<string> {
  const tree = [{ name: 'main.stan', type: 'file', content: source, encoding: 'text' }];
  const made = await served.call('POST', '/api/object', {
    payload: { object_type: 'model', name, env: 'stan', content: { tree } },
  });
  return (made.data as { short_id: string }).short_id;
}

/** Runs a model without data to its end; returns the id of the experiment. */
export async function runModel(
  served: Served,
  model: string,
  sampling: Readonly<Record<string, unknown>>,
): Promise<string> {
  const id = await startModel(served, { model_id: model }, sampling);
  await untilEnded(served, id);
  return id;
}

/** Starts a run of a workflow with these `parts`; returns the id of the experiment. */
export async function startModel(
  served: Served,
  parts: { readonly model_id: string; readonly data_id?: string; readonly name?: string },
  sampling: Readonly<Record<string, unknown>>,
): Promise<string> {
  const made = await served.call('POST', '/api/object', {
    payload: { object_type: 'workflow', name: 'Run', ...parts },
  });
  const workflow = (made.data as { short_id: string }).short_id;
  const settings = `sampling: ${JSON.stringify(sampling)}\n`;
  await served.call('POST', `/api/object/${workflow}`, {
    payload: { object_type: 'workflow', settings },
  });
  const started = await served.call('POST', '/invoke', {
    target: workflow,
    action: 'run_sample',
    get_response: false,
  });
  return (started.data as { experiment_id: string }).experiment_id;
}

const slowSource = `parameters { vector[4] x; }
model { for (i in 1:4) for (j in 1:4000) target += normal_lpdf(x[i] | 0, 1 + 0.0001 * j); }
`;

/** Each gradient is costly, so that the run can be caught in the middle however slow the browser is. */
export async function startSlowRun(
  served: Served,
  numChains = 1,
  numSamples = 4000,
  others: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  return startModel(
    served,
    { model_id: await makeModel(served, 'Slow', slowSource), name: 'Slow' },
    {
      num_chains: numChains,
      num_warmup: 200,
      num_samples: numSamples,
      seed: 5,
      max_treedepth: 5,
      ...others,
    },
  );
}
