/** What the rows `invoke`, `viewObject` and `updateObject` mean for analyses and plots; called from their cases. */
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { expectKind } from '../../src/client/expect-kind.ts';
import { addWorkflow } from '../support/objects.ts';
import type { World } from './world.ts';

const objid = (id: string) => ({ params: { objid: id } });
const seen = { query: { 'view-analyzer': true } } as const;

/** `run_analyze` on a workflow with an experiment, and the result that a runner sends for it. */
export async function analyseWorkflow({ ada, service, experiment }: World): Promise<void> {
  const { short_id: workflow } = await addWorkflow(ada.client, 'analysed');
  const update = (payload: Parameters<typeof ada.client.updateObject>[0]['body']['payload']) =>
    ada.client.updateObject({ ...objid(workflow), body: { payload } });
  await update({ object_type: 'workflow', experiment_id: experiment.short_id });
  expect(await ada.client.viewObject({ ...objid(workflow), ...seen })).toEqual({
    object_type: 'workflow.analyzer',
    url: '',
  });
  expect(await ada.client.invoke({ body: { target: workflow, action: 'run_analyze' } })).toEqual(
    {},
  );
  const state = async () =>
    JSON.parse(
      expectKind(await ada.client.viewObject(objid(workflow)), 'workflow').analyzer_result ?? '{}',
    ) as { status: string };
  expect(await state()).toEqual({ status: 'running' });

  const result = gzipSync('<p>done</p>').toString('base64');
  let hasEnded = false;
  const waiting = ada.client
    .invoke({ body: { target: workflow, action: 'run_analyze', get_response: true } })
    .finally(() => {
      hasEnded = true;
    });
  // awaited below; until then a failure must not count as an unhandled rejection
  waiting.catch(() => {});
  // A result sent before the request belongs to the previous analysis, so it is sent until the request is answered.
  while (!hasEnded)
    await update({
      object_type: 'workflow.analyzer_result',
      return_code: 0,
      errlines: ['one line'],
      result,
    });
  expect((await waiting).analyzer?.status).toBe('done');
  expect(await state()).toMatchObject({ status: 'done', return_code: 0, errlines: 'one line' });
  for (const id of [workflow, experiment.short_id]) {
    const view = (await ada.client.viewObject({ ...objid(id), ...seen })) as { url: string };
    const page = await service.inject({ method: 'GET', url: new URL(view.url).pathname });
    expect(page.body).toBe('<p>done</p>');
  }
}

/** A workflow without a run has nothing to analyse. */
export async function analyseNothing({ ada }: World): Promise<unknown> {
  const { short_id: target } = await addWorkflow(ada.client, 'no run');
  return ada.client.invoke({ body: { target, action: 'run_analyze' } });
}

/** The documented plot call, on the function named in the list. */
export async function drawPlot({ ada, experiment }: World): Promise<void> {
  const { objects } = await ada.client.listObjects({
    query: { object_type: 'model', tags: ['builtin'], q: 'plots' },
  });
  const parameters = {
    experiment_id: experiment.short_id,
    return_type: '',
    plot_func: 'plot_trace',
    plot_chain: '',
    plot_var: 'mu',
  };
  const { cloudfunction_response: answer } = await ada.client.invoke({
    body: { target: objects[0].short_id, action: 'run', parameters, get_response: true },
  });
  expect(answer).toMatchObject({
    return_type: 'plotly',
    plots: [{ name: 'mu', data: [{ name: 'Chain 1' }, { name: 'Chain 2' }] }],
  });
}
