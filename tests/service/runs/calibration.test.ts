/** A calibration as a run: queued last, stopped and resumed, moved to another worker, judged, and shared. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Summary } from '../../../src/contract/draws.ts';
import type { RunAction } from '../../../src/contract/experiment.ts';
import { calibrate } from '../../../src/posterior/calibration.ts';
import { rankSimulation } from '../../../src/posterior/simulation-ranks.ts';
import type { JobQueue } from '../../../src/service/jobs/job-queue.ts';
import { createPgBossQueue } from '../../../src/service/jobs/pg-boss-queue.ts';
import { createLogger } from '../../../src/service/logging.ts';
import { claimChain, listChains, releaseChain } from '../../../src/service/repositories/chains.ts';
import { execute, inTransaction, sql } from '../../../src/service/repositories/database.ts';
import { readDraws } from '../../../src/service/repositories/draws.ts';
import { findSummary } from '../../../src/service/repositories/experiments.ts';
import type { UserRow } from '../../../src/service/repositories/users.ts';
import { controlRun } from '../../../src/service/runs/control-run.ts';
import { startRun } from '../../../src/service/runs/start-run.ts';
import type { Worker } from '../../../src/service/worker/worker-loop.ts';
import { rightPrograms, wrongPrograms } from '../../support/calibration-programs.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { waitForRun } from '../../support/run-waiting.ts';
import { makeUser, makeWorkflow, type WorkflowParts } from '../../support/service-objects.ts';
import { startTestWorker } from '../../support/test-worker.ts';

const logger = createLogger({ level: 'silent' });
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ergodic-calibration-'));
let database: TestDatabase;
let user: UserRow;
let queue: JobQueue;
let worker: Worker | null = null;

beforeAll(async () => {
  database = await createTestDatabase(16);
  user = await makeUser(database.pool);
  queue = createPgBossQueue({ connection: database.connection, logger, supervise: false });
  await queue.start();
});
afterEach(async () => {
  await worker?.stop();
  worker = null;
});
afterAll(async () => {
  await queue.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function work(): Promise<void> {
  const { connection } = database;
  const own = createPgBossQueue({ connection, logger, supervise: true });
  worker = await startTestWorker({ database, queue: own, filesDir: folder }, { flushMs: 20 });
}

async function start(parts: WorkflowParts, owner = user) {
  const workflow = await makeWorkflow(database.pool, owner.id, parts);
  return startRun(database.pool, { workflowId: workflow.id, ownerId: owner.id });
}

const control = (experimentId: number, action: RunAction, extendBy = 0) =>
  controlRun(database.pool, queue, { experimentId, action, extendBy });

const partsOf = (
  program: { readonly source: string; readonly data: object } | undefined,
  settings: string,
): WorkflowParts => ({
  source: program?.source,
  data: JSON.stringify(program?.data),
  settings: `sampling: {algorithm: calibration, ${settings}}`,
});

const normal = rightPrograms['normal with unknown mean and scale'];
const short = 'seed: 6, num_simulations: 24, num_warmup: 150, num_samples: 200';
const summaryOf = async (id: number) => (await findSummary(database.pool, id)) as Summary;

async function drawsOf(experimentId: number) {
  const segments = await readDraws(database.pool, { experimentId });
  return segments.map(({ name, variable, values }) => [name, variable, values] as const);
}

const numDone = ({ meta }: { meta: { progress?: { chains: { phase: string }[] } | null } }) =>
  meta.progress?.chains.filter(({ phase }) => phase === 'done').length ?? 0;

describe('a calibration', { timeout: 180_000 }, () => {
  it('leads from settings to ranks and a verdict, which follow from the stored draws', async () => {
    await work();
    const { id } = await start(partsOf(normal, short));
    const done = await waitForRun(database.pool, id);
    expect([done.status, done.n_chains, done.n_samples]).toEqual(['FIN', 24, 200]);
    expect(done.meta.settings).toMatchObject({ algorithm: 'calibration', num_simulations: 24 });
    expect(done.meta.settings).not.toHaveProperty('num_chains');
    const { calibration, verdict, variables } = await summaryOf(id);
    expect(variables).toEqual([]);
    expect(verdict).toMatchObject({
      state: 'good',
      headline: 'No miscalibration found in 24 simulations',
    });
    expect(done.meta.verdict).toEqual(verdict);
    expect(calibration?.quantities.map(({ variable }) => variable)).toEqual([
      'lp__',
      'mu',
      'sigma',
    ]);

    const draws = await drawsOf(id);
    const again = calibrate(
      calibration?.chains.map((chain) => {
        const own = draws.filter(([name]) => name === chain);
        return rankSimulation(
          chain,
          new Map(own.map(([, variable, values]) => [variable, values])),
        );
      }) ?? [],
    );
    expect(again.quantities.map(({ ranks }) => ranks.map((one) => one?.rank))).toEqual(
      calibration?.quantities.map(({ rank }) => rank),
    );
  });

  it('catches a wrong program', async () => {
    await work();
    const wrong = wrongPrograms['a prior narrower than that of the true values'];
    const { id } = await start(partsOf(wrong, 'seed: 4, num_simulations: 30'));
    const { meta } = await waitForRun(database.pool, id);
    expect(meta.verdict).toMatchObject({
      state: 'bad',
      headline: 'Posterior too narrow for mu',
    });
  });

  it('pauses and resumes, even on another worker, with the draws of an uninterrupted run', async () => {
    await work();
    const { id } = await start(partsOf(normal, short));
    await waitForRun(database.pool, id, (row) => numDone(row) >= 3);
    await control(id, 'pause');
    const areAtRest = async () =>
      (await listChains(database.pool, id)).every(({ state }) => state !== 'running');
    while (!(await areAtRest())) await new Promise((resolve) => setTimeout(resolve, 15));
    const paused = await listChains(database.pool, id);
    expect(paused.some(({ state }) => state === 'paused')).toBe(true);
    await worker?.stop();
    await work();
    await control(id, 'resume');
    await waitForRun(database.pool, id, (row) => numDone(row) >= 10);
    // gives back the work in progress
    await worker?.stop();
    await work();
    await waitForRun(database.pool, id);
    const whole = await start(partsOf(normal, short));
    await waitForRun(database.pool, whole.id);
    expect(await drawsOf(id)).toEqual(await drawsOf(whole.id));
    expect((await summaryOf(id)).calibration).toEqual((await summaryOf(whole.id)).calibration);
  });

  it('evaluates the finished simulations when it is stopped', async () => {
    await work();
    const { id } = await start(
      partsOf(normal, 'seed: 4, num_simulations: 200, num_warmup: 150, num_samples: 100'),
    );
    await waitForRun(database.pool, id, (row) => numDone(row) >= 5);
    await control(id, 'stop');
    const { status } = await waitForRun(database.pool, id);
    expect(status).toBe('FIN');
    const { calibration } = await summaryOf(id);
    const ended = (await listChains(database.pool, id)).filter(({ state }) => state === 'done');
    expect(calibration?.chains).toEqual(ended.map(({ name }) => name));
    expect(calibration?.asked).toBe(200);
    await expect(control(id, 'extend', 10)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('of a program that cannot simulate its data says what to add', async () => {
    await work();
    const { id } = await start({ settings: `sampling: {algorithm: calibration, ${short}}` });
    const { status, meta } = await waitForRun(database.pool, id);
    expect(status).toBe('ERR');
    expect(meta.error).toMatchObject({
      code: 'PROGRAM_INVALID',
      message: expect.stringContaining('prior_only') as string,
    });
  });
});

describe('the queue', { timeout: 60_000 }, () => {
  it('takes simulations after all other waiting chains, regardless of their owners', async () => {
    await execute(database.pool, sql`delete from objects where kind = 'experiment'`);
    const other = await makeUser(database.pool);
    const calibration = await start(partsOf(normal, 'num_simulations: 3'));
    const patient = await start({ settings: 'sampling: {num_chains: 2, priority: -10}' });
    const others = await start({ settings: 'sampling: {num_chains: 2}' }, other);
    const urgent = await start(partsOf(normal, 'num_simulations: 1, priority: 1'), other);
    const served: number[] = [];
    for (;;) {
      const request = { workerId: 1, pools: [], userChains: 0 };
      const taken = await claimChain(database.pool, request);
      if (taken === null) break;
      served.push(taken.experiment_id);
      await inTransaction(database.pool, (tx) => releaseChain(tx, taken, { state: 'done' }));
    }
    const [c, p, o, u] = [calibration.id, patient.id, others.id, urgent.id];
    expect(served).toEqual([u, o, o, p, p, c, c, c]);
  });
});
