/** A chain whose thread died is restarted from the page of its run, and the draws of the others stay. */
import { expect, it } from 'vitest';
import { decodeDraws } from '../../src/contract/draws.ts';
import { makeModel, startModel } from './runs.ts';
import { leave, setStage } from './story.ts';

const source = 'parameters { real x; }\nmodel { x ~ normal(0, 1); }\n';

/** Loaded into the processes of the service: every other thread that is given the second chain is terminated. */
const fault = `
import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';
let starts = 0;
threads.Worker = class extends threads.Worker {
  postMessage(message, ...rest) {
    super.postMessage(message, ...rest);
    if (message?.task?.chain !== 2 || message.task.source !== ${JSON.stringify(source)}) return;
    starts += 1;
    if (starts % 2 === 1) void this.terminate();
  }
};
syncBuiltinESMExports();
`;
const preload = `--import=data:text/javascript,${encodeURIComponent(fault)}`;

let model = '';
const stage = setStage(
  async ({ served }) => {
    model = await makeModel(served, 'Dies once', source);
  },
  { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${preload}` },
);

it('a run with a failed chain is retried by a button, and ends with the draws of all chains', async () => {
  const visitor = await stage.person('light');
  const { page } = visitor;
  const sampling = { num_chains: 2, num_warmup: 300, num_samples: 1000, seed: 3 };
  const id = await startModel(stage.served, { model_id: model, name: 'Dies once' }, sampling);
  await page.goto(`${stage.served.origin}/experiments/${id}`);
  const verdict = page.getByRole('region', { name: 'Verdict' });
  await verdict.getByText(/thread exited without an error message/).waitFor();
  await page.getByText('Error', { exact: true }).waitFor();
  expect(await stateOf(id)).toEqual({ status: 'ERR', phases: ['done', 'failed'] });
  const before = await drawsOfFirst(id);

  const retry = page.getByRole('button', { name: 'Retry failed chains' });
  await retry.click();
  await page.getByText('Finished', { exact: true }).waitFor();
  await verdict.getByText(/Looks converged|Needs a look/).waitFor();
  expect(await retry.count()).toBe(0);
  expect(await page.getByText(/thread exited/).count()).toBe(0);
  expect(await stateOf(id)).toEqual({ status: 'FIN', phases: ['done', 'done'] });
  expect(await drawsOfFirst(id)).toEqual(before);

  await page.goto(`${stage.served.origin}/experiments?q=${id}`);
  const row = page.getByRole('row').filter({ hasText: 'Dies once' });
  await row.getByText('Finished', { exact: true }).waitFor();
  await leave(visitor);
});

async function stateOf(id: string): Promise<{ status: string; phases: string[] }> {
  const { data } = await stage.served.call('GET', `/api/object/${id}`);
  const { status, meta } = data as {
    status: string;
    meta: { progress: { chains: { phase: string }[] } };
  };
  return { status, phases: meta.progress.chains.map(({ phase }) => phase) };
}

/** The stored draws of the chain that did not fail. */
async function drawsOfFirst(id: string): Promise<Float64Array> {
  const { origin, token } = stage.served;
  const response = await fetch(
    `${origin}/api/draws/${id}?variable=x&chain=${encodeURIComponent('chain#1')}&phase=sampling`,
    { headers: { authorization: `Bearer ${token}` } },
  );
  expect(response.status).toBe(200);
  // without the header, which counts the changes of the run: its length shifts the bytes after it
  return decodeDraws(await response.arrayBuffer()).values;
}
