/** Whatever was acknowledged survives SIGKILL at any moment, and a run continues to the same draws as if nothing had happened. */
import { describe, expect, it } from 'vitest';
import { decodeDraws } from '../../../src/contract/draws.ts';
import { DATABASE_USER, findRunningPostgres } from '../../../src/service/postgres/supervisor.ts';
import { createClient } from '../../../src/service/repositories/database.ts';
import { BRIEFLY, createPauses } from '../../support/pauses.ts';
import { seededRng } from '../../support/seeded-rng.ts';
import { launch, makeReadyFolder, type Served } from '../../support/served.ts';
import { eightSchools } from '../../support/service-objects.ts';

/** `npm run fuzz` kills more often. */
const KILLS = process.env.FUZZ_RUNS === undefined ? 4 : 20;
const settings =
  'sampling: {seed: 20, num_chains: 2, num_warmup: 400, num_samples: 15000, thin: 5}';
const env = { ERGODIC_FLUSH_MS: '20' };

interface Made {
  readonly short_id: string;
}

async function create(served: Served, payload: Record<string, unknown>): Promise<Made> {
  const answer = await served.call('POST', '/api/object', { payload });
  expect(answer.status).toBe('ok');
  return answer.data as Made;
}

async function makeWorkflow(served: Served): Promise<string> {
  const content = {
    tree: [{ name: 'main.stan', type: 'file', content: eightSchools.source, encoding: 'text' }],
  };
  const model = await create(served, {
    object_type: 'model',
    name: 'm',
    env: 'stan',
    entrance_file: 'main.stan',
    content,
  });
  const data = await create(served, { object_type: 'data', name: 'd', data: eightSchools.data });
  const workflow = await create(served, {
    object_type: 'workflow',
    name: 'w',
    model_id: model.short_id,
    data_id: data.short_id,
  });
  const payload = { object_type: 'workflow', settings };
  expect((await served.call('POST', `/api/object/${workflow.short_id}`, { payload })).status).toBe(
    'ok',
  );
  return workflow.short_id;
}

async function startRun(served: Served, workflow: string): Promise<string> {
  const body = { target: workflow, action: 'run_sample', get_response: false };
  const answer = await served.call('POST', '/invoke', body);
  expect(answer.status).toBe('ok');
  return (answer.data as { experiment_id: string }).experiment_id;
}

async function statusOf(served: Served, experiment: string): Promise<string> {
  const answer = await served.call('GET', `/api/object/${experiment}`);
  return (answer.data as { status: string }).status;
}

async function waitForEnd(served: Served, experiment: string): Promise<void> {
  const pause = createPauses();
  for (;;) {
    const status = await statusOf(served, experiment);
    if (status === 'FIN') return;
    if (status === 'ERR')
      throw new Error(
        `the run failed: ${JSON.stringify(await served.call('GET', `/api/object/${experiment}`))}`,
      );
    await pause();
  }
}

/** Waits until the run has more iterations than now, or has ended. */
async function waitForProgress(served: Served, experiment: string): Promise<void> {
  const look = async () => {
    const answer = await served.call('GET', `/api/object/${experiment}`);
    return answer.data as { status: string; meta: { progress?: { done: number } } };
  };
  const before = (await look()).meta.progress?.done ?? 0;
  const pause = createPauses(BRIEFLY);
  for (;;) {
    const { status, meta } = await look();
    if (status === 'FIN' || (meta.progress?.done ?? 0) > before) return;
    await pause();
  }
}

async function readDraws(served: Served, experiment: string) {
  const response = await fetch(`${served.origin}/api/draws/${experiment}`, {
    headers: { authorization: `Bearer ${served.token}` },
  });
  const { header, values } = decodeDraws(await response.arrayBuffer());
  return { columns: header.columns, values };
}

/** How often the most interrupted chain was taken up. */
async function mostLeases(dataDir: string): Promise<number> {
  const { host, port } = findRunningPostgres(dataDir) as { host: string; port: number };
  const client = createClient({ host, port, user: DATABASE_USER, database: 'ergodic' });
  await client.connect();
  const { rows } = await client.query<{ most: number }>(
    'select max(lease) as most from experiment_chains',
  );
  await client.end();
  return rows[0].most;
}

describe('the service under SIGKILL', () => {
  it('loses nothing acknowledged, and its runs continue with bit-identical draws', {
    // Each start waits for an orderly end of everything that was killed.
    timeout: 600_000,
  }, async () => {
    const dataDir = await makeReadyFolder();
    const rng = seededRng(20);
    let served = await launch({ dataDir, env }).ready;
    const workflow = await makeWorkflow(served);
    const reference = await startRun(served, workflow);
    await waitForEnd(served, reference);

    const acknowledged = new Map<string, string>();
    const runs: string[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const last = runs.at(-1);
      if (last === undefined || (await statusOf(served, last)) === 'FIN')
        runs.push(await startRun(served, workflow));
      // Most kills strike while draws come in, the others at any moment.
      const run = runs.at(-1) as string;
      if (rng.uniform() < 0.7) await waitForProgress(served, run);
      const killAt = performance.now() + rng.uniform() * 200;
      do {
        const name = `written ${kill} ${acknowledged.size}`;
        acknowledged.set(
          (await create(served, { object_type: 'data', name, data: name })).short_id,
          name,
        );
      } while (performance.now() < killAt);
      served.process.kill('SIGKILL');
      await served.exited;
      // Now and then the next start is killed too, somewhere in its middle.
      if (rng.uniform() < 0.25) {
        const halfway = launch({ dataDir, env });
        await new Promise((resolve) => setTimeout(resolve, rng.uniform() * 500));
        halfway.process.kill('SIGKILL');
        await halfway.exited;
      }
      served = await launch({ dataDir, env }).ready;
    }

    for (const [id, name] of acknowledged) {
      const answer = await served.call('GET', `/api/object/${id}`);
      expect(answer, name).toMatchObject({ status: 'ok', data: { name } });
    }
    const expected = await readDraws(served, reference);
    expect(expected.columns.length).toBeGreaterThan(0);
    for (const run of runs) {
      await waitForEnd(served, run);
      expect(await readDraws(served, run)).toEqual(expected);
    }
    // The first lease is that of the undisturbed start.
    expect(await mostLeases(dataDir), 'kills that struck a running chain').toBeGreaterThan(
      Math.max(1, KILLS / 6),
    );
    served.process.kill('SIGTERM');
    expect((await served.exited).code).toBe(0);
  });
});
