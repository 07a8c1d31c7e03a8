import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectKind } from '../../../src/client/expect-kind.ts';
import { analyse } from '../../../src/service/analysis/analyse.handler.ts';
import { defaultAnalyzerId } from '../../../src/service/analysis/analysis-ids.ts';
import { claimAnalysis, findAnalysis } from '../../../src/service/repositories/analyses.ts';
import { execute, select, sql } from '../../../src/service/repositories/database.ts';
import { findObject } from '../../../src/service/repositories/objects.ts';
import { recoverLostTasks } from '../../../src/service/worker/take-jobs.ts';
import { addShare, codeOf } from '../../support/objects.ts';
import type { Person } from '../../support/service.ts';
import {
  addFunction,
  createFunctionService,
  type FunctionService,
} from '../functions/function-service.ts';
import { type AnalysedRun, addAnalysedRun } from './analysed-run.ts';

let service: FunctionService;
let ada: Person;
let bob: Person;
let run: AnalysedRun;

beforeAll(async () => {
  service = await createFunctionService();
  await service.queue.work('analyse', ({ analysisId }) => analyse(service.context, analysisId));
  ada = await service.addPerson('ada');
  bob = await service.addPerson('bob');
  run = await addAnalysedRun(service, ada);
});
afterAll(() => service.close());

const order = (workflow: string, getResponse = false) =>
  ada.client.invoke({
    body: { target: workflow, action: 'run_analyze', get_response: getResponse },
  });
async function stateOf(workflow: string) {
  const view = expectKind(await ada.client.viewObject({ params: { objid: workflow } }), 'workflow');
  return JSON.parse(view.analyzer_result ?? '{}') as Record<string, unknown>;
}
async function urlOf(objid: string, client = ada.client, query = {}) {
  const view = await client.viewObject({
    params: { objid },
    query: { 'view-analyzer': true, ...query },
  });
  return (view as { url: string }).url;
}
const fetchFile = (url: string) => service.inject({ method: 'GET', url: new URL(url).pathname });
async function openAnalyses(workflow: string) {
  const object = await findObject(service.database.pool, workflow);
  return select<{ id: number; state: string }>(
    service.database.pool,
    sql`select id, coalesce((select t.state from tasks t where t.kind = 'analysis' and t.subject_id = a.id), state) as state
      from analyses a where workflow_id = ${object?.id ?? 0} order by id`,
  );
}
async function setAnalyzer(workflow: string, analyzer: string) {
  const payload = { object_type: 'workflow', analyzer_id: analyzer } as const;
  await ada.client.updateObject({ params: { objid: workflow }, body: { payload } });
}

describe('the analysis of a workflow', () => {
  it('returns at once, runs as a job, and shows its page to the owner', async () => {
    expect(await order(run.workflow)).toEqual({});
    expect(await stateOf(run.workflow)).toEqual({ status: 'running' });
    expect(await urlOf(run.workflow)).toBe('');
    await service.queue.drain();
    expect(await stateOf(run.workflow)).toMatchObject({ status: 'done', return_code: 0 });
    const page = await fetchFile(await urlOf(run.workflow));
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toMatch(
      /^sandbox allow-scripts; default-src 'none'/,
    );
    expect(page.body).toContain('<h2>Summary</h2>');
    // in a separate tab it is in a frame that may show only our files
    const { pathname: url } = new URL(await urlOf(run.workflow));
    const ask = (dest: string) =>
      service.inject({ method: 'GET', url, headers: { 'sec-fetch-dest': dest } });
    const tab = await ask('document');
    expect(tab.headers['content-security-policy']).toMatch(
      /^default-src 'none'; frame-src 'self'; .*frame-ancestors 'none'$/,
    );
    expect(tab.body).toContain(`<iframe sandbox="allow-scripts" src="${url}"`);
    expect(tab.body).not.toContain('<h2>Summary</h2>');
    expect((await ask('iframe')).body).toBe(page.body);
    expect(await urlOf(run.experiment)).toMatch(/\/files\/.*\/output\.html$/);
    const notes = await ada.client.listNotifications({ query: { status: 'all' } });
    expect(notes.objects[0]).toMatchObject({
      event: 'analysis_finished',
      msg_object: run.workflow,
    });
  });

  it('is awaited if the caller requests it', async () => {
    const answer = order(run.workflow, true);
    await expect.poll(async () => (await openAnalyses(run.workflow)).at(-1)?.state).toBe('waiting');
    await service.queue.drain();
    expect(await answer).toEqual({ analyzer: { status: 'done', return_code: 0 } });
  });

  it('is shared by a second request while it runs', async () => {
    const before = (await openAnalyses(run.workflow)).length;
    await order(run.workflow);
    await order(run.workflow);
    expect(await openAnalyses(run.workflow)).toHaveLength(before + 1);
    await service.queue.drain();
  });

  it('needs an experiment', async () => {
    const payload = { object_type: 'workflow', experiment_id: '' } as const;
    const other = await addAnalysedRun(service, ada, 'Other');
    await ada.client.updateObject({ params: { objid: other.workflow }, body: { payload } });
    expect(await codeOf(order(other.workflow))).toBe('CONFLICT');
    expect(
      await codeOf(bob.client.invoke({ body: { target: run.workflow, action: 'run_analyze' } })),
    ).toBe('PERMISSION_DENIED');
  });

  it('accepts the id of the default analyzer, and shows it', async () => {
    const config = await service.anonymous.viewConfig();
    expect(config.default_analyzer).toBe(defaultAnalyzerId);
    await setAnalyzer(run.workflow, config.default_analyzer as string);
    const view = await ada.client.viewObject({ params: { objid: run.workflow } });
    expect(view).toMatchObject({
      analyzer_id: defaultAnalyzerId,
      analyzer_name: expect.stringMatching(/./),
    });
    await order(run.workflow);
    await service.queue.drain();
    expect(await stateOf(run.workflow)).toMatchObject({ status: 'done' });
    await setAnalyzer(run.workflow, '');
    const detached = await ada.client.viewObject({ params: { objid: run.workflow } });
    expect(detached).toMatchObject({ analyzer_id: '', analyzer_name: '' });
  });
});

describe('a custom analyzer', () => {
  it('reads the run and returns a page', async () => {
    const own = await addFunction(
      ada.client,
      `export default async function ({ experiment_id }) {
         const summary = await ergodic.summary(experiment_id);
         return { html: '<p>' + summary.variables.length + ' variables</p>' };
       }`,
    );
    await setAnalyzer(run.workflow, own);
    await order(run.workflow);
    await service.queue.drain();
    expect((await fetchFile(await urlOf(run.workflow))).body).toBe('<p>18 variables</p>');
  });

  it('may return any file, which is downloaded rather than shown', async () => {
    const own = await addFunction(
      ada.client,
      `export default () => ({ base64: 'UEsDBA==', file_name: 'plots.zip' })`,
    );
    await setAnalyzer(run.workflow, own);
    await order(run.workflow);
    await service.queue.drain();
    const file = await fetchFile(await urlOf(run.workflow));
    expect(file.headers['content-disposition']).toMatch(/^attachment; filename="plots.zip"/);
    expect([...file.rawPayload]).toEqual([0x50, 0x4b, 3, 4]);
  });

  it('that fails leaves its message, notifies the owner, and keeps the last result', async () => {
    const before = await fetchFile(await urlOf(run.workflow));
    const own = await addFunction(
      ada.client,
      `export default () => { console.log('so far so good'); throw new Error('no such variable'); }`,
    );
    await setAnalyzer(run.workflow, own);
    const answer = order(run.workflow, true);
    await expect.poll(async () => (await openAnalyses(run.workflow)).at(-1)?.state).toBe('waiting');
    await service.queue.drain();
    expect(await answer).toEqual({ analyzer: { status: 'error', return_code: 1 } });
    const state = await stateOf(run.workflow);
    expect(state.errlines).toMatch(/no such variable/);
    expect((await fetchFile(await urlOf(run.workflow))).rawPayload).toEqual(before.rawPayload);
    const notes = await ada.client.listNotifications({ query: { status: 'all' } });
    expect(notes.objects[0]).toMatchObject({ event: 'analysis_failed' });
  });

  it('that returns nothing usable gets a message that says what to return', async () => {
    await setAnalyzer(run.workflow, await addFunction(ada.client, 'export default () => 7'));
    await order(run.workflow);
    await service.queue.drain();
    expect((await stateOf(run.workflow)).errlines).toMatch(/\{base64, file_name\}/);
    await setAnalyzer(run.workflow, '');
  });
});

describe('a lost worker', () => {
  const { stringify } = JSON;
  const expire = (id: number) =>
    execute(
      service.database.pool,
      sql`update tasks set lease_until = now() - interval '1 second', queued_at = now() - interval '1 minute'
          where kind = 'analysis' and subject_id = ${id}`,
    );

  it('leaves its analysis to the next one, whose result stays', async () => {
    await order(run.workflow);
    const { id } = (await openAnalyses(run.workflow)).at(-1) as { id: number };
    const lost = await claimAnalysis(service.database.pool, id);
    expect(lost?.row.attempts).toBe(1);
    await expire(id);
    await recoverLostTasks(service.context);
    await service.queue.drain();
    const ended = await findAnalysis(service.database.pool, id);
    expect(ended).toMatchObject({ state: 'done', attempts: 2 });
    await expire(id);
    await recoverLostTasks(service.context);
    expect(await findAnalysis(service.database.pool, id)).toMatchObject({ state: 'done' });
  });

  it('makes the analysis fail with a reason at the third attempt', async () => {
    await order(run.workflow);
    const { id } = (await openAnalyses(run.workflow)).at(-1) as { id: number };
    for (let attempt = 1; attempt <= 3; attempt++) {
      expect((await claimAnalysis(service.database.pool, id))?.row.attempts).toBe(attempt);
      await expire(id);
      await recoverLostTasks(service.context);
    }
    expect(await findAnalysis(service.database.pool, id)).toMatchObject({ state: 'failed' });
    expect(stringify(await stateOf(run.workflow))).toMatch(/lost its process 3 times/);
    await service.queue.drain();
  });
});

describe('a share', () => {
  it('shows the analysis as it was when shared, until the share ends', async () => {
    const own = await addAnalysedRun(service, ada, 'Shared');
    const early = await addShare(ada.client, { objid: own.experiment });
    const anonymous = service.anonymous;
    expect(await urlOf(own.experiment, anonymous, { share_id: early.short_id })).toBe('');

    await order(own.workflow);
    await service.queue.drain();
    expect(await urlOf(own.experiment, anonymous, { share_id: early.short_id })).toBe('');
    const share = await addShare(ada.client, { objid: own.experiment, target_user: bob.username });
    const ofWorkflow = await addShare(ada.client, { objid: own.workflow });
    const url = await urlOf(own.experiment, bob.client, { share_id: share.short_id });
    const frozen = (await fetchFile(url)).body;
    expect(frozen).toContain('Summary');

    await setAnalyzer(
      own.workflow,
      await addFunction(ada.client, `export default () => '<p>new</p>'`),
    );
    await order(own.workflow);
    await service.queue.drain();
    expect((await fetchFile(await urlOf(own.workflow))).body).toBe('<p>new</p>');
    const again = await urlOf(own.experiment, bob.client, { share_id: share.short_id });
    expect((await fetchFile(again)).body).toBe(frozen);
    const byWorkflow = await urlOf(own.workflow, anonymous, { share_id: ofWorkflow.short_id });
    expect((await fetchFile(byWorkflow)).body).toBe(frozen);
    expect(
      await anonymous.viewObject({
        params: { objid: own.workflow },
        query: { share_id: ofWorkflow.short_id },
      }),
    ).toMatchObject({ analyzer_result: null });

    await ada.client.deleteObject({ params: { objid: share.short_id } });
    expect((await fetchFile(again)).statusCode).toBe(400);
  });
});

describe('a runner’s result', () => {
  const send = (workflow: string, result: string, returnCode = 0) =>
    ada.client.updateObject({
      params: { objid: workflow },
      body: {
        payload: {
          object_type: 'workflow.analyzer_result',
          return_code: returnCode,
          errlines: ['line one', 'line two'],
          result,
        },
      },
    });
  const packed = (text: string) => gzipSync(Buffer.from(text)).toString('base64');

  it('is unpacked and becomes the newest result', async () => {
    expect(await send(run.workflow, packed('<h1>from afar</h1>'))).toBeNull();
    expect((await fetchFile(await urlOf(run.workflow))).body).toBe('<h1>from afar</h1>');
    expect(await stateOf(run.workflow)).toMatchObject({
      status: 'done',
      errlines: 'line one\nline two',
    });
  });

  it('without a file is an error', async () => {
    await send(run.workflow, '', 3);
    expect(await stateOf(run.workflow)).toMatchObject({ status: 'error', return_code: 3 });
  });

  it('that is not gzip, or unpacks to more than allowed, is refused', async () => {
    expect(await codeOf(send(run.workflow, 'aGVsbG8='))).toBe('INVALID_PARAMETER');
    expect(await codeOf(send(run.workflow, packed('x').slice(0, 16)))).toBe('INVALID_PARAMETER');
    const bomb = gzipSync(Buffer.alloc(64 * 2 ** 20 + 1)).toString('base64');
    expect(await codeOf(send(run.workflow, bomb))).toBe('TOO_LARGE');
  });
});
