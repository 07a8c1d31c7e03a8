/** Moment matching of a finished run: requested, carried out, stored with the run, stopped, taken over, and shared. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectKind } from '../../../src/client/expect-kind.ts';
import { createPgBossQueue } from '../../../src/service/jobs/pg-boss-queue.ts';
import { createLogger } from '../../../src/service/logging.ts';
import { execute, selectOne, sql } from '../../../src/service/repositories/database.ts';
import {
  type ExperimentRow,
  findExperimentById,
} from '../../../src/service/repositories/experiments.ts';
import { claimTask } from '../../../src/service/repositories/tasks.ts';
import { matchMomentsOfRun } from '../../../src/service/runs/match-moments.handler.ts';
import { matchingTask } from '../../../src/service/runs/match-moments.ts';
import { startRun } from '../../../src/service/runs/start-run.ts';
import type { Worker } from '../../../src/service/worker/worker-loop.ts';
import { addShare } from '../../support/objects.ts';
import { outlierData, outlierProgram, outliers } from '../../support/outlier-program.ts';
import { waitForRun } from '../../support/run-waiting.ts';
import { createTestService, type Person, type TestService } from '../../support/service.ts';
import { makeWorkflow } from '../../support/service-objects.ts';
import { startTestWorker } from '../../support/test-worker.ts';

const logger = createLogger({ level: 'silent' });
let service: TestService;
let ada: Person;
let worker: Worker | null = null;
let run: ExperimentRow;

beforeAll(async () => {
  service = await createTestService();
  ada = await service.addPerson('ada');
  await work();
  run = await sampled('seed: 3, num_chains: 2, num_warmup: 300, num_samples: 500');
}, 120_000);
afterEach(() => end());
afterAll(async () => {
  await end();
  await service.close();
});

async function work(): Promise<void> {
  const { database, filesDir } = service;
  const queue = createPgBossQueue({ connection: database.connection, logger, supervise: true });
  worker = await startTestWorker({ database, filesDir, queue }, { flushMs: 20 });
}

async function end(): Promise<void> {
  await worker?.stop();
  worker = null;
}

async function sampled(sampling: string, source = outlierProgram): Promise<ExperimentRow> {
  const { pool } = service.database;
  const workflow = await makeWorkflow(pool, ada.row.id, {
    source,
    data: JSON.stringify(outlierData),
    settings: `sampling: {${sampling}}`,
  });
  const { id } = await startRun(pool, { workflowId: workflow.id, ownerId: ada.row.id });
  return waitForRun(pool, id);
}

const act = (action: string, person = ada, objid = run.short_id) =>
  person.client.updateObject({
    params: { objid },
    body: { payload: { object_type: 'experiment', action } },
  });

async function matchOf({ id }: Pick<ExperimentRow, 'id'> = run) {
  return (await findExperimentById(service.database.pool, id))?.meta.moment_match ?? null;
}

async function waitForMatch(isReached: (state: string) => boolean, row = run) {
  for (;;) {
    const match = await matchOf(row);
    if (match && isReached(match.state)) return match;
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}

const isOver = (state: string) => state === 'done' || state === 'failed';
const viewRun = async (person: Person, share_id = '') =>
  expectKind(
    await person.client.viewObject({ params: { objid: run.short_id }, query: { share_id } }),
    'experiment',
  );

describe('moment matching of a run', { timeout: 120_000 }, () => {
  it('improves the observations with a high k, and stores the result with the run', async () => {
    await work();
    await act('match_moments');
    const match = await waitForMatch(isOver);
    expect(match.state).toBe('done');
    const places = match.observations?.map(({ variable }) => variable);
    expect(places).toContain('log_lik[24]');
    const last = match.observations?.find(({ variable }) => variable === 'log_lik[24]');
    expect(last?.pareto_k_before).toBeGreaterThan(0.7);
    expect(last?.pareto_k).toBeLessThan(0.7);
    expect(Math.abs((last?.elpd_loo ?? 0) - outliers.exact_elpd[23])).toBeLessThan(1);
    expect((await viewRun(ada)).meta?.moment_match).toMatchObject({ state: 'done' });
    const task = await selectOne(
      service.database.pool,
      sql`select 1 from tasks where kind = 'moment_match'`,
    );
    expect(task).toBeNull();
  });

  it('is omitted from lists, and shown in shares as it was when shared', async () => {
    const { objects } = await ada.client.listObjects({ query: { object_type: 'experiment' } });
    const listed = objects.find(({ short_id }) => short_id === run.short_id);
    if (listed?.object_type !== 'experiment') throw new Error('not listed');
    expect(listed.meta?.moment_match).toMatchObject({ state: 'done' });
    expect(listed.meta?.moment_match).not.toHaveProperty('observations');
    const bob = await service.addPerson('bob');
    const share = await addShare(ada.client, { objid: run.short_id, target_user: bob.username });
    const before = (await matchOf())?.observations;
    const shared = await viewRun(bob, share.short_id);
    expect(shared.meta?.moment_match?.observations).toEqual(before);
    await expect(act('match_moments', bob)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  });

  it('is cleared when other chains are evaluated, and can be computed again for them', async () => {
    await work();
    const leave = (chains: string[]) =>
      ada.client.updateObject({
        params: { objid: run.short_id },
        body: { payload: { object_type: 'experiment', meta: { chains_left_out: chains } } },
      });
    const all = (await matchOf())?.observations;
    await leave(['chain#2']);
    expect(await matchOf()).toBeNull();
    await act('match_moments');
    const { state, observations } = await waitForMatch(isOver);
    expect(state).toBe('done');
    expect(observations).not.toEqual(all);
    await leave([]);
    await act('match_moments');
    // the same draws give the same numbers
    expect((await waitForMatch(isOver)).observations).toEqual(all);
  });

  it('stops early when its owner requests it', async () => {
    const slow = outlierProgram.replace(
      'model { ',
      'model { real work = 0; for (i in 1:20000) work += sqrt(i) * 1e-300; target += work; ',
    );
    await work();
    const row = await sampled('seed: 3, num_chains: 1, num_warmup: 50, num_samples: 100', slow);
    // every k is too high for so few draws of some observation; densities take long
    await act('match_moments', ada, row.short_id);
    await waitForMatch((state) => state === 'running', row);
    await act('stop_matching', ada, row.short_id);
    expect(await matchOf(row)).toBeNull();
    // the worker must be free: otherwise this would wait for the previous one
    await act('match_moments');
    expect((await waitForMatch(isOver)).state).toBe('done');
    expect(await matchOf(row)).toBeNull();
  });

  it('is taken over from a lost worker, with the same numbers', async () => {
    const { pool } = service.database;
    const before = (await matchOf())?.observations;
    await act('match_moments');
    // somebody claimed it and was never seen again
    expect(await claimTask(pool, matchingTask(run.id))).not.toBeNull();
    await execute(
      pool,
      sql`update tasks set lease_until = now() - interval '1 second' where kind = 'moment_match'`,
    );
    await work();
    const { state, observations } = await waitForMatch(isOver);
    expect(state).toBe('done');
    expect(observations).toEqual(before);
  });

  it('returns to the queue when its worker stops, and is given up after three', async () => {
    const { pool } = service.database;
    await act('match_moments');
    const ending = new AbortController();
    ending.abort();
    const deps = { pool, logger, ending: ending.signal };
    await matchMomentsOfRun(deps, run.id);
    const task = await selectOne<{ state: string }>(
      pool,
      sql`select state from tasks where kind = 'moment_match'`,
    );
    expect(task?.state).toBe('waiting');
    await execute(
      pool,
      sql`update tasks set attempts = 3, state = 'running', lease_until = now() - interval '1 second' where kind = 'moment_match'`,
    );
    await work();
    expect(await waitForMatch(isOver)).toMatchObject({
      state: 'failed',
      message: 'The worker ended several times while it matched moments.',
    });
  });

  it('refuses runs without draws of the posterior, log likelihoods or a program', async () => {
    await work();
    const few = 'seed: 1, num_chains: 1, num_warmup: 20, num_samples: 20';
    const quiet = await sampled(few, outlierProgram.replace(/vector\[N\] log_lik[^]*?;\n.*\n/, ''));
    const fitted = await sampled('algorithm: laplace, num_samples: 20');
    const imported = await ada.client.createObject({
      body: { payload: { object_type: 'experiment', name: 'outside', meta: {} } },
    });
    const refusals = [
      [quiet.short_id, 'no log_lik'],
      [fitted.short_id, 'an approximation'],
      [imported.short_id, 'has not finished'],
    ];
    for (const [objid, why] of refusals)
      await expect(act('match_moments', ada, objid)).rejects.toMatchObject({
        code: 'CONFLICT',
        message: expect.stringContaining(why ?? '') as string,
      });
  });
});
