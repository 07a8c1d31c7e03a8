/** What was acknowledged to a runner survives SIGKILL of the service between any two messages, and none is stored twice. */
import { expect, it } from 'vitest';
import {
  type Answer,
  playBadly,
  type RunScript,
  type Send,
  scriptedDraws,
  scriptOf,
} from '../../support/scripted-runner.ts';
import { seededRng } from '../../support/seeded-rng.ts';
import { launch, makeReadyFolder, type Served } from '../../support/served.ts';
import { readRunDraws, untilRun } from '../../support/served-runs.ts';

const KILLS = 3;

it('a run of two processes survives kills of the service', { timeout: 120_000 }, async () => {
  const dataDir = await makeReadyFolder();
  const options = ['--workers', '1'];
  let served: Served = await launch({ dataDir, options }).ready;
  // of the first start: later starts print a new one, which replaces it
  let token = served.token;
  const send: Send = async (method, path, body) => {
    const headers = { authorization: `bearer ${token}` };
    const request = body === undefined ? { method, headers } : { method, headers, body };
    const response = await fetch(served.origin + path, request);
    return { status: response.status, json: (await response.json()) as Answer };
  };
  const payload = { object_type: 'experiment', name: 'killed', meta: { status: 'RUN' } };
  const made = await send('POST', '/api/object', JSON.stringify({ payload }));
  const experiment = (made.json.data as { short_id: string }).short_id;
  const scripts = ['r1', 'r2'].map(
    (run, i): RunScript => ({
      experiment,
      batch: 'b',
      run,
      chains: [`chain#${2 * i + 1}`, `chain#${2 * i + 2}`],
      variables: ['a/val', 'flag', 'odd', 'extras/lp/val'],
      batches: [3, 1, 7, 2, 9, 4],
      client: i === 0 ? 'accumulating' : 'newest',
    }),
  );
  const rng = seededRng(8);
  let kills = 0;
  let calls = 0;
  const between = async () => {
    calls += 1;
    if (kills >= KILLS || calls % 7 !== 0) return;
    kills += 1;
    served.process.kill('SIGKILL');
    await served.exited;
    served = await launch({ dataDir, options }).ready;
    token = served.token;
  };
  const faults = { random: () => rng.uniform(), lost: 0.1, repeated: 0.3, between };
  for (const script of scripts) await playBadly(send, scriptOf(script), faults);
  expect(kills).toBe(KILLS);
  expect(await untilRun(served, experiment)).toMatchObject({ status: 'FIN', n_samples: 26 });

  const { columns, values } = await readRunDraws(served, experiment);
  const stored: Record<string, Record<string, number[]>> = {};
  for (const { chain, variable, first_iteration: first, count, offset } of columns) {
    expect([chain, variable, first]).toEqual([chain, variable, 1]);
    stored[chain] ??= {};
    stored[chain][variable] = [...values.subarray(offset, offset + count)];
  }
  expect(stored).toEqual({ ...scriptedDraws(scripts[0]), ...scriptedDraws(scripts[1]) });
  served.process.kill('SIGTERM');
  await served.exited;
});
