import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../../src/contract/limits.ts';
import { fit } from '../../../src/service/outside-runners/live-messages.ts';
import { insertToken } from '../../../src/service/repositories/tokens.ts';
import { addModel, addShare, addWorkflow, startExperiment } from '../../support/objects.ts';
import { drawsOf, makeOutside, sendAs, viewOutside } from '../../support/runner-service.ts';
import {
  deliver,
  drawsMessage,
  type ScriptMessage,
  type Send,
  statMessage,
  statusMessage,
  textMessage,
} from '../../support/scripted-runner.ts';
import { createTestService, type Person, type TestService } from '../../support/service.ts';

let service: TestService;
let ada: Person;
let bob: Person;
let send: Send;
beforeAll(async () => {
  service = await createTestService();
  ada = await service.addPerson('ada');
  bob = await service.addPerson('bob');
  send = sendAs(service, ada.token);
});
afterAll(() => service.close());

const speaker = (experiment: string) => ({ experiment, batch: 'b', run: 'r' });
const newExperiment = async () => (await makeOutside(send)).short_id;
const codeOf = async (message: ScriptMessage, as = send) =>
  (await as('POST', message.path, message.body)).json.code ?? 'ok';
const values = (chain: string, column: unknown, range: unknown) => ({
  vars: { [chain]: { x: column } },
  iteration: { [chain]: range },
});

describe('draws are refused', () => {
  const chain = 'chain#1';
  it.each([
    ['with fewer values than iterations', values(chain, [1, 2], [1, 3]), /x" has 2 values.* are 3/],
    ['with more values than iterations', values(chain, [1, 2], [1, 1]), /x" has 2 values.* are 1/],
    ['with iteration 0', values(chain, [1], [0, 0]), /from 1 to/],
    ['with a negative iteration', values(chain, [1, 2], [-1, 0]), /from 1 to/],
    ['with a fractional iteration', values(chain, [1], [1.5, 1.5]), /whole numbers/],
    ['with decreasing iterations', values(chain, [1], [2, 1]), /not below/],
    ['an iteration beyond 2^31', values(chain, [1], [2 ** 31, 2 ** 31]), /from 1 to/],
    ['no iterations', { vars: { [chain]: { x: [1] } }, iteration: {} }, /is missing/],
    ['one number', values(chain, [1], [1]), /\[min, max\] or/],
    ['a chain without a name', values('', [1], [1, 1]), /chain name/],
    ['a chain name of two lines', values('a\nb', [1], [1, 1]), /chain name/],
    ['a chain name of 256 characters', values('c'.repeat(256), [1], [1, 1]), /chain name/],
    ['a column that is none', values(chain, 5, [1, 1]), /must be an array/],
    [
      'with a value that is an object',
      values(chain, [{}], [1, 1]),
      /neither a number nor a boolean at position 0/,
    ],
    [
      'with a variable without a name',
      { vars: { [chain]: { '': [1] } }, iteration: { [chain]: [1, 1] } },
      /a name/,
    ],
    ['no variables at all', { iteration: {} }, /vars is missing/],
    ['variables in a list', { vars: [], iteration: {} }, /vars must be an object/],
  ])('%s', async (_, logs, expected) => {
    const id = await newExperiment();
    const message = drawsMessage(speaker(id), logs);
    const { status, json } = await send('POST', message.path, message.body);
    expect(json).toMatchObject({ code: 'INVALID_PARAMETER' });
    expect([status, json.message]).toEqual([400, expect.stringMatching(expected)]);
    expect(await drawsOf(service, ada, id)).toEqual({});
  });

  it('with too many variables, in one message or in several', async () => {
    const id = await newExperiment();
    const many = (from: number, count: number) => ({
      vars: {
        c: Object.fromEntries(Array.from({ length: count }, (_, i) => [`x${from + i}`, [1]])),
      },
      iteration: { c: [1, 1] },
    });
    const most = limits.runner_variables;
    expect(await codeOf(drawsMessage(speaker(id), many(0, most + 1)))).toBe('LIMIT_EXCEEDED');
    expect(await codeOf(drawsMessage(speaker(id), many(0, most)))).toBe('ok');
    expect(await codeOf(drawsMessage(speaker(id), many(most, 1)))).toBe('LIMIT_EXCEEDED');
    expect(await viewOutside(send, id)).toMatchObject({ n_variables: most });
  });

  it('with too many chains', async () => {
    const id = await newExperiment();
    const names = Array.from({ length: limits.runner_chains + 1 }, (_, i) => `chain#${i}`);
    const logs = {
      vars: Object.fromEntries(names.map((name) => [name, { x: [1] }])),
      iteration: Object.fromEntries(names.map((name) => [name, [1, 1]])),
    };
    expect(await codeOf(drawsMessage(speaker(id), logs))).toBe('LIMIT_EXCEEDED');
  });

  it('with a body above the size limit', async () => {
    const { path } = drawsMessage(speaker(await newExperiment()), {});
    const response = await service.inject(
      {
        method: 'POST',
        url: path,
        headers: { 'content-length': String(limits.body_bytes + 1) },
        payload: '{}',
      },
      ada.token,
    );
    expect([response.statusCode, response.json().code]).toEqual([413, 'TOO_LARGE']);
  });
});

describe('chains of other names', () => {
  it.each(['walker 3', 'chain#', 'chain#2QzV', 'Kette ä'])('%s is kept as sent', async (chain) => {
    const id = await newExperiment();
    await deliver(send, drawsMessage(speaker(id), values(chain, [1, 2], [1, 2])));
    expect(Object.keys(await drawsOf(service, ada, id))).toEqual([chain]);
  });
});

describe('messages of a runner are refused', () => {
  const messages = (id: string) => [
    textMessage(speaker(id), { action: 'experiment:output', data: 'x\n' }),
    drawsMessage(speaker(id), values('chain#1', [1], [1, 1])),
    statMessage(speaker(id), { chain_name: 'chain#1', n_sample: 1, stat: { x: ['avg', 1] } }),
    statusMessage({ experiment: id }, { status: 'RUN' }),
  ];

  it('from anonymous callers, other users, users with a share, and unknown tokens', async () => {
    const id = await newExperiment();
    await addShare(ada.client, { objid: id, target_user: bob.username });
    const carol = await service.addPerson('carol');
    for (const message of messages(id)) {
      expect(await codeOf(message, sendAs(service, bob.token))).toBe('PERMISSION_DENIED');
      expect(await codeOf(message, sendAs(service, carol.token))).toBe('PERMISSION_DENIED');
      expect(await codeOf(message, sendAs(service, 'erg_unknown'))).toBe('UNAUTHORIZED');
    }
    for (const message of messages('X0000000')) expect(await codeOf(message)).toBe('NOT_FOUND');
  });

  it('for a run of the service itself', async () => {
    const { short_id: id } = await startExperiment(ada.client);
    for (const message of messages(id)) expect(await codeOf(message)).toBe('CONFLICT');
    expect(await viewOutside(send, id)).toMatchObject({ status: 'NEW' });
  });

  it('for an object of another kind', async () => {
    const { short_id: id } = await addModel(ada.client);
    for (const message of messages(id)) expect(await codeOf(message)).toBe('INVALID_PARAMETER');
  });
});

describe('the token of a run', () => {
  it('posts only to its experiment, and reads only that and its sources', async () => {
    const workflow = await addWorkflow(ada.client);
    const parts = {
      model_id: workflow.model_id,
      workflow_id: workflow.short_id,
      input_id: workflow.data_id,
    };
    const { short_id: id } = await makeOutside(send, parts);
    const other = await newExperiment();
    const token = await insertToken(service.database.pool, {
      userId: ada.row.id,
      kind: 'run',
      scope: id,
    });
    const as = sendAs(service, token.text);
    await deliver(as, drawsMessage(speaker(id), values('chain#1', [1], [1, 1])));
    await deliver(as, textMessage(speaker(id), { action: 'start' }));
    await deliver(as, statusMessage({ experiment: id }, { status: 'SAMPLE_FIN' }));
    const look = async (path: string) => (await as('GET', path)).json.code ?? 'ok';
    for (const seen of [id, workflow.short_id, workflow.model_id, workflow.data_id])
      expect([seen, await look(`/api/object/${seen}`)]).toEqual([seen, 'ok']);
    expect(await look(`/api/object/${other}`)).toBe('PERMISSION_DENIED');
    expect(await look('/api/object?object_type=model')).toBe('PERMISSION_DENIED');
    expect(await codeOf(statusMessage({ experiment: other }, {}), as)).toBe('PERMISSION_DENIED');
    const rename = { payload: { object_type: 'workflow', name: 'mine' } };
    const changed = await as('POST', `/api/object/${workflow.short_id}`, JSON.stringify(rename));
    expect(changed.json.code).toBe('PERMISSION_DENIED');
    const order = async (command: Record<string, unknown>) =>
      (await as('POST', '/run', JSON.stringify({ wd_auth_token: token.text, ...command }))).json
        .code ?? 'ok';
    expect(await order({ cmd: 'after_sample', experiment_id: id })).toBe('ok');
    expect(await order({ cmd: 'after_sample', experiment_id: other })).toBe('PERMISSION_DENIED');
    expect(await order({ cmd: 'run_in_lambda', model_id: workflow.model_id })).toBe(
      'PERMISSION_DENIED',
    );
  });
});

describe('statistics that a runner sends', () => {
  it('are kept per chain, the latest ones, without non-finite values', async () => {
    const id = await newExperiment();
    for (const n_sample of [10, 20])
      await deliver(
        send,
        statMessage(speaker(id), {
          chain_name: 'chain#1',
          n_sample,
          stat: { x: ['avg', n_sample / 8], y: ['avg', Number.NaN] },
        }),
      );
    await deliver(
      send,
      statMessage(speaker(id), { chain_name: 'chain#2', n_sample: 5, stat: { x: ['avg', 1] } }),
    );
    const { json } = await send('GET', `/api/object/${id}?batch_id=b&run_id=r`);
    expect(json.data).toMatchObject({
      object_type: 'experiment.run_info',
      status: 'RUN',
      stats: {
        'chain#1': { n_sample: 20, stat: { x: ['avg', 2.5], y: ['avg', null] } },
        'chain#2': { n_sample: 5, stat: { x: ['avg', 1] } },
      },
    });
  });

  it('are refused when they are not an object', async () => {
    const id = await newExperiment();
    for (const stat of [['avg', 1], 'avg', null, 3]) {
      const wrong = { chain_name: 'chain#1', n_sample: 1, stat };
      expect([stat, await codeOf(statMessage(speaker(id), wrong))]).toEqual([
        stat,
        'INVALID_PARAMETER',
      ]);
    }
  });
});

describe('a message to watchers', () => {
  it('fits into a notification, whatever it contains', () => {
    for (const data of [
      'x'.repeat(20_000),
      'ü"\n\0'.repeat(5000),
      { large: 'y'.repeat(9000) },
      7,
      undefined,
    ]) {
      const text = fit('X1234567', { action: 'experiment:error', data });
      expect(Buffer.byteLength(text)).toBeLessThan(8000);
      expect(JSON.parse(text)).toMatchObject({
        id: 'X1234567',
        what: 'message',
        message: { action: 'experiment:error' },
      });
    }
  });

  it('is sent on commit: lines and draws as hints, other messages in full', async () => {
    const id = await newExperiment();
    await deliver(send, statusMessage({ experiment: id }, { status: 'RUN' }));
    const client = await service.database.pool.connect();
    const heard: Record<string, unknown>[] = [];
    try {
      client.on('notification', ({ payload }) =>
        heard.push(JSON.parse(payload ?? '') as Record<string, unknown>),
      );
      await client.query('listen ergodic_live');
      await deliver(
        send,
        textMessage(
          speaker(id),
          { action: 'start' },
          { action: 'experiment:output', data: 'x\n' },
          { action: 'experiment:error', data: 3 },
        ),
      );
      await deliver(send, drawsMessage(speaker(id), values('chain#1', [1], [1, 1])));
      await deliver(
        send,
        statMessage(speaker(id), { chain_name: 'chain#1', n_sample: 1, stat: { x: ['avg', 1] } }),
      );
      await client.query('select 1');
    } finally {
      await client.query('unlisten ergodic_live');
      client.release();
    }
    const message = (action: string, data?: unknown) => ({
      id,
      what: 'message',
      message: data === undefined ? { action } : { action, data },
    });
    const ours = heard.filter((one) => one.id === id);
    expect(ours).toEqual([
      { id, what: 'log' },
      message('start'),
      message('experiment:error', 3),
      { id, what: 'draws' },
      message('experiment:nsample_stat', {
        chain_name: 'chain#1',
        n_sample: 1,
        stat: { x: ['avg', 1] },
      }),
    ]);
  });
});
