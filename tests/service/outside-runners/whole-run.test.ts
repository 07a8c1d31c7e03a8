import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CoreContext } from '../../../src/service/context.ts';
import {
  type RunnerMessage,
  takeRunnerMessage,
} from '../../../src/service/outside-runners/take-messages.ts';
import { findObject, type ObjectRow } from '../../../src/service/repositories/objects.ts';
import { addWorkflow } from '../../support/objects.ts';
import {
  drawsOf,
  finalise,
  makeOutside,
  sendAs,
  valuesOnly,
  viewOutside,
} from '../../support/runner-service.ts';
import {
  deliver,
  drawsMessages,
  play,
  type RunScript,
  type Send,
  scriptedDraws,
  scriptOf,
  statusMessage,
  textMessage,
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

const variables = ['α_tank[3]/val', 'is_odd/val', 'x/val', 'x/stat/Mean', 'extras/lp/val'];

function scriptFor(experiment: string, parts: Partial<RunScript> = {}): RunScript {
  return {
    experiment,
    batch: '3VfCkpxbZkyyTJ2pbzyLzL',
    run: '5YtuMyKqJJ5yZ2pbzyLzMa',
    chains: ['chain#1', 'chain#2'],
    variables,
    batches: [2, 5, 3],
    client: 'accumulating',
    lines: ['Sampling', 'half way'],
    ...parts,
  };
}

const view = (id: string, query = '') => viewOutside(send, id, query);
const newExperiment = async () => (await makeOutside(send)).short_id;

describe.each(['accumulating', 'newest'] as const)(
  'a whole run of a client that is %s',
  (client) => {
    it('ends as FIN, with its draws, counts, log and verdict', async () => {
      const workflow = await addWorkflow(ada.client);
      const { short_id: id, status } = await makeOutside(send, {
        model_id: workflow.model_id,
        workflow_id: workflow.short_id,
        input_id: workflow.data_id,
      });
      expect(status).toBe('NEW');
      expect(await view(workflow.short_id)).toMatchObject({ experiment_id: id });
      const script = scriptFor(id, { client });
      const messages = scriptOf(script);
      const end = messages.findIndex((message) => message.what === 'run_info');
      await play(send, messages.slice(0, end));
      expect(await view(id)).toMatchObject({
        status: 'RUN',
        n_chains: 2,
        n_variables: 3,
        n_samples: 7,
        meta: { run_info: { batch_id: script.batch, run_id: script.run, status: 'RUN' } },
      });
      await play(send, messages.slice(end, end + 1));
      expect(await view(id)).toMatchObject({
        status: 'RUN',
        meta: { run_info: { status: 'SAMPLE_FIN' } },
      });
      await play(send, messages.slice(end + 1));
      await finalise(service, id);
      expect(await view(id)).toMatchObject({
        status: 'FIN',
        n_chains: 2,
        n_variables: 3,
        n_samples: 10,
        run_on: 'local',
        input: workflow.data_id,
        workflow_id: workflow.short_id,
        meta: { run_info: { status: 'FIN' }, verdict: { state: expect.any(String) as string } },
      });
      expect(valuesOnly(await drawsOf(service, ada, id))).toEqual(scriptedDraws(script));
      expect(await view(id, '?stdlog=true')).toMatchObject({ logs: 'Sampling\nhalf way\n' });
      const summary = (await send('GET', `/api/summary/${id}`)).json.data as {
        n_samples: number;
        variables: { variable: string; non_finite: number }[];
      };
      expect(summary.n_samples).toBe(10);
      expect(summary.variables.map(({ variable, non_finite }) => [variable, non_finite])).toEqual([
        ['α_tank[3]/val', 0],
        ['is_odd/val', 0],
        ['x/val', 4],
      ]);
    });

    it('ended when its client said so, even if draws arrive later', async () => {
      const id = await newExperiment();
      const messages = scriptOf(scriptFor(id, { client, lines: [] }));
      const isDraws = ({ what }: (typeof messages)[number]) => what === 'draws';
      const last = messages.findLast(isDraws);
      await play(
        send,
        messages.filter((message) => message !== last),
      );
      await finalise(service, id);
      const before = await view(id);
      await play(send, last === undefined ? [] : [last]);
      await finalise(service, id);
      const { n_samples, meta } = await view(id);
      expect([before.n_samples, n_samples]).toEqual([7, 10]);
      expect(before.meta?.finished_at).toEqual(expect.any(String));
      expect(meta?.finished_at).toBe(before.meta?.finished_at);
    });

    it('may be sent twice without any change', async () => {
      const id = await newExperiment();
      const messages = scriptOf(scriptFor(id, { client, lines: [] }));
      await play(send, messages);
      await finalise(service, id);
      const before = [await view(id), await drawsOf(service, ada, id)];
      await play(send, messages);
      expect(await drawsOf(service, ada, id)).toEqual(before[1]);
      expect(await view(id)).toMatchObject({ status: 'FIN', n_samples: 10 });
    });
  },
);

describe('a run that fails', () => {
  it('is ERR with the reason that it sent', async () => {
    const id = await newExperiment();
    await play(send, scriptOf(scriptFor(id, { error: 'LoadError: no such thing' })));
    const reason = { code: 'RUNNER_FAILED', message: 'LoadError: no such thing' };
    expect(await view(id)).toMatchObject({ status: 'ERR', meta: { error: reason } });
    await finalise(service, id);
    expect(await view(id)).toMatchObject({
      status: 'ERR',
      n_samples: 10,
      meta: { error: reason, run_info: { status: 'ERR' } },
    });
  });

  it('may send the reason or an exit code after the status', async () => {
    const id = await newExperiment();
    const script = scriptFor(id);
    const info = { batch_id: script.batch, run_id: script.run, status: 'ERR' };
    await deliver(send, statusMessage(script, { status: 'ERR', meta: { run_info: info } }));
    await deliver(send, textMessage(script, { action: 'experiment:error', data: 137 }));
    expect(await view(id)).toMatchObject({
      status: 'ERR',
      meta: { error: { message: 'The process ended with code 137.' } },
    });
  });

  it('is distinguished from one that reports an error but ends normally', async () => {
    const id = await newExperiment();
    const script = scriptFor(id);
    await deliver(send, textMessage(script, { action: 'experiment:error', data: 'a hiccup' }));
    await play(send, scriptOf(script));
    await finalise(service, id);
    const { status, meta } = await view(id);
    expect([status, meta?.error]).toEqual(['FIN', undefined]);
  });
});

describe('several runs of a batch', () => {
  const end = (script: RunScript, status: string, isWhole = true) =>
    statusMessage(script, {
      ...(isWhole ? { status } : {}),
      meta: { run_info: { batch_id: script.batch, run_id: script.run, status } },
    });

  it.each([
    ['SAMPLE_FIN', 'SAMPLE_FIN', 'FIN'],
    ['ERR', 'SAMPLE_FIN', 'ERR'],
    ['SAMPLE_FIN', 'ERR', 'ERR'],
  ])('that end as %s and %s make the experiment %s once all have ended', async (one, two, all) => {
    const id = await newExperiment();
    const first = scriptFor(id, { run: 'r1', chains: ['chain#1'] });
    const second = scriptFor(id, { run: 'r2', chains: ['chain#2'] });
    await play(send, [drawsMessages(first)[0], drawsMessages(second)[0]]);
    await deliver(send, end(first, one));
    expect(await view(id)).toMatchObject({ status: 'RUN', meta: { run_info: { status: 'RUN' } } });
    const info = async (run: string) =>
      (await view(id, `?object_type=experiment&batch_id=${first.batch}&run_id=${run}`)).status;
    expect([await info('r1'), await info('r2')]).toEqual([one, 'RUN']);
    await play(send, drawsMessages(second));
    await deliver(send, end(second, two, false));
    await finalise(service, id);
    expect(await view(id)).toMatchObject({ status: all, n_chains: 2, n_samples: 2 });
    expect((await send('GET', `/api/object/${id}?batch_id=b&run_id=other`)).json.code).toBe(
      'NOT_FOUND',
    );
  });

  it('have separate logs', async () => {
    const id = await newExperiment();
    for (const run of ['r1', 'r2'])
      await deliver(
        send,
        textMessage(
          scriptFor(id, { run }),
          { action: 'experiment:output', data: `from ${run}\n` },
          { action: 'experiment:output', data: 'no newline' },
        ),
      );
    const { batch } = scriptFor(id);
    expect(await view(id, `?stdlog=true&batch_id=${batch}&run_id=r2`)).toMatchObject({
      logs: 'from r2\nno newline\n',
    });
    expect(await view(id, '?stdlog=true')).toMatchObject({
      logs: 'from r1\nno newline\nfrom r2\nno newline\n',
    });
    const platform = await view(id, `?cloudwatch_log=true&batch_id=${batch}&run_id=r1`);
    expect(JSON.stringify(platform)).toContain(`Run r1 of batch ${batch}`);
    expect(JSON.stringify(platform)).not.toContain('Run r2');
  });
});

describe('identical text messages', () => {
  const output = (id: string, run: string, text: string) =>
    textMessage(scriptFor(id, { run }), { action: 'experiment:output', data: text });

  it('are all kept in the log, since a sampler may repeat itself', async () => {
    const id = await newExperiment();
    const long = `${'a long line '.repeat(20_000)}\n`;
    for (const text of ['one\n', 'one\n', '\n', '\n', long, long])
      await deliver(send, output(id, 'r1', text));
    expect(await view(id, '?stdlog=true')).toMatchObject({ logs: `one\none\n\n\n${long}${long}` });
  });

  it('are kept once if a message was repeated because its response was lost', async () => {
    const id = await newExperiment();
    const { pool } = service.database;
    // another service that withholds the answer, as when its client went away before it came
    const deaf = { pool, queue: service.queue } as unknown as CoreContext;
    const object = (await findObject(pool, id)) as ObjectRow;
    const sayUnanswered = (run: string, text: string) => {
      const { body } = output(id, run, text);
      const { payload } = JSON.parse(String(body)) as { payload: RunnerMessage };
      return takeRunnerMessage(deaf, { object }, payload);
    };
    const long = `${'a long line '.repeat(20_000)}\n`;
    for (const text of ['one\n', 'one\n', 'two\n', 'one\n', long, long])
      await sayUnanswered('r1', text);
    // output of another process of the batch is separate, and does not come in between
    await sayUnanswered('r2', 'one\n');
    await sayUnanswered('r1', long);
    expect(await view(id, '?stdlog=true')).toMatchObject({ logs: `one\ntwo\none\n${long}one\n` });
    await pool.query(`update log_chunks set created_at = created_at - interval '2 minutes'`);
    await sayUnanswered('r2', 'one\n');
    expect(await view(id, '?stdlog=true')).toMatchObject({
      logs: `one\ntwo\none\n${long}one\none\n`,
    });
  });

  it('are kept once if the service was killed before it answered', async () => {
    const id = await newExperiment();
    await deliver(send, output(id, 'r', 'one\n'));
    const restarted = await createTestService({ database: service.database });
    const again = sendAs(restarted, ada.token);
    await deliver(again, output(id, 'r', 'one\n'));
    await deliver(again, output(id, 'r', 'one\n'));
    expect(await view(id, '?stdlog=true')).toMatchObject({ logs: 'one\none\n' });
    await restarted.app.close();
  });

  it('report an error once', async () => {
    const id = await newExperiment();
    const error = textMessage(scriptFor(id, { run: 'r' }), {
      action: 'experiment:error',
      data: 'it broke',
    });
    await deliver(send, error);
    await deliver(send, error);
    const platform = JSON.stringify(await view(id, '?cloudwatch_log=true'));
    expect(platform.match(/it broke/g)).toHaveLength(1);
  });
});

describe('the owner', () => {
  const stop = (id: string) => deliver(send, statusMessage({ experiment: id }, { action: 'stop' }));

  it('stops a run, which is notified at its next message; another batch may begin', async () => {
    const id = await newExperiment();
    const script = scriptFor(id);
    await play(send, scriptOf(script).slice(0, 6));
    await stop(id);
    for (const message of [drawsMessages(script)[2], scriptOf(script).at(-2)]) {
      const answer = await send('POST', message?.path ?? '', message?.body);
      expect(answer.json).toMatchObject({ code: 'CONFLICT', message: 'stopped' });
    }
    await finalise(service, id);
    expect(await view(id)).toMatchObject({
      status: 'FIN',
      n_samples: 7,
      meta: { action: 'stopped' },
    });
    const sibling = { ...script, run: 'another' };
    await expect(play(send, drawsMessages(sibling))).rejects.toThrow(/CONFLICT stopped/);
    const value = (_: string, v: number, i: number) => -100 * v - i;
    await play(send, scriptOf({ ...script, batch: 'next', value }));
    await finalise(service, id);
    expect(await view(id)).toMatchObject({ status: 'FIN', n_samples: 17, meta: { action: '' } });
  });

  it('stops a run before its first draws: the first batch is stopped, the next one runs', async () => {
    const id = await newExperiment();
    await expect(stop(id)).rejects.toThrow(/CONFLICT/);
    await deliver(send, statusMessage({ experiment: id }, { status: 'RUN' }));
    await stop(id);
    await expect(stop(id)).rejects.toThrow(/CONFLICT/);
    const script = scriptFor(id);
    for (let again = 0; again < 2; again++)
      await expect(play(send, drawsMessages(script))).rejects.toThrow(/CONFLICT stopped/);
    await play(send, drawsMessages({ ...script, batch: 'next' }));
    expect(await view(id)).toMatchObject({ status: 'RUN', n_samples: 10 });
  });

  it('sees since when a runner has been silent, until it sends again', async () => {
    const id = await newExperiment();
    const script = scriptFor(id);
    await play(send, drawsMessages(script));
    expect((await view(id)).meta).not.toHaveProperty('silent_since');
    await service.database.pool.query(
      `update runner_runs set last_message_at = now() - interval '6 minutes'
       where experiment_id = (select id from objects where short_id = $1)`,
      [id],
    );
    const { status, meta } = await view(id);
    expect(status).toBe('RUN');
    expect(Date.now() - Date.parse(meta?.silent_since as string)).toBeGreaterThan(300_000);
    await deliver(send, textMessage(script, { action: 'experiment:output', data: 'here\n' }));
    expect((await view(id)).meta).not.toHaveProperty('silent_since');
  });
});
