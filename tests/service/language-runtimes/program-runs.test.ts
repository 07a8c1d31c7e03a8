/** Runs of Python programs, from a workflow to draws and statistics, with a service that really listens. */

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { execute, select, sql } from '../../../src/service/repositories/database.ts';
import { describeWith, itWith } from '../../support/needs.ts';
import { createProgramService, type ProgramService } from '../../support/program-service.ts';

let here: ProgramService;
beforeAll(async () => {
  here = await createProgramService();
});
afterEach(() => here.stopWorkers());
afterAll(() => here.service.close());

/** Random-walk Metropolis for the mean and scale of some numbers. */
const metropolis = `
import math, random
import ergodic

settings, data = ergodic.settings(), ergodic.data()
ergodic.output("sampling", settings["num_chains"], "chains of", len(data["y"]), "numbers")

def log_density(mu, s):
    sigma = math.exp(s)
    return -0.5 * (mu / 10) ** 2 - 0.5 * s * s - sum(0.5 * ((y - mu) / sigma) ** 2 + s for y in data["y"])

def draws(chain):
    random.seed(settings["seed"] * 1000 + chain)
    mu, s = 0.0, 0.0
    here = log_density(mu, s)
    for iteration in range(3000):
        near = mu + random.gauss(0, 0.35), s + random.gauss(0, 0.25)
        there = log_density(*near)
        if math.log(random.random()) < there - here:
            (mu, s), here = near, there
        if iteration >= 500:
            yield {"mu": mu, "sigma": math.exp(s), "lp__": here, "pair": [mu, s]}

for chain in range(1, settings["num_chains"] + 1):
    print("sent", ergodic.sample(draws(chain), chain=chain, seconds=0.05))
`;

const numbers = [1.2, 0.3, 2.2, 1.9, 0.1, 1.1, 1.6, 0.8, 1.4, 0.9];

describeWith('bubblewrap', 'a program in Python', () => {
  it('samples in its sandbox and sends its draws, which are summarised like those of any run', async () => {
    await here.work();
    const id = await here.start(metropolis, { data: JSON.stringify({ y: numbers }) });
    const done = await here.finished(id);
    expect(done).toMatchObject({ n_chains: 2, n_samples: 2500 });
    expect(done.meta).toMatchObject({ runtime: 'python', settings: { seed: 3, num_chains: 2 } });
    expect(await here.stdlog(id)).toContain('sampling 2 chains of 10 numbers\n');
    const { variables } = await here.summary(id);
    const mu = variables.find(({ variable }) => variable === 'mu');
    expect(variables.map(({ variable }) => variable)).toEqual(
      expect.arrayContaining(['mu', 'sigma', 'pair[1]', 'pair[2]']),
    );
    // the posterior mean is near the sample mean, 1.15, shrunk slightly towards 0
    expect(Math.abs((mu?.mean ?? 0) - 1.14)).toBeLessThan(0.06);
    expect(mu?.rhat).toBeLessThan(1.05);
  }, 30_000);

  it('has a token for its own experiment only, which ends with the run', async () => {
    await here.work();
    const other = await here.start('pass');
    const id = await here.start(`
import json, os, urllib.request, urllib.error
def ask(path, body=None):
    request = urllib.request.Request(os.environ["ERGODIC_SERVER_ENDPOINT"] + path, data=body, headers={"Authorization": "Bearer " + os.environ["ERGODIC_AUTH_TOKEN"]})
    try:
        return json.load(urllib.request.urlopen(request))["status"]
    except urllib.error.HTTPError as error:
        return json.load(error)["code"]
own = os.environ["EXPERIMENT_ID"]
print("own", ask("/api/object/" + own))
for path in ("/api/object/${other}", "/api/object?object_type=experiment", "/base/user/tokens", "/download/" + own): print(path[:9], ask(path))
print("invoke", ask("/invoke", b"{}"), "create", ask("/api/object", b"{}"))
print("token", os.environ["ERGODIC_AUTH_TOKEN"])
print(sorted(name for name in os.environ))
`);
    await here.finished(id);
    const log = await here.stdlog(id);
    expect(log).toContain('own ok\n');
    expect(log).not.toMatch(/(\/api|\/base|\/down)\S* ok/);
    expect(log).toMatch(/invoke PERMISSION_DENIED create PERMISSION_DENIED/);
    expect(log).toContain(
      "['BATCH_ID', 'ERGODIC_AUTH_TOKEN', 'ERGODIC_MCMC_DATA_PATH', 'ERGODIC_OUTPUT_DIR', 'ERGODIC_SERVER_ENDPOINT', 'ERGODIC_SYNC', 'EXPERIMENT_ID', 'HOME', 'LANG', 'PATH', 'PYTHONDONTWRITEBYTECODE', 'PYTHONPATH', 'RUN_ID', 'TMPDIR', 'WORKFLOW_ID']",
    );
    const token = /token (erg_\S+)/.exec(log)?.[1] ?? '';
    expect(token).toHaveLength(47);
    await here.finished(other);
    expect((await here.service.inject({ url: `/api/object/${id}` }, token)).statusCode).toBe(401);
    expect(
      await select(here.service.database.pool, sql`select 1 from tokens where kind = 'run'`),
    ).toEqual([]);
  }, 30_000);

  it('that fails is ERR with its last line of output', async () => {
    await here.work();
    const id = await here.start('import sys\nprint("before")\nraise ValueError("no such prior")');
    const { meta } = await here.failed(id);
    expect(meta?.error).toEqual({
      code: 'PROGRAM_FAILED',
      message: 'The program ended with code 1: ValueError: no such prior',
    });
    expect(await here.stdlog(id)).toMatch(/before\n(.|\n)*Traceback(.|\n)*no such prior/);
  });

  it('ends at its time limit', async () => {
    await here.work();
    const id = await here.start('while True: pass', { settings: 'sampling: {timeout: 0.3}' });
    expect((await here.failed(id)).meta?.error).toMatchObject({ code: 'RUN_TIMEOUT' });
  });

  it('ends when its owner stops it, and keeps the draws it has sent', async () => {
    await here.work();
    const id = await here.start(
      'import time, ergodic\nergodic.post_draws(1, {"x": [1.0, 2.0, 3.0]}, 1)\nprint("sent", flush=True)\ntime.sleep(600)',
    );
    await here.logHas(id, 'sent');
    await here.person.client.updateObject({
      params: { objid: id },
      body: { payload: { object_type: 'experiment', action: 'stop' } },
    });
    const done = await here.until(
      id,
      ({ status, meta }) => status === 'FIN' && meta?.verdict !== undefined,
    );
    expect(done).toMatchObject({ n_samples: 3, meta: { action: 'stopped' } });
    await runsAreOver();
  });

  it('does not start if it is stopped before', async () => {
    const id = await here.start('pass');
    await here.person.client.updateObject({
      params: { objid: id },
      body: { payload: { object_type: 'experiment', action: 'stop' } },
    });
    await here.work();
    await here.until(id, ({ status }) => status === 'FIN');
    expect(await here.stdlog(id)).toBe('');
  });

  it('ends when its experiment is deleted, and is stopped when it is restored', async () => {
    await here.work();
    const id = await here.start('import time\nprint("on", flush=True)\ntime.sleep(600)');
    await here.logHas(id, 'on');
    const { deleted_key } = await here.person.client.deleteObject({ params: { objid: id } });
    await runsAreOver();
    await here.person.client.deleteObjects({ query: { deleted_key: deleted_key as string } });
    const back = await here.until(id, ({ status }) => status === 'FIN');
    expect(back.meta).toMatchObject({ action: 'stopped' });
  });

  it('is ERR when its worker stops, and when its worker is lost', async () => {
    await here.work();
    const program = 'import time\nprint("on", flush=True)\ntime.sleep(600)';
    const stopped = await here.start(program);
    await here.logHas(stopped, 'on');
    await here.stopWorkers();
    expect((await here.failed(stopped)).meta?.error).toMatchObject({ code: 'WORKER_LOST' });
    const lost = await here.start(program);
    // as a worker leaves it when it dies just after taking the run
    const { pool } = here.service.database;
    await execute(
      pool,
      sql`update tasks set state = 'running', attempts = 1, lease_until = now() + interval '20 seconds', worker_id = 999999
      where kind = 'program' and subject_id = (select id from objects where short_id = ${lost})`,
    );
    await here.work();
    expect((await here.failed(lost)).meta?.error).toMatchObject({ code: 'WORKER_LOST' });
  });
});

async function runsAreOver(): Promise<void> {
  const open = sql`select 1 from tasks where kind = 'program'`;
  while ((await select(here.service.database.pool, open)).length > 0)
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(
    await select(here.service.database.pool, sql`select 1 from tokens where kind = 'run'`),
  ).toEqual([]);
}

describe('without a runtime', () => {
  it.each([
    ['cmdstan', /set the model’s env to stan/],
    ['javascript', /cloud functions/],
  ])('a %s run is ERR at once, with a message about what to do', async (env, expected) => {
    const id = await here.start('', { env });
    const { status, meta } = await here.view(id);
    expect(status).toBe('ERR');
    expect(meta?.error).toMatchObject({
      code: 'RUNTIME_MISSING',
      message: expect.stringMatching(expected) as string,
    });
    const sent = sql`select title from notifications where msg_object = ${id}`;
    expect(await select(here.service.database.pool, sent)).toEqual([
      { title: expect.stringMatching(/ failed$/) as string },
    ]);
  });

  it('a run is ERR when a worker takes it, with a message about what to install', async () => {
    const message = 'Julia is not installed here.';
    const runtimes = async () => {
      const report = await here.found();
      return { ...report, missing: { ...report.missing, julia: message } };
    };
    await here.work({ runtimes });
    const id = await here.start('', { env: 'julia', files: { 'main.jl': 'println(1)' } });
    expect((await here.failed(id)).meta?.error).toEqual({ code: 'RUNTIME_MISSING', message });
  });

  itWith(
    'bubblewrap',
    'a worker without the address of the service says how to set it',
    async () => {
      await here.work({ serviceUrl: undefined });
      const id = await here.start('pass');
      expect((await here.failed(id)).meta?.error?.message).toContain('--service-url');
    },
  );
});
