/** Runs that are stopped, paused, deleted or lose their worker: commands get a clear answer, and draws come out the same. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { launch, makeReadyFolder, type Served } from '../../support/served.ts';
import {
  ask,
  commandRun,
  killWorker,
  makeServedWorkflow,
  type RunView,
  readRunDraws,
  startServedRun,
  untilRun,
} from '../../support/served-runs.ts';
import { eightSchools } from '../../support/service-objects.ts';

/** Enough that no machine is done before it has been interrupted five times. */
const numSamples = 24_000;

const dataDir = await makeReadyFolder();
let served: Served;
let workflow: string;
let endless: string;
let stubborn: string;

beforeAll(async () => {
  const env = { ERGODIC_FLUSH_MS: '20' };
  served = await launch({ dataDir, options: ['--workers', '2'], env }).ready;
  const settings = `sampling: {seed: 7, num_chains: 2, num_warmup: 300, num_samples: ${numSamples}}`;
  workflow = await makeServedWorkflow(served, { ...eightSchools, settings });
  endless = await makeServedWorkflow(served, {
    ...eightSchools,
    settings: 'sampling: {seed: 7, num_chains: 2, num_warmup: 300, num_samples: 90000000}',
  });
  // Each of its prints is slow and counts as one step, so it checks for commands once in many minutes.
  stubborn = await makeServedWorkflow(served, {
    source:
      'transformed data { for (i in 1:100000) print(rep_vector(1, 100000)); }\nparameters { real a; }\nmodel { a ~ normal(0, 1); }\n',
    settings: 'sampling: {num_chains: 1}',
  });
});
afterAll(() => {
  served.process.kill('SIGTERM');
});

const done = (run: RunView) => run.meta.progress?.done ?? 0;
const isSampling = (run: RunView) => done(run) > 1000;
const isRunning = (run: RunView) => run.status === 'RUN';
/** Chains that no thread runs have no speed. */
const arePaused = ({ meta }: RunView) =>
  meta.progress?.chains.every((chain) => chain.draws_per_second === null) === true;

describe('a run', { timeout: 240_000 }, () => {
  it('has the same draws after pauses, a stop and the death of three workers', async () => {
    const whole = await startServedRun(served, workflow);
    await untilRun(served, whole);
    const expected = await readRunDraws(served, whole);
    expect(expected.columns.length).toBeGreaterThan(20);

    const id = await startServedRun(served, workflow);
    await untilRun(served, id, isSampling);
    await commandRun(served, id, 'pause');
    await untilRun(served, id, arePaused);
    await commandRun(served, id, 'resume');
    for (let kill = 0; kill < 3; kill++) {
      const before = done(await untilRun(served, id, isRunning));
      await untilRun(served, id, (run) => done(run) > before + 200);
      await killWorker(dataDir);
    }
    const before = done(await untilRun(served, id, isRunning));
    await untilRun(served, id, (run) => done(run) > before + 200);
    await commandRun(served, id, 'stop');
    const stopped = await untilRun(served, id);
    expect(stopped).toMatchObject({ status: 'FIN', meta: { action: 'stopped' } });
    expect(stopped.n_samples).toBeLessThan(numSamples);
    await commandRun(served, id, 'resume');
    expect(await untilRun(served, id)).toMatchObject({ status: 'FIN', n_samples: numSamples });
    expect(await readRunDraws(served, id)).toEqual(expected);
  });

  it('that has ended refuses every command except a request for more draws', async () => {
    const id = await startServedRun(
      served,
      await makeServedWorkflow(served, {
        source: 'parameters { real a; }\nmodel { a ~ normal(0, 1); }\n',
      }),
    );
    await untilRun(served, id);
    await expect(commandRun(served, id, 'resume')).rejects.toMatchObject({
      answer: {
        code: 'CONFLICT',
        message: 'The run cannot resume: it has made all its draws.',
        details: { state: { status: 'FIN' } },
      },
    });
    for (const action of ['stop', 'pause'])
      await expect(commandRun(served, id, action)).rejects.toThrow(/^CONFLICT: .*it has ended/);
  });

  it('can be stopped twice, and while paused', async () => {
    const id = await startServedRun(served, endless);
    await untilRun(served, id, isSampling);
    await commandRun(served, id, 'pause');
    await untilRun(served, id, arePaused);
    // a chain without a speed may not have had one yet
    await vi.waitFor(
      () => expect(commandRun(served, id, 'pause')).rejects.toThrow(/^CONFLICT: .*already paused/),
      { timeout: 60_000, interval: 100 },
    );
    await commandRun(served, id, 'stop');
    await commandRun(served, id, 'stop').catch((error: Error) =>
      expect(error.message).toMatch(/^CONFLICT/),
    );
    const run = await untilRun(served, id);
    expect(run).toMatchObject({ status: 'FIN', meta: { action: 'stopped' } });
    expect(run.n_samples).toBeGreaterThan(0);
  });

  it('can be stopped before it starts, and while it compiles', async () => {
    const first = await startServedRun(served, endless);
    const second = await startServedRun(served, endless);
    await commandRun(served, second, 'stop');
    expect(await untilRun(served, second)).toMatchObject({
      status: 'FIN',
      n_samples: 0,
      meta: { action: 'stopped' },
    });
    await untilRun(served, first, isRunning);
    await commandRun(served, first, 'stop');
    expect(await untilRun(served, first)).toMatchObject({ status: 'FIN' });
  });

  it('that does not respond is still stopped', async () => {
    const id = await startServedRun(served, stubborn);
    await untilRun(served, id, isRunning);
    await commandRun(served, id, 'stop');
    expect(await untilRun(served, id)).toMatchObject({
      status: 'FIN',
      n_samples: 0,
      meta: { action: 'stopped' },
    });
  });

  it('is stopped when it is deleted, and is still stopped when restored', async () => {
    const id = await startServedRun(served, endless);
    await untilRun(served, id, isSampling);
    const answer = await ask<{ deleted_key: string }>(served, 'DELETE', `/api/object/${id}`);
    await expect(ask(served, 'GET', `/api/object/${id}`)).rejects.toThrow(/^NOT_FOUND/);
    // its slots are free for the next one
    const next = await startServedRun(served, workflow);
    await untilRun(served, next);
    const undo = `/api/object?deleted_key=${answer.deleted_key}`;
    await ask(served, 'DELETE', undo);
    expect(await untilRun(served, id)).toMatchObject({
      status: 'FIN',
      meta: { action: 'stopped' },
    });
  });
});
