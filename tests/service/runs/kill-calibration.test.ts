/** SIGKILL of the worker in the middle of a calibration, and of the service with it: the ranks are those of an undisturbed run. */
import { expect, it } from 'vitest';
import type { Summary } from '../../../src/contract/draws.ts';
import { rightPrograms } from '../../support/calibration-programs.ts';
import { launch, makeReadyFolder, type Served } from '../../support/served.ts';
import {
  ask,
  killWorker,
  makeServedWorkflow,
  type RunView,
  readRunDraws,
  startServedRun,
  untilRun,
} from '../../support/served-runs.ts';

const program = rightPrograms['normal with unknown mean and scale'];
const numSimulations = 10;
const settings = `sampling: {algorithm: calibration, seed: 11, num_simulations: ${numSimulations}, num_warmup: 200, num_samples: 400}`;
const env = { ERGODIC_FLUSH_MS: '20' };

/** Completed simulations, from a view of the run. */
function numDone({ meta }: RunView): number {
  const chains = (meta.progress?.chains ?? []) as readonly { readonly phase?: string }[];
  return chains.filter(({ phase }) => phase === 'done').length;
}

const ranksOf = async (served: Served, id: string) => {
  const { calibration } = await ask<Summary>(served, 'GET', `/api/summary/${id}`);
  return calibration?.quantities.map(({ variable, rank }) => [variable, rank]);
};

it('a killed calibration resumes each simulation, with the same ranks and draws', async () => {
  const dataDir = await makeReadyFolder();
  let served = await launch({ dataDir, env }).ready;
  const workflow = await makeServedWorkflow(served, {
    source: program?.source,
    data: JSON.stringify(program?.data),
    settings,
  });
  const whole = await startServedRun(served, workflow);
  await untilRun(served, whole);

  const run = await startServedRun(served, workflow);
  for (const some of [1, 3]) {
    const { status } = await untilRun(served, run, (view) => numDone(view) >= some);
    expect(status).toBe('RUN');
    await killWorker(dataDir);
  }
  // not yet finished: there was something to lose
  const before = await ask<RunView>(served, 'GET', `/api/object/${run}`);
  expect(numDone(before)).toBeLessThan(numSimulations);
  served.process.kill('SIGKILL');
  await served.exited;
  served = await launch({ dataDir, env }).ready;
  expect((await untilRun(served, run)).status).toBe('FIN');

  const ranks = await ranksOf(served, run);
  expect(ranks?.map(([variable]) => variable)).toEqual(['lp__', 'mu', 'sigma']);
  expect(ranks?.every(([, rank]) => (rank as unknown[]).length === numSimulations)).toBe(true);
  expect(ranks).toEqual(await ranksOf(served, whole));
  const [own, other] = [await readRunDraws(served, run), await readRunDraws(served, whole)];
  expect(own.columns).toEqual(other.columns);
  expect(own.values).toEqual(other.values);
  served.process.kill('SIGTERM');
  expect((await served.exited).code).toBe(0);
}, 300_000);
