import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { samplingOfRequest } from '../../../src/service/outside-runners/run-settings.ts';
import { addData, addModel, addWorkflow, startExperiment } from '../../support/objects.ts';
import { finalise, makeOutside, sendAs, viewOutside } from '../../support/runner-service.ts';
import {
  type Answer,
  drawsMessages,
  play,
  type RunScript,
  type Send,
  statusMessage,
} from '../../support/scripted-runner.ts';
import { createTestService, type Person, type TestService } from '../../support/service.ts';

let service: TestService;
let ada: Person;
let send: Send;
beforeAll(async () => {
  service = await createTestService();
  ada = await service.addPerson('ada');
  send = sendAs(service, ada.token);
});
afterAll(() => service.close());

const nobody = async (body: Record<string, unknown>): Promise<Answer> => {
  const payload = JSON.stringify(body);
  return (await service.app.inject({ method: 'POST', url: '/run', payload })).json<Answer>();
};
/** The address as public clients use it: no header, the token in the body. */
const order = async (body: Record<string, unknown>) => {
  const answer = await nobody({ cmd: 'run_in_lambda', ergodic_auth_token: ada.token, ...body });
  if (answer.status !== 'ok') throw new Error(`${answer.code} ${answer.message}`);
  return answer.data as { experiment_id: string; model_id: string };
};
const view = (id: string) => viewOutside(send, id);

const inline = {
  tree: [{ name: 'm.stan', content: 'parameters { real x; } model { x ~ normal(0, 1); }' }],
};
const samplesOf = (count: number) => ({ sample_args: [{ params: [3] }, {}, {}, {}, count, 2] });

describe('a run request', () => {
  it('for a model uses its plain workflow, and keeps the settings if it gives none', async () => {
    const { short_id: model } = await addModel(ada.client, {
      tree: [{ ...inline.tree[0], encoding: 'text' }],
    });
    const one = await order({ model_id: model, model: { meta: samplesOf(40) } });
    const two = await order({ model_id: model, parallel: '1' });
    const three = await order({ model_id: model });
    const [first, second, third] = await Promise.all(
      [one, two, three].map(({ experiment_id: id }) => view(id)),
    );
    expect(first).toMatchObject({
      status: 'NEW',
      n_chains: 2,
      meta: { settings: { seed: 3, num_samples: 40 } },
    });
    expect(second).toMatchObject({ workflow_id: first.workflow_id });
    expect(second.meta?.settings).toMatchObject({ parallel_chains: 1, num_samples: 1000 });
    expect(third.meta?.settings).toMatchObject({ parallel_chains: 1 });
    expect(third.workflow_id).toBe(first.workflow_id);
  });

  it('with a script creates its own workflow', async () => {
    const { model_id: model } = await order({ model: inline });
    const { experiment_id: id } = await order({ model_id: model, startup_script: 'sample()' });
    const { workflow_id: workflow } = await view(id);
    expect(await view(workflow)).toMatchObject({ startup_script: 'sample()', model_id: model });
  });

  it('with an inline model keeps it as anonymous, or saves it on request', async () => {
    const tagsOf = async (model: string) =>
      ((await view(model)) as unknown as { tags: string[] }).tags;
    expect(await tagsOf((await order({ model: inline })).model_id)).toEqual(['anonymous']);
    const saved = await order({ model: inline, save_model: 'true' });
    expect(await tagsOf(saved.model_id)).toEqual(['model']);
  });

  it('that cannot be run creates nothing', async () => {
    const count = async () =>
      (await service.database.pool.query('select count(*)::int as n from objects')).rows[0].n;
    const before = await count();
    const julia = { tree: [{ name: 'main.f90', content: 'end' }] };
    await expect(order({ model: julia })).rejects.toThrow(/NOT_SUPPORTED/);
    expect(await count()).toBe(before);
  });

  it('uses the experiment that it names, with its data, once', async () => {
    const { short_id: model } = await addModel(ada.client);
    const { short_id: data } = await addData(ada.client);
    const { short_id: id } = await makeOutside(send, { model_id: model, input_id: data });
    const driven = await order({
      experiment_id: id,
      model: { meta: samplesOf(12) },
      model_id: model,
    });
    expect(driven).toEqual({ experiment_id: id, model_id: model });
    expect(await view(id)).toMatchObject({
      name: 'from outside',
      status: 'NEW',
      n_chains: 2,
      input: data,
      meta: { settings: { num_samples: 12 }, data_name: 'Some data' },
    });
    await expect(order({ experiment_id: id, model_id: model })).rejects.toThrow(/CONFLICT/);
    const { short_id: ours } = await startExperiment(ada.client);
    await expect(order({ experiment_id: ours })).rejects.toThrow(/CONFLICT/);
  });

  it('is read in the forms that clients send', () => {
    const meta = { iteraction_count: 50, sample_args: [{ seed: '9' }, {}, {}, {}] };
    expect(samplingOfRequest(meta, 2)).toEqual({ seed: 9, num_samples: 50, parallel_chains: 2 });
    expect(samplingOfRequest({ sample_args: [5, {}, {}, {}, '10', 3] }, null)).toEqual({
      seed: 5,
      num_samples: 10,
      num_chains: 3,
    });
    expect(samplingOfRequest({ sample_args: 'no', iteration_count: -1 }, 'many')).toEqual({});
  });
});

describe('the token of a run request', () => {
  it('may have any prefix in its field name, and must be valid', async () => {
    const { short_id: model } = await addModel(ada.client, { tree: [{ ...inline.tree[0] }] });
    const command = { cmd: 'run_in_lambda', model_id: model };
    expect((await nobody({ ...command, brand_auth_token: ada.token })).status).toBe('ok');
    expect((await nobody(command)).code).toBe('UNAUTHORIZED');
    for (let i = 0; i < 5; i++)
      expect((await nobody({ ...command, ergodic_auth_token: 'no' })).code).toBe('UNAUTHORIZED');
    expect((await nobody({ ...command, ergodic_auth_token: 'no' })).code).toBe('RATE_LIMITED');
    expect((await nobody({ ...command, ergodic_auth_token: ada.token })).status).toBe('ok');
  });
});

describe('after_sample', () => {
  it('ends a run, and may be repeated', async () => {
    const { short_id: id } = await makeOutside(send);
    const script: RunScript = {
      experiment: id,
      batch: 'b',
      run: 'r',
      chains: ['chain#1'],
      variables: ['x'],
      batches: [5],
      client: 'newest',
    };
    await play(send, drawsMessages(script));
    const after = {
      cmd: 'after_sample',
      experiment_id: id,
      batch_id: 'b',
      run_id: 'r',
      wd_auth_token: ada.token,
    };
    for (const again of [1, 2]) {
      expect([again, (await nobody(after)).status]).toEqual([again, 'ok']);
      await finalise(service, id);
      expect(await view(id)).toMatchObject({ status: 'FIN', n_samples: 5 });
    }
    expect((await nobody({ ...after, experiment_id: '' })).code).toBe('INVALID_PARAMETER');
  });

  it('returns the stop to a run that was stopped', async () => {
    const { short_id: id } = await makeOutside(send);
    for (const fields of [{ status: 'RUN' }, { action: 'stop' }])
      await play(send, [statusMessage({ experiment: id }, fields)]);
    const after = { cmd: 'after_sample', experiment_id: id, wd_auth_token: ada.token };
    expect(await nobody(after)).toMatchObject({ code: 'CONFLICT', message: 'stopped' });
  });
});

describe('the older form', () => {
  it('workflow.run starts a run and keeps the script sent with it', async () => {
    const { short_id: id } = await addWorkflow(ada.client);
    const payload = { object_type: 'workflow.run', startup_script: 'go()' };
    const { json } = await send('POST', `/api/object/${id}`, JSON.stringify({ payload }));
    expect(json.data).toMatchObject({ object_type: 'workflow.run', experiment_name: 'A workflow' });
    expect(await view(id)).toMatchObject({ startup_script: 'go()' });
  });
});
