/** Each way in which a chain can fail, with fewer and more chains than places: every run ends, with the reason. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { RunAction } from '../../../src/contract/experiment.ts';
import {
  type ChainRow,
  claimChain,
  listChains,
  MAX_ATTEMPTS,
  requeueLostChains,
} from '../../../src/service/repositories/chains.ts';
import { execute, sql } from '../../../src/service/repositories/database.ts';
import {
  type ExperimentRow,
  findExperimentById,
} from '../../../src/service/repositories/experiments.ts';
import { readLog } from '../../../src/service/repositories/logs.ts';
import { WORKER_LOCK_CLASS } from '../../../src/service/repositories/workers.ts';
import { controlRun } from '../../../src/service/runs/control-run.ts';
import { startRun } from '../../../src/service/runs/start-run.ts';
import type { WorkerOptions } from '../../../src/service/worker/worker-loop.ts';
import { type BundledWorker, bundleWorker } from '../../support/bundle-worker.ts';
import { waitForRun } from '../../support/run-waiting.ts';
import { eightSchools, makeWorkflow, type WorkflowParts } from '../../support/service-objects.ts';
import { useWorkPlace } from '../../support/work-place.ts';

let analytic: BundledWorker;
const place = useWorkPlace({ slots: 2, flushMs: 20 });

beforeAll(async () => {
  analytic = await bundleWorker('tests/support/analytic-chain-worker.ts');
});
afterAll(() => analytic.remove());

interface Parts extends Omit<WorkflowParts, 'settings'> {
  readonly settings?: string;
}

async function start(numChains: number, parts: Parts): Promise<ExperimentRow> {
  const given = parts.settings === undefined ? '' : `, ${parts.settings}`;
  const workflow = await makeWorkflow(place.pool, place.user.id, {
    ...parts,
    settings: `sampling: {seed: 3, num_chains: ${numChains}, num_warmup: 50, num_samples: 100${given}}`,
  });
  return startRun(place.pool, { workflowId: workflow.id, ownerId: place.user.id });
}

const chainsOf = ({ id }: ExperimentRow): Promise<ChainRow[]> => listChains(place.pool, id);
const countOf = (chains: readonly ChainRow[], state: ChainRow['state']) =>
  chains.filter((chain) => chain.state === state).length;

const normal = 'parameters { real a; }\nmodel { a ~ normal(0, 1); }\n';
/** About a second per gradient. */
const slow =
  'parameters { real a; }\nmodel { real s = 0; for (i in 1:40000000) s += 1; a ~ normal(0 * s, 1); }\n';

interface Failing extends Parts {
  /** If given, chains are those of the hand-written models. */
  readonly options?: Partial<WorkerOptions>;
  readonly code: string;
  readonly message: RegExp;
}

const optionsOf = ({ options }: Failing): Partial<WorkerOptions> =>
  options === undefined ? {} : { workerUrl: analytic.url, ...options };

/** Failures that affect every chain. */
const ofTheRun: Readonly<Record<string, Failing>> = {
  'data without a variable': {
    ...eightSchools,
    data: '{"y": [1, 2], "sigma": [1, 1]}',
    code: 'PROGRAM_INVALID',
    message: /`J` is missing from the data: must be a whole number/,
  },
  'data of another type': {
    ...eightSchools,
    data: '{"J": 2, "y": [1, "two"], "sigma": [1, 1]}',
    code: 'PROGRAM_INVALID',
    message: /`y\[2\]` is "two": must be a number/,
  },
  'a program that threads cannot compile': {
    source: `// nothing they know\n${normal}`,
    data: null,
    options: {},
    code: 'PROGRAM_INVALID',
    message: /no model nothing they know/,
  },
  'an error in transformed data': {
    source: `transformed data { if (1) reject("no such study"); }\n${normal}`,
    data: null,
    code: 'PROGRAM_INVALID',
    message: /no such study \(in transformed data, line 1\)/,
  },
  'fatal_error in the model': {
    source: 'parameters { real a; }\nmodel { a ~ normal(0, 1); fatal_error("give up"); }\n',
    data: null,
    code: 'PROGRAM_FAILED',
    message: /give up \(in model, line 2\)/,
  },
  'fatal_error in generated quantities': {
    source: `${normal}generated quantities { real b = 1; fatal_error("give up"); }\n`,
    data: null,
    code: 'PROGRAM_FAILED',
    message: /give up \(in generated quantities, line 3\)/,
  },
};

/** Failures of one chain, here of each chain separately. */
const ofAChain: Readonly<Record<string, Failing>> = {
  'no starting point': {
    source: 'parameters { real a; }\nmodel { target += negative_infinity(); }\n',
    data: null,
    code: 'NO_START',
    message: /No starting point found in 100 tries/,
  },
  'a model that always rejects': {
    source: 'parameters { real a; }\nmodel { reject("never here"); }\n',
    data: null,
    code: 'NO_START',
    message: /100 tries.*never here \(in model, line 2\)/,
  },
  'a thread out of memory': {
    source: `// fills the heap\n${normal}`,
    data: null,
    options: { heapMiB: 32 },
    code: 'BUDGET_EXCEEDED',
    message: /more than the 32 MiB of memory that a chain may use/,
  },
  'more time than a chain may take': {
    source: slow,
    data: null,
    settings: 'timeout: 1.5',
    code: 'RUN_TIMEOUT',
    message: /^The chain took longer than the 1\.5 seconds allowed \(timeout\)\.$/,
  },
  'an iteration that takes too long': {
    source: `// loops forever\n${normal}`,
    data: null,
    settings: 'iteration_timeout: 1',
    options: {},
    code: 'ITERATION_TIMEOUT',
    message: /longer than 1 seconds \(iteration_timeout\)/,
  },
  'a thread that ends': {
    source: `// kills its thread\n${normal}`,
    data: null,
    options: {},
    code: 'WORKER_FAILED',
    message: /The chain's thread exited/,
  },
};

// On two busy cores a run takes as long as it takes; one that hangs runs into any limit.
describe.each([1, 2, 8])('a run of %i chains in two slots', { timeout: 180_000 }, (numChains) => {
  it.each(Object.entries(ofTheRun))('fails as a whole: %s', async (_what, failing) => {
    await place.work(optionsOf(failing));
    const run = await waitForRun(place.pool, (await start(numChains, failing)).id);
    expect(run.status).toBe('ERR');
    expect(run.meta.error).toEqual({
      code: failing.code,
      message: expect.stringMatching(failing.message) as string,
    });
    const chains = await chainsOf(run);
    expect(countOf(chains, 'failed')).toBeGreaterThan(0);
    expect(countOf(chains, 'failed')).toBeLessThanOrEqual(2);
    expect(countOf(chains, 'failed') + countOf(chains, 'stopped')).toBe(numChains);
  });

  it.each(Object.entries(ofAChain))('fails if every chain fails: %s', async (_what, failing) => {
    await place.work(optionsOf(failing));
    const run = await waitForRun(place.pool, (await start(numChains, failing)).id);
    expect(run.status).toBe('ERR');
    expect(run.meta.error).toEqual({
      code: failing.code,
      message: expect.stringMatching(failing.message) as string,
    });
    expect(countOf(await chainsOf(run), 'failed')).toBe(numChains);
  });

  it.each([
    ['does not parse', 'parameters { real a }\n', /A `;` is missing/],
    [
      'names a distribution that does not exist',
      'parameters { real a; }\nmodel { a ~ gaussian(0, 1); }\n',
      /`gaussian`/,
    ],
  ])('fails before it starts if its program %s', async (_what, source, message) => {
    const { id } = await start(numChains, { source, data: null });
    const run = await waitForRun(place.pool, id);
    expect(run).toMatchObject({ status: 'ERR', meta: { error: { code: 'PROGRAM_INVALID' } } });
    expect(run.meta.error?.message).toMatch(message);
    expect(await chainsOf(run)).toEqual([]);
  });

  it('finishes even if generated quantities are rejected in each draw', async () => {
    await place.work();
    const source = `${normal}generated quantities { real b; reject("undefined"); }\n`;
    const run = await waitForRun(place.pool, (await start(numChains, { source, data: null })).id);
    expect(run).toMatchObject({ status: 'FIN', n_samples: 100 });
    expect(run.meta.error).toBeUndefined();
  });

  it('fails when its worker process dies repeatedly', async () => {
    const { pool } = place;
    const started = await start(numChains, { source: normal, data: null });
    // workers without a connection: what a killed process leaves behind
    const workerId = 999_999;
    for (let death = 0; death < MAX_ATTEMPTS * numChains; death++) {
      for (let place = 0; place < 2; place++)
        await claimChain(pool, { workerId, pools: [], userChains: 0 });
      await requeueLostChains(pool, WORKER_LOCK_CLASS);
    }
    expect(countOf(await chainsOf(started), 'failed')).toBe(numChains);
    await place.work();
    const run = await waitForRun(pool, started.id);
    expect(run.status).toBe('ERR');
    expect(run.meta.error).toEqual({
      code: 'WORKER_LOST',
      message: `The worker ended ${MAX_ATTEMPTS} times while it ran this chain.`,
    });
  });
});

describe('when only one chain of eight fails', { timeout: 180_000 }, () => {
  const one: Readonly<Record<string, Failing>> = {
    'inits of its own': {
      source: 'parameters { real<lower=0> a; }\nmodel { a ~ normal(0, 1); }\n',
      data: null,
      settings: 'inits: [{a: 1}, {a: 1}, {a: -1}, {a: 1}, {a: 1}, {a: 1}, {a: 1}, {a: 1}]',
      code: 'NO_START',
      message: /^1 of 8 chains failed\. Chain 3: The inits cannot be used/,
    },
    'its memory': {
      source: `// fills the heap in chain 3\n${normal}`,
      data: null,
      options: { heapMiB: 32 },
      code: 'BUDGET_EXCEEDED',
      message: /^1 of 8 chains failed\. Chain 3: .*32 MiB/,
    },
    'an iteration that takes too long': {
      source: `// loops forever in chain 3\n${normal}`,
      data: null,
      settings: 'iteration_timeout: 1',
      options: {},
      code: 'ITERATION_TIMEOUT',
      message: /^1 of 8 chains failed\. Chain 3: .*iteration_timeout/,
    },
    'the end of its thread': {
      source: `// kills its thread in chain 3\n${normal}`,
      data: null,
      options: {},
      code: 'WORKER_FAILED',
      message: /^1 of 8 chains failed\. Chain 3: The chain's thread exited/,
    },
  };

  it.each(Object.entries(one))('the others continue: %s', async (_what, failing) => {
    await place.work(optionsOf(failing));
    const run = await waitForRun(place.pool, (await start(8, failing)).id);
    expect(run.status).toBe('ERR');
    expect(run.meta.error?.code).toBe(failing.code);
    expect(run.meta.error?.message).toMatch(failing.message);
    const chains = await chainsOf(run);
    expect(chains.map(({ state }) => state)).toEqual(
      chains.map(({ chain }) => (chain === 3 ? 'failed' : 'done')),
    );
    expect(chains.filter(({ chain }) => chain !== 3).map((chain) => chain.saved_samples)).toEqual(
      Array.from({ length: 7 }, () => 100),
    );
  });
});

describe('the timeout of a chain', { timeout: 180_000 }, () => {
  const extend = (id: number) =>
    controlRun(place.pool, place.queue, { experimentId: id, action: 'extend', extendBy: 50 });
  const limited: Parts = { source: normal, data: null, settings: 'timeout: 600' };

  it('counts no time in which the chain waits', async () => {
    await place.work();
    const { id } = await start(2, limited);
    await waitForRun(place.pool, id);
    await execute(
      place.pool,
      sql`update experiments set started_at = started_at - interval '1 hour' where id = ${id}`,
    );
    await extend(id);
    expect(await waitForRun(place.pool, id)).toMatchObject({ status: 'FIN', n_samples: 150 });
  });

  it('counts what the chain has sampled before', async () => {
    await place.work();
    const { id } = await start(1, limited);
    await waitForRun(place.pool, id);
    await execute(
      place.pool,
      sql`update experiment_chains set sampling_seconds = 601 where experiment_id = ${id}`,
    );
    await extend(id);
    expect(await waitForRun(place.pool, id)).toMatchObject({
      status: 'ERR',
      meta: { error: { code: 'RUN_TIMEOUT' } },
    });
  });

  it('ends no other chain', async () => {
    await place.work();
    const { id } = await start(2, limited);
    await waitForRun(place.pool, id);
    await execute(
      place.pool,
      sql`update experiment_chains set sampling_seconds = 601 where experiment_id = ${id} and chain = 1`,
    );
    await extend(id);
    const run = await waitForRun(place.pool, id);
    expect(run.meta.error).toEqual({
      code: 'RUN_TIMEOUT',
      message:
        '1 of 2 chains failed. Chain 1: The chain took longer than the 600 seconds allowed (timeout).',
    });
    expect(await chainsOf(run)).toMatchObject([
      { state: 'failed', saved_samples: 100 },
      { state: 'done', saved_samples: 150 },
    ]);
  });
});

describe('retrying', { timeout: 180_000 }, () => {
  const retry = (id: number) =>
    controlRun(place.pool, place.queue, { experimentId: id, action: 'retry', extendBy: 0 });
  /** The same as the hand-written model, whose other chains and checkpoints remain. */
  const same = `parameters { real x1; real x2; }
model { x1 ~ normal(1, 1); x2 ~ normal(2, 10); }
generated quantities { real noise = normal_rng(0, 1); }
`;
  const killed: Failing = {
    source: `// kills its thread in chain 3\n${same}`,
    data: null,
    options: {},
    code: 'WORKER_FAILED',
    message: /./,
  };

  it('continues the failed chain, and leaves the draws of the others as they are', async () => {
    await place.work(optionsOf(killed));
    const run = await waitForRun(place.pool, (await start(4, killed)).id);
    expect(run.status).toBe('ERR');
    const before = await chainsOf(run);
    await place.stopWork();
    // on a machine where the thread lives
    await place.work();
    await retry(run.id);
    const retried = await waitForRun(place.pool, run.id);
    expect(retried).toMatchObject({ status: 'FIN', n_chains: 4, n_samples: 100 });
    expect(retried.meta.error ?? null).toBeNull();
    const after = await chainsOf(run);
    expect(after.map(({ state }) => state)).toEqual(['done', 'done', 'done', 'done']);
    const others = ({ chain }: ChainRow) => chain !== 3;
    expect(after.filter(others).map((chain) => chain.sampling_seconds)).toEqual(
      before.filter(others).map((chain) => chain.sampling_seconds),
    );
    await expect(retry(run.id)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'The run cannot retry: none of its chains failed.',
    });
  });

  it('replaces a named chain in a lesser mode by one from another starting point', async () => {
    // two modes, 100 standard deviations and 120 in log density apart
    const twoModes: Parts = {
      source: `parameters { real x; }
model { target += log_sum_exp(normal_lpdf(x | 0, 1), normal_lpdf(x | 100, 1) - 120); }
`,
      data: null,
      settings: 'inits: [{x: 0}, {x: 0.5}, {x: 100}]',
    };
    await place.work();
    const run = await waitForRun(place.pool, (await start(3, twoModes)).id);
    expect(run.meta.verdict).toMatchObject({
      state: 'bad',
      headline: expect.stringMatching(
        /^Chain 3 is in a different region: its log density is 1[12]\d below that of the others/i,
      ),
    });
    const before = await chainsOf(run);
    await controlRun(place.pool, place.queue, {
      experimentId: run.id,
      action: 'retry',
      extendBy: 0,
      again: ['chain#3'],
    });
    const retried = await waitForRun(place.pool, run.id);
    expect(retried).toMatchObject({
      status: 'FIN',
      n_chains: 4,
      n_samples: 100,
      meta: { chains_left_out: ['chain#3'], verdict: { chains_left_out: ['chain#3'] } },
    });
    expect(retried.meta.verdict?.headline).not.toMatch(/region/);
    const after = await chainsOf(run);
    expect(after.map(({ state }) => state)).toEqual(['done', 'done', 'done', 'done']);
    expect(after.slice(0, 3)).toEqual(before);
    await expect(
      controlRun(place.pool, place.queue, {
        experimentId: run.id,
        action: 'retry',
        extendBy: 0,
        again: ['chain#9'],
      }),
    ).rejects.toMatchObject({ message: 'The run cannot retry: it has no chain chain#9.' });
  });

  it('replaces a chain by one from another starting point while the run continues', async () => {
    await place.work();
    const workflow = await makeWorkflow(place.pool, place.user.id, {
      source: normal,
      data: null,
      settings:
        'sampling: {seed: 3, num_chains: 2, num_warmup: 50, num_samples: 100000000, thin: 1000}',
    });
    const run = await startRun(place.pool, { workflowId: workflow.id, ownerId: place.user.id });
    const states = async () =>
      Object.fromEntries((await chainsOf(run)).map(({ name, state }) => [name, state]));
    const until = (expected: Record<string, string>) =>
      vi.waitFor(async () => expect(await states()).toEqual(expected), { timeout: 60_000 });
    const control = (action: RunAction, again: readonly string[] = []) =>
      controlRun(place.pool, place.queue, { experimentId: run.id, action, extendBy: 0, again });
    await until({ 'chain#1': 'running', 'chain#2': 'running' });
    await control('retry', ['chain#1']);
    await until({ 'chain#1': 'stopped', 'chain#2': 'running', 'chain#3': 'running' });
    const [stopped] = await chainsOf(run);
    expect(await findExperimentById(place.pool, run.id)).toMatchObject({
      status: 'RUN',
      meta: { chains_left_out: ['chain#1'] },
    });
    await control('pause');
    await expect(control('retry', ['chain#2'])).rejects.toMatchObject({
      message: 'The run cannot retry: it is paused; resume it first.',
    });
    await until({ 'chain#1': 'stopped', 'chain#2': 'paused', 'chain#3': 'paused' });
    await control('resume');
    await until({ 'chain#1': 'stopped', 'chain#2': 'running', 'chain#3': 'running' });
    await control('stop');
    expect((await waitForRun(place.pool, run.id)).status).toBe('FIN');
    await control('resume');
    await until({ 'chain#1': 'stopped', 'chain#2': 'running', 'chain#3': 'running' });
    expect((await chainsOf(run))[0]).toEqual({ ...stopped, desired_state: 'run' });
    await control('stop');
    await waitForRun(place.pool, run.id);
  });

  it('replaces chains that fail at the inits given by chains from random points', async () => {
    await place.work();
    const { id } = await start(4, {
      source: 'parameters { real<lower=0> a; }\nmodel { a ~ normal(0, 1); }\n',
      data: null,
      settings: 'inits: [{a: 1}, {a: -1}, {a: 2}, {a: -2}]',
    });
    expect((await waitForRun(place.pool, id)).meta.error?.message).toMatch(/^2 of 4 chains failed/);
    const again = ['chain#2', 'chain#4'];
    const command = { experimentId: id, action: 'retry', extendBy: 0 } as const;
    await controlRun(place.pool, place.queue, { ...command, again });
    const run = await waitForRun(place.pool, id);
    expect(run).toMatchObject({
      status: 'FIN',
      meta: {
        chains_left_out: again,
        settings: { num_chains: 6, inits: [{ a: 1 }, { a: -1 }, { a: 2 }, { a: -2 }, {}, {}] },
      },
    });
    expect(run.meta.error).toBeUndefined();
    const states = (await chainsOf(run)).map(({ state }) => state);
    expect(states).toEqual(['done', 'failed', 'done', 'failed', 'done', 'done']);
    const log = { experimentId: id, stream: 'platform', from: 0, to: 10_000 } as const;
    expect((await readLog(place.pool, log)).text).toContain(
      'Requested: retry of chain#2, chain#4 from other starting points.',
    );
    // those that were replaced stay as they are
    await expect(retry(id)).rejects.toMatchObject({
      message: 'The run cannot retry: none of its chains failed.',
    });
  });

  it('is refused if the chain would fail in the same way', async () => {
    const noStart: Failing = {
      source: 'parameters { real<lower=0> a; }\nmodel { a ~ normal(0, 1); }\n',
      data: null,
      settings: 'inits: [{a: 1}, {a: -1}]',
      code: 'NO_START',
      message: /./,
    };
    await place.work(optionsOf(noStart));
    const run = await waitForRun(place.pool, (await start(2, noStart)).id);
    await expect(retry(run.id)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('would fail in the same way (NO_START)'),
    });
    expect((await waitForRun(place.pool, run.id)).status).toBe('ERR');
  });
});

it('more chains than slots take turns in the existing threads', {
  timeout: 120_000,
}, async () => {
  await place.work({ workerUrl: analytic.url, slots: 1 });
  const { id } = await start(3, { source: `// says its thread\n${normal}`, data: null });
  expect((await waitForRun(place.pool, id)).status).toBe('FIN');
  const { text } = await readLog(place.pool, {
    experimentId: id,
    stream: 'stdlog',
    from: 0,
    to: 10_000,
  });
  const threads = [...text.matchAll(/thread (\d+)/g)].map(([, number]) => number);
  expect(threads).toHaveLength(3);
  expect(new Set(threads).size).toBe(1);
});

describe('a failure of the whole run', { timeout: 180_000 }, () => {
  it('is reported, and no chain waits, while a running chain is being stopped', async () => {
    await place.work({ workerUrl: analytic.url });
    const source = `// loops and answers in chain 1, recurses beside a loop in chain 2\n${normal}`;
    const { id } = await start(8, { source, data: null });
    const ending = await waitForRun(place.pool, id, ({ meta }) => Boolean(meta.error));
    expect(ending.status).toBe('RUN');
    const error = {
      code: 'PROGRAM_FAILED',
      message: expect.stringMatching(/^A function of the program calls itself too deep/) as string,
    };
    expect(ending.meta.error).toEqual(error);
    const states = (await chainsOf(ending)).map(({ state }) => state);
    expect(states).toEqual(['running', 'failed', ...Array.from({ length: 6 }, () => 'stopped')]);
    const run = await waitForRun(place.pool, id);
    expect(run).toMatchObject({ status: 'ERR', meta: { error } });
    expect(countOf(await chainsOf(run), 'stopped')).toBe(7);
  });

  it('is cleared when the run resumes', async () => {
    await place.work({ workerUrl: analytic.url });
    const source = `// loops and answers in chain 1, recurses beside a loop in chain 2\n${normal}`;
    const { id } = await start(2, { source, data: null });
    await waitForRun(place.pool, id);
    await controlRun(place.pool, place.queue, { experimentId: id, action: 'resume', extendBy: 0 });
    const run = await waitForRun(place.pool, id, ({ status }) => status === 'RUN');
    expect(run.meta.error).toBeUndefined();
  });
});
