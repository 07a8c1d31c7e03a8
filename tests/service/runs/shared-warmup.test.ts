/** Runs whose later chains start where the first have warmed up. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Summary } from '../../../src/contract/draws.ts';
import { runChains } from '../../../src/engine/run.ts';
import { forestRows } from '../../../src/figures/forest-figure.ts';
import { summariseVariable } from '../../../src/posterior/summary.ts';
import { noLabels } from '../../../src/posterior/variable-labels.ts';
import { openFigureDraws } from '../../../src/service/analysis/figure-draws.ts';
import { readStored } from '../../../src/service/content/settings-text.ts';
import {
  insertFollowers,
  listChains,
  updateDesiredState,
} from '../../../src/service/repositories/chains.ts';
import { execute, inTransaction, sql } from '../../../src/service/repositories/database.ts';
import { readDraws } from '../../../src/service/repositories/draws.ts';
import {
  type ExperimentRow,
  findExperimentById,
  findSummary,
} from '../../../src/service/repositories/experiments.ts';
import { controlRun } from '../../../src/service/runs/control-run.ts';
import { startRun } from '../../../src/service/runs/start-run.ts';
import { type BundledWorker, bundleWorker } from '../../support/bundle-worker.ts';
import { waitForRun } from '../../support/run-waiting.ts';
import { makeWorkflow } from '../../support/service-objects.ts';
import { useWorkPlace } from '../../support/work-place.ts';

const place = useWorkPlace({ slots: 2, flushMs: 20 });
let analytic: BundledWorker;
beforeAll(async () => {
  analytic = await bundleWorker('tests/support/analytic-chain-worker.ts');
});
afterAll(() => analytic.remove());

const normal = 'parameters { real a; }\nmodel { a ~ normal(0, 1); }\n';

async function start(source = normal, settings = 'num_warmup: 50, num_samples: 100') {
  const workflow = await makeWorkflow(place.pool, place.user.id, {
    source,
    data: null,
    settings: `sampling: {seed: 3, num_chains: 5, warmup_chains: 2, ${settings}}`,
  });
  return startRun(place.pool, { workflowId: workflow.id, ownerId: place.user.id });
}

const chainsOf = ({ id }: ExperimentRow) => listChains(place.pool, id);
const control = ({ id }: ExperimentRow, action: 'stop' | 'retry', again?: string[]) =>
  controlRun(place.pool, place.queue, { experimentId: id, action, extendBy: 0, again });

describe('a run whose chains share their warmup', () => {
  it('queues the chains that warm up, shows all chains, and ends with all their draws', async () => {
    const run = await start();
    const before = await findExperimentById(place.pool, run.id);
    expect((await chainsOf(run)).map(({ chain }) => chain)).toEqual([1, 2]);
    expect(before?.n_chains).toBe(5);
    expect(before?.meta.progress).toMatchObject({
      done: 0,
      // two warmups of 50, five chains of 100
      total: 600,
      chains: [
        { name: 'chain#1', phase: 'waiting', iteration: 0, of: 150 },
        { name: 'chain#2', phase: 'waiting', iteration: 0, of: 150 },
        { name: 'chain#3', phase: 'waiting', iteration: 50, of: 150, warmed_by: 'chain#1' },
        { name: 'chain#4', phase: 'waiting', iteration: 50, of: 150, warmed_by: 'chain#2' },
        { name: 'chain#5', phase: 'waiting', iteration: 50, of: 150, warmed_by: 'chain#1' },
      ],
    });
    await place.work();
    const ended = await waitForRun(place.pool, run.id);
    expect(ended).toMatchObject({ status: 'FIN', n_chains: 5, n_samples: 100 });
    expect(ended.meta.progress).toMatchObject({ done: 600, total: 600 });
    const chains = await chainsOf(run);
    expect(chains.map(({ warmed_by: by }) => by)).toEqual([null, null, 1, 2, 1]);
    expect(chains.map((chain) => [chain.saved_warmup > 0, chain.saved_samples])).toEqual(
      [true, true, false, false, false].map((has) => [has, 100]),
    );
  });

  it('has the same draws as the engine, and their nested R-hat', async () => {
    const run = await start();
    await place.work();
    await waitForRun(place.pool, run.id);
    const here = await runChains({
      source: normal,
      data: {},
      settings: readStored(run.settings ?? {}),
    });
    const stored = await readDraws(place.pool, { experimentId: run.id, variables: ['a'] });
    const column = here.columns.indexOf('a');
    const drawn = here.chains.map(({ sampling }) => sampling[column]);
    expect(drawn.map((values) => [...values])).toEqual(
      drawn.map((_, i) =>
        stored.filter(({ chain }) => chain === i + 1).flatMap(({ values }) => [...values]),
      ),
    );
    const row = await findExperimentById(place.pool, run.id);
    const summary = (await findSummary(place.pool, run.id)) as Summary;
    expect(row?.meta.settings).toMatchObject({ warmup_chains: 2 });
    expect(summary).toMatchObject({ n_chains: 5, n_superchains: 2 });
    const { rhat } = summariseVariable('a', drawn, [1, 2, 1, 2, 1]);
    expect(summary.variables.find(({ variable }) => variable === 'a')?.rhat).toBeCloseTo(rhat, 12);
    expect(rhat).not.toBeCloseTo(summariseVariable('a', drawn).rhat, 6);
    // the service's plots print it too
    const visible = {
      experimentId: run.id,
      revision: '',
      bounds: null,
      leftOut: [],
      labels: noLabels,
      settings: null,
      matched: {},
      isEnded: true,
    };
    const figures = await openFigureDraws({ pool: place.pool }, visible);
    const [forest] = forestRows([await figures.read('a')]);
    expect(forest?.rhat).toBeCloseTo(rhat, 12);
  });

  it('starts no further chain if it is stopped during the warmup', async () => {
    const run = await start(normal, 'num_warmup: 5000000, num_samples: 10');
    await place.work();
    await waitForRun(place.pool, run.id, ({ status }) => status === 'RUN');
    await control(run, 'stop');
    const stopped = await waitForRun(place.pool, run.id);
    expect((await chainsOf(run)).map(({ state }) => state)).toEqual(['stopped', 'stopped']);
    expect(stopped.status).toBe('FIN');
  });

  it('counts no progress twice if a program has nothing to tune', async () => {
    const run = await start('generated quantities { real z = normal_rng(0, 1); }\n');
    await place.work();
    const done: number[] = [];
    const ended = await waitForRun(place.pool, run.id, ({ status, meta }) => {
      done.push(meta.progress?.done ?? 0);
      return status === 'FIN';
    });
    expect(done.every((count) => count >= 0)).toBe(true);
    expect(ended.meta.progress?.done).toBe(ended.meta.progress?.total);
    expect((await chainsOf(run)).map(({ saved_samples: saved }) => saved)).toEqual(
      Array(5).fill(100),
    );
  });

  it('fails if no warmup finishes', async () => {
    const run = await start(`// kills its thread\n${normal}`, 'num_warmup: 5000, num_samples: 10');
    await place.work({ workerUrl: analytic.url });
    const ended = await waitForRun(place.pool, run.id);
    expect(ended.status).toBe('ERR');
    expect((await chainsOf(run)).map(({ state }) => state)).toEqual(['failed', 'failed']);
  });

  it('does not replace a chain while others wait for a warmup', async () => {
    const run = await start();
    await expect(control(run, 'retry', ['chain#1'])).rejects.toThrow(
      'some of its chains wait for the warmup of others',
    );
  });
});

describe('the chains that start from a warmup', () => {
  const follow = (run: ExperimentRow, chain: number) =>
    inTransaction(place.pool, (tx) =>
      insertFollowers(tx, { experiment_id: run.id, chain: 1, lease: 0, iteration: 50 }, [
        { chain, checkpoint: Buffer.from('{}') },
      ]),
    );

  it.each([
    ['run', 'queued'],
    ['pause', 'paused'],
    ['stop', 'stopped'],
  ] as const)('of a run with the desired state %s are %s', async (desired, state) => {
    const run = await start();
    await updateDesiredState(place.pool, run.id, desired);
    await follow(run, 3);
    expect((await chainsOf(run)).find(({ chain }) => chain === 3)).toMatchObject({ state });
  });

  it('are added once, and keep their progress if they are requested again', async () => {
    const run = await start();
    await execute(
      place.pool,
      sql`update experiment_chains set iteration = 50, priority = 7 where experiment_id = ${run.id} and chain = 1`,
    );
    await follow(run, 3);
    await execute(
      place.pool,
      sql`update experiment_chains set iteration = 60 where experiment_id = ${run.id} and chain = 3`,
    );
    await follow(run, 3);
    const [, , third] = await chainsOf(run);
    expect(third).toMatchObject({ chain: 3, iteration: 60, iterations: 150, warmed_by: 1 });
  });
});
