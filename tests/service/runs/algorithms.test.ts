/** Runs with algorithms other than NUTS, from API to verdict: consistent in list, page, summary, share and files. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeChains } from '../../../src/cli/export-chains.ts';
import type { Client } from '../../../src/client/create-client.ts';
import { expectKind } from '../../../src/client/expect-kind.ts';
import type { Experiment } from '../../../src/contract/experiment.ts';
import { readDraws } from '../../../src/service/repositories/draws.ts';
import { findObject } from '../../../src/service/repositories/objects.ts';
import type { Worker } from '../../../src/service/worker/worker-loop.ts';
import { type BundledWorker, bundleWorker } from '../../support/bundle-worker.ts';
import { addData, addModel, addShare, codeOf } from '../../support/objects.ts';
import { createPauses } from '../../support/pauses.ts';
import { waitForRun } from '../../support/run-waiting.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { startTestWorker } from '../../support/test-worker.ts';

const program = `data { int N; vector[N] y; }
parameters { real mu; real<lower=0> sigma; }
model { mu ~ normal(0, 10); sigma ~ normal(0, 5); y ~ normal(mu, sigma); }
generated quantities { real rep = normal_rng(mu, sigma); }
`;

let built: BundledWorker;
let service: TestService;
let client: Client;
let worker: Worker | null = null;
let ids: { model_id: string; data_id: string };
beforeAll(async () => {
  built = await bundleWorker();
  service = await createTestService();
  ({ client } = await service.addPerson('ada'));
  const tree = [{ name: 'model.stan', content: program, encoding: 'text' as const }];
  const data = JSON.stringify({ N: 40, y: Array.from({ length: 40 }, (_, i) => 3 + Math.sin(i)) });
  ids = {
    model_id: (await addModel(client, { tree })).short_id,
    data_id: (await addData(client, { data })).short_id,
  };
});
afterAll(async () => {
  await worker?.stop();
  await service.close();
  await built.remove();
});

const work = async (flushMs = 50) => {
  worker = await startTestWorker(service, { workerUrl: built.url, flushMs });
};
const rest = async () => {
  await worker?.stop();
  worker = null;
};

async function start(sampling: string, model_id = ids.model_id): Promise<string> {
  const payload = { object_type: 'workflow', name: 'fit', ...ids, model_id } as const;
  const made = expectKind(await client.createObject({ body: { payload } }), 'workflow');
  const settings = `sampling: {seed: 5, ${sampling}}`;
  await client.updateObject({
    params: { objid: made.short_id },
    body: { payload: { object_type: 'workflow', settings } },
  });
  const started = await client.invoke({ body: { target: made.short_id, action: 'run_sample' } });
  return String(started.experiment_id);
}

const numberOf = async (id: string) => Number((await findObject(service.database.pool, id))?.id);
async function ended(objid: string): Promise<Experiment> {
  const pause = createPauses(100);
  for (;;) {
    await service.queue.drain();
    const view = expectKind(await client.viewObject({ params: { objid } }), 'experiment');
    if (view.status === 'ERR') throw new Error(JSON.stringify(view.meta));
    if (view.status === 'FIN') return view;
    await pause();
  }
}

async function valuesOf(id: string) {
  const segments = await readDraws(service.database.pool, { experimentId: await numberOf(id) });
  return segments.map(({ name, variable, values }) => ({ name, variable, values: [...values] }));
}

describe('a run by another algorithm', { timeout: 120_000 }, () => {
  it.each([
    ['optimize', 1, ['lp__', 'converged__'], 'unknown', /^A point estimate: no uncertainty$/],
    ['laplace', 1000, ['log_p__', 'log_q__'], 'good', /^Good approximation: Pareto k /],
    ['pathfinder', 1000, ['lp_approx__', 'lp__', 'path__'], 'good', /^Good approximation/],
    ['advi', 1000, ['lp__', 'log_p__', 'log_g__'], 'good', /^Good approximation/],
    ['fixed_param', 1000, ['lp__', 'accept_stat__'], 'unknown', /^Fixed parameters: nothing to/],
  ])('(%s) has one verdict everywhere', async (algorithm, draws, columns, state, headline) => {
    await work();
    const id = await start(`algorithm: ${algorithm}`);
    const experiment = await ended(id);
    await rest();
    expect(experiment).toMatchObject({ status: 'FIN', n_chains: 1, n_samples: draws });
    expect(experiment.meta?.settings).toMatchObject({ algorithm, num_chains: 1 });
    expect(experiment.meta?.settings).not.toHaveProperty('adapt_delta');
    const verdict = experiment.meta?.verdict;
    expect(verdict).toMatchObject({ state, rhat_max: null, ess_bulk_min: null, divergences: null });
    expect(verdict?.headline).toMatch(headline);

    const summary = await client.viewSummary({ params: { objid: id } });
    expect(summary.verdict).toEqual(verdict);
    expect(summary.variables.every(({ rhat, ess_bulk }) => rhat === null && ess_bulk === null));
    const mu = summary.variables.find(({ variable }) => variable === 'mu');
    if (algorithm !== 'fixed_param') expect(Math.abs((mu?.mean ?? 0) - 3)).toBeLessThan(0.2);

    const list = await client.listObjects({ query: { object_type: 'experiment' } });
    const listed = list.objects.find(({ short_id }) => short_id === id) as Experiment;
    expect(listed.meta?.verdict?.headline).toBe(verdict?.headline);
    const notes = await client.listNotifications({ query: { status: 'all' } });
    const said = String(verdict?.headline).toLowerCase().slice(0, 16);
    expect(JSON.stringify(notes).toLowerCase()).toContain(said);

    const names = new Set((await valuesOf(id)).map(({ variable }) => variable));
    expect([...names]).toEqual(expect.arrayContaining([...columns, 'mu', 'sigma', 'rep']));
    const share = await addShare(client, { objid: id });
    const shared = await service
      .clientOf(null)
      .viewSummary({ params: { objid: id }, query: { share_id: share.short_id } });
    expect(shared.verdict).toEqual(verdict);
  });

  it.each([
    ['advi', 'variational', 'lp__,log_p__,log_g__,mu,sigma,rep', 301],
    ['pathfinder', 'pathfinder', 'lp_approx__,lp__,path__,pareto_k__,mu,sigma,rep', 300],
  ])('(%s) is exported as a CmdStan file, with a mean where CmdStan writes one', async (...row) => {
    const [algorithm, method, header, lines] = row;
    await work();
    const id = await start(`algorithm: ${algorithm}, num_samples: 300`);
    const experiment = await ended(id);
    await rest();
    const folder = mkdtempSync(join(tmpdir(), 'ergodic-chains-'));
    const pathOf = (chain: number) => join(folder, `${chain}.csv`);
    const [path = ''] = await writeChains({ client, experiment, first: 0, pathOf });
    const text = readFileSync(path, 'utf8');
    rmSync(folder, { recursive: true });
    expect(text).toContain(`# method = ${method}\n`);
    const table = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(table[0]).toBe(header);
    expect(table.length - 1).toBe(lines);
    const [first = []] = table.slice(1).map((line) => line.split(',').map(Number));
    if (algorithm === 'advi') {
      expect(first.slice(0, 3)).toEqual([0, 0, 0]);
      // the mean of the approximation, near that of its draws
      const draws = table.slice(2).map((line) => Number(line.split(',')[3]));
      const mean = draws.reduce((sum, value) => sum + value, 0) / draws.length;
      expect(Math.abs((first[3] ?? NaN) - mean)).toBeLessThan(0.1);
    }
    const summary = await client.viewSummary({ params: { objid: id } });
    expect(summary.n_samples).toBe(300);
  });

  it('continues after its worker has stopped, with the same draws', async () => {
    const settings = 'algorithm: pathfinder, num_samples: 20000';
    await work(1);
    const whole = await start(settings);
    await ended(whole);
    const cut = await start(settings);
    const number = await numberOf(cut);
    await waitForRun(service.database.pool, number, ({ meta }) => (meta.progress?.done ?? 0) > 0);
    await rest();
    await work();
    await ended(cut);
    await rest();
    expect(await valuesOf(cut)).toEqual(await valuesOf(whole));
  });

  it('extends an approximation, and says why an optimum cannot be extended', async () => {
    await work();
    const long = await start('algorithm: laplace, num_samples: 600');
    const short = await start('algorithm: laplace, num_samples: 200');
    const optimum = await start('algorithm: optimize');
    for (const id of [long, short, optimum]) await ended(id);
    const extend = (objid: string) =>
      client.updateObject({
        params: { objid },
        body: {
          payload: { object_type: 'experiment', action: 'extend', meta: { extend_by: 400 } },
        },
      });
    await extend(short);
    await ended(short);
    await rest();
    const joined = (values: Awaited<ReturnType<typeof valuesOf>>) =>
      values.filter(({ variable }) => variable === 'rep').flatMap((part) => part.values);
    expect(joined(await valuesOf(short))).toEqual(joined(await valuesOf(long)));
    const refusal = extend(optimum);
    await expect(refusal).rejects.toThrow('an optimum is a single point');
    expect(await codeOf(refusal)).toBe('CONFLICT');
  });

  it('is refused before it starts if a setting is invalid, naming the setting', async () => {
    await expect(start('algorithm: newton')).rejects.toThrow(
      'sampling.algorithm must be nuts, optimize,',
    );
    await expect(start('algorithm: pathfinder, num_paths: 0')).rejects.toThrow(
      'sampling.num_paths must be a whole number from 1 to 1000, not 0',
    );
  });

  it('can start NUTS from Pathfinder', async () => {
    await work();
    const id = await start('inits: pathfinder, num_chains: 2, num_warmup: 200, num_samples: 200');
    const experiment = await ended(id);
    await rest();
    expect(experiment.meta?.settings).toMatchObject({ algorithm: 'nuts', inits: 'pathfinder' });
    expect(experiment.meta?.verdict?.rhat_max).toBeLessThan(1.1);
  });

  const edited = async (generated: string, parameters = 'real mu; real<lower=0> sigma;') => {
    const content = program
      .replace('real mu; real<lower=0> sigma;', parameters)
      .replace(/generated quantities.*/s, `generated quantities { ${generated} }`);
    const tree = [{ name: 'model.stan', content, encoding: 'text' as const }];
    return (await addModel(client, { tree })).short_id;
  };

  it('computes new quantities at the draws of a finished run, chain by chain', async () => {
    await work();
    const source = await start('num_chains: 3, num_warmup: 150, num_samples: 200');
    await ended(source);
    const model = await edited('vector[N] y_rep; for (i in 1:N) y_rep[i] = normal_rng(mu, sigma);');
    const order = `algorithm: generate_quantities, from: ${source}`;
    const id = await start(order, model);
    const run = await ended(id);
    await rest();
    expect(run).toMatchObject({ n_chains: 3, n_samples: 200 });
    expect(run.meta?.settings).toMatchObject({ from: source, num_chains: 3, num_samples: 200 });
    const [before, after] = [await valuesOf(source), await valuesOf(id)];
    for (const name of ['mu', 'sigma', 'lp__', 'divergent__'])
      expect(after.filter(({ variable }) => variable === name)).toEqual(
        before.filter(({ variable }) => variable === name),
      );
    expect(after.filter(({ variable }) => variable === 'y_rep[40]')).toHaveLength(3);
    expect(after.some(({ variable }) => variable === 'rep')).toBe(false);
    const [own, others] = await Promise.all(
      [id, source].map((objid) => client.viewSummary({ params: { objid } })),
    );
    const rhat = (summary: typeof own) =>
      summary?.variables.find((row) => row.variable === 'mu')?.rhat;
    expect(rhat(own)).toBe(rhat(others));
    const { checks, divergences } = run.meta?.verdict ?? {};
    expect(divergences).toBe(others?.verdict.divergences);
    expect(checks).toContainEqual({
      name: 'generated_quantities',
      status: 'passed',
      message: expect.stringContaining('a changed model block has no effect'),
    });
    const extend = client.updateObject({
      params: { objid: id },
      body: { payload: { object_type: 'experiment', action: 'extend', meta: { extend_by: 4 } } },
    });
    await expect(extend).rejects.toThrow('it reads the draws of another run');
    const share = await addShare(client, { objid: id });
    const shown = expectKind(
      await service
        .clientOf(null)
        .viewObject({ params: { objid: id }, query: { share_id: share.short_id } }),
      'experiment',
    );
    expect(JSON.stringify(shown)).not.toContain(source);
  });

  it('continues with new quantities after its worker has stopped', async () => {
    await work(1);
    const source = await start('algorithm: laplace, num_samples: 20000');
    await ended(source);
    const model = await edited('real b = normal_rng(mu, sigma);');
    const order = `algorithm: generate_quantities, from: ${source}`;
    const whole = await start(order, model);
    await ended(whole);
    const cut = await start(order, model);
    const number = await numberOf(cut);
    await waitForRun(service.database.pool, number, ({ meta }) => (meta.progress?.done ?? 0) > 0);
    await rest();
    await work();
    await ended(cut);
    await rest();
    expect(await valuesOf(cut)).toEqual(await valuesOf(whole));
  });

  it('leaves out the chains that the source leaves out', async () => {
    await work();
    const source = await start('num_chains: 3, num_warmup: 100, num_samples: 100');
    await ended(source);
    const payload = { object_type: 'experiment' as const, meta: { chains_left_out: ['chain#2'] } };
    await client.updateObject({ params: { objid: source }, body: { payload } });
    await service.queue.drain();
    const id = await start(`algorithm: generate_quantities, from: ${source}`);
    expect(await ended(id)).toMatchObject({ n_chains: 2 });
    await rest();
    const mus = async (run: string) =>
      (await valuesOf(run)).filter(({ variable }) => variable === 'mu').map(({ values }) => values);
    const [first, , third] = await mus(source);
    expect(await mus(id)).toEqual([first, third]);
  });

  it('says why draws cannot be used', async () => {
    await work();
    const source = await start('num_chains: 1, num_warmup: 50, num_samples: 20');
    await ended(source);
    await expect(start('algorithm: generate_quantities')).rejects.toThrow(
      'sampling.from must be the id of a finished run',
    );
    await expect(start('algorithm: generate_quantities, from: X0000000')).rejects.toThrow(
      'sampling.from names X0000000, but there is no such run of yours',
    );
    const id = await start(
      `algorithm: generate_quantities, from: ${source}`,
      await edited('real a = mu;', 'real mu; real<lower=0> sigma; real tau;'),
    );
    await expect(ended(id)).rejects.toThrow(
      'the program declares tau, which the draws do not have',
    );
    await rest();
  });
});
