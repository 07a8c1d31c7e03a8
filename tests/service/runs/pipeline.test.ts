import { describe, expect, it } from 'vitest';
import type { Summary } from '../../../src/contract/draws.ts';
import type { RunAction } from '../../../src/contract/experiment.ts';
import { noLabels } from '../../../src/posterior/variable-labels.ts';
import { openFigureDraws } from '../../../src/service/analysis/figure-draws.ts';
import { listExportChains } from '../../../src/service/exports/chain-columns.ts';
import type { ExportRequest } from '../../../src/service/exports/export-content.ts';
import { listChains } from '../../../src/service/repositories/chains.ts';
import { readDraws } from '../../../src/service/repositories/draws.ts';
import { findSummary } from '../../../src/service/repositories/experiments.ts';
import { readLog } from '../../../src/service/repositories/logs.ts';
import { listNotifications } from '../../../src/service/repositories/notifications.ts';
import { controlRun } from '../../../src/service/runs/control-run.ts';
import { startRun } from '../../../src/service/runs/start-run.ts';
import { waitForRun } from '../../support/run-waiting.ts';
import { makeWorkflow, type WorkflowParts } from '../../support/service-objects.ts';
import { useWorkPlace } from '../../support/work-place.ts';

const place = useWorkPlace({ flushMs: 20 });

async function start(parts: WorkflowParts) {
  const workflow = await makeWorkflow(place.pool, place.user.id, parts);
  return startRun(place.pool, { workflowId: workflow.id, ownerId: place.user.id });
}

const control = (experimentId: number, action: RunAction, extendBy = 0) =>
  controlRun(place.pool, place.queue, { experimentId, action, extendBy });

async function valuesOf(experimentId: number): Promise<unknown> {
  const segments = await readDraws(place.pool, { experimentId });
  return segments.map(({ name, variable, firstIteration, values }) => ({
    name,
    variable,
    firstIteration,
    values,
  }));
}

const short = 'sampling: {seed: 5, num_chains: 2, num_warmup: 150, num_samples: 200}';
const long = 'sampling: {seed: 5, num_chains: 2, num_warmup: 150, num_samples: 8000}';
const isSampling = ({ meta }: { meta: { progress?: { done: number } | null } }) =>
  (meta.progress?.done ?? 0) > 600;

// Real chains in threads slow down when the machine is busy; a hang is still a hang after two minutes.
describe('a run', { timeout: 120_000 }, () => {
  it('keeps the first iteration and then every nth, and says so before it begins', async () => {
    await place.work();
    for (const [asked, kept] of [
      ['num_samples: 101, thin: 10', 11],
      ['num_samples: 100, thin: 1000', 1],
    ] as const) {
      const settings = `sampling: {seed: 5, num_chains: 1, num_warmup: 150, ${asked}}`;
      const { id } = await start({ settings });
      const done = await waitForRun(place.pool, id);
      expect(done).toMatchObject({ n_samples: kept, meta: { iteration_count: kept } });
    }
  });

  it('leads from a workflow to draws, statistics and a verdict', async () => {
    await place.work();
    const experiment = await start({ settings: short });
    expect(experiment.status).toBe('NEW');
    const done = await waitForRun(place.pool, experiment.id);
    expect(done).toMatchObject({ status: 'FIN', n_chains: 2, n_samples: 200, n_variables: 18 });
    expect(done.meta).toMatchObject({
      settings: { seed: 5, num_chains: 2, adapt_delta: 0.8 },
      progress: { done: 700, total: 700 },
      iteration_count: 200,
      model_version: 1,
      verdict: { divergences: expect.any(Number) as number },
      run_info: { status: 'FIN' },
    });
    const summary = (await findSummary(place.pool, experiment.id)) as Summary;
    const names = summary.variables.map((row) => row.variable);
    expect([...names.slice(0, 2), names.at(-1)]).toEqual(['mu', 'tau', 'lp__']);
    expect(summary.variables.slice(0, 2).map(({ lower, upper }) => [lower, upper])).toEqual([
      [undefined, undefined],
      [0, undefined],
    ]);
    // As reports and the plotting function read them.
    const visible = {
      experimentId: experiment.id,
      revision: '',
      bounds: null,
      leftOut: [],
      labels: noLabels,
      settings: null,
      matched: {},
      isEnded: true,
    };
    const figures = await openFigureDraws({ pool: place.pool }, visible);
    expect(await figures.read('tau')).toMatchObject({ variable: 'tau', lower: 0 });
    expect(summary.chains).toHaveLength(2);
    const segments = await readDraws(place.pool, {
      experimentId: experiment.id,
      variables: ['mu'],
    });
    expect(segments.map(({ name, values }) => [name, values.length])).toEqual([
      ['chain#1', 200],
      ['chain#2', 200],
    ]);
    const warmup = await readDraws(place.pool, {
      experimentId: experiment.id,
      variables: ['mu'],
      phase: 'warmup',
    });
    expect(warmup).toEqual([]);
    const { rows } = await listNotifications(
      place.pool,
      { userId: place.user.id, status: 'all' },
      { number: 1, size: 1 },
    );
    expect(rows[0]).toMatchObject({
      event: 'experiment_finished',
      msg_object: experiment.short_id,
    });
  });

  it('keeps warmup draws on request, and its seed reproduces its draws', async () => {
    await place.work();
    const kept = short.replace('{', '{save_warmup: true, ');
    const one = await start({ settings: kept });
    const two = await start({ settings: short });
    for (const { id } of [one, two]) {
      const { status, meta } = await waitForRun(place.pool, id);
      expect([status, meta.error ?? null]).toEqual(['FIN', null]);
    }
    const warmups = await readDraws(place.pool, {
      experimentId: one.id,
      variables: ['mu'],
      phase: 'warmup',
    });
    expect(warmups.map(({ name, values }) => [name, values.length])).toEqual([
      ['chain#1', 150],
      ['chain#2', 150],
    ]);
    expect(await valuesOf(one.id)).toEqual(await valuesOf(two.id));
  });

  it('waits for its turn and reports its place in the queue', async () => {
    const first = await start({ settings: short });
    const second = await start({ settings: short });
    expect((await waitForRun(place.pool, first.id, () => true)).meta.queue_place).toBe(1);
    expect((await waitForRun(place.pool, second.id, () => true)).meta.queue_place).toBe(2);
    await place.work();
    await waitForRun(place.pool, second.id);
  });

  it('of a program that does not compile is ERR at once, with the position in its log', async () => {
    const experiment = await start({
      source: 'parameters { real a; }\nmodel { a ~ normla(0, 1); }',
      data: null,
    });
    expect(experiment.status).toBe('ERR');
    const row = await waitForRun(place.pool, experiment.id);
    expect(row.meta.error).toMatchObject({
      code: 'PROGRAM_INVALID',
      message: expect.stringContaining('normla') as string,
    });
    const log = await readLog(place.pool, {
      experimentId: experiment.id,
      stream: 'stdlog',
      from: 0,
      to: 1e6,
    });
    expect(log.text).toContain('main.stan:2:');
    expect(log.text).toContain('a ~ normla(0, 1)');
  });

  it('whose data do not match the program ends with the reason, once for all chains', async () => {
    await place.work();
    const experiment = await start({
      data: '{"J": 8, "y": [1, 2], "sigma": [1, 1]}',
      settings: short,
    });
    const row = await waitForRun(place.pool, experiment.id);
    expect(row.status).toBe('ERR');
    expect(row.meta.error).toMatchObject({
      code: 'PROGRAM_INVALID',
      message: expect.stringMatching(/\by\b/) as string,
    });
  });

  it('shows what its program prints', async () => {
    await place.work();
    const source =
      'parameters { real a; } model { a ~ normal(0, 1); } generated quantities { print("hello"); }';
    const experiment = await start({
      source,
      data: null,
      settings: 'sampling: {num_chains: 1, num_warmup: 10, num_samples: 3}',
    });
    await waitForRun(place.pool, experiment.id);
    const log = await readLog(place.pool, {
      experimentId: experiment.id,
      stream: 'stdlog',
      from: 0,
      to: 1e6,
    });
    expect(log.text).toContain('chain#1: hello\n');
  });
});

describe('a controlled run', { timeout: 120_000 }, () => {
  it('stops, resumes and is extended, with the draws of an uninterrupted run', async () => {
    await place.work();
    const experiment = await start({ settings: long });
    await waitForRun(place.pool, experiment.id, isSampling);
    await control(experiment.id, 'stop');
    const stopped = await waitForRun(place.pool, experiment.id);
    expect(stopped).toMatchObject({ status: 'FIN', meta: { action: 'stopped' } });
    expect(stopped.n_samples).toBeLessThan(8_000);
    await expect(control(experiment.id, 'stop')).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    await expect(control(experiment.id, 'pause')).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    await control(experiment.id, 'resume');
    const resumed = await waitForRun(place.pool, experiment.id);
    expect(resumed).toMatchObject({ status: 'FIN', n_samples: 8_000 });
    await control(experiment.id, 'extend', 500);
    const extended = await waitForRun(place.pool, experiment.id);
    expect(extended).toMatchObject({
      status: 'FIN',
      n_samples: 8_500,
      meta: { iteration_count: 8_500 },
    });
    const whole = await start({ settings: long.replace('8000', '8500') });
    await waitForRun(place.pool, whole.id);
    expect(await valuesOf(experiment.id)).toEqual(await valuesOf(whole.id));
  });

  it('stops at its time limit, which does not limit later requests', async () => {
    await place.work();
    const settings =
      'sampling: {seed: 5, num_chains: 2, num_warmup: 50, num_samples: 9000000, time_limit: 1.5}';
    const { id } = await start({ settings });
    const stopped = await waitForRun(place.pool, id);
    expect(stopped).toMatchObject({
      status: 'FIN',
      meta: { action: 'stopped', time_limit_reached: true },
    });
    expect(stopped.n_samples).toBeLessThan(9_000_000);
    const whole = { experimentId: id, stream: 'platform', from: 0, to: 1e6 } as const;
    expect((await readLog(place.pool, whole)).text).toContain(
      'The time limit of 1.5 seconds (time_limit) has been reached',
    );
    await control(id, 'resume');
    const before = stopped.meta.progress?.done ?? 0;
    await waitForRun(place.pool, id, ({ meta }) => (meta.progress?.done ?? 0) > before);
    await control(id, 'stop');
    await waitForRun(place.pool, id);
  });

  it('pauses, leaves its slots to others, and resumes', async () => {
    await place.work();
    const experiment = await start({ settings: long });
    await waitForRun(place.pool, experiment.id, isSampling);
    await control(experiment.id, 'pause');
    const areAllPaused = async () =>
      (await listChains(place.pool, experiment.id)).every(({ state }) => state === 'paused');
    while (!(await areAllPaused())) await new Promise((resolve) => setTimeout(resolve, 15));
    await expect(control(experiment.id, 'pause')).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    const other = await start({ settings: short });
    await waitForRun(place.pool, other.id);
    const paused = await waitForRun(place.pool, experiment.id, () => true);
    expect(paused).toMatchObject({ status: 'RUN', meta: { action: 'paused' } });
    await control(experiment.id, 'resume');
    expect(await waitForRun(place.pool, experiment.id)).toMatchObject({
      status: 'FIN',
      n_samples: 8_000,
    });
  });

  it('may have chains of different lengths, which summary, progress and files count alike', async () => {
    await place.work();
    const three = long.replace('num_chains: 2', 'num_chains: 3');
    const { id } = await start({ settings: three });
    await waitForRun(place.pool, id, isSampling);
    await control(id, 'stop');
    const { status, meta, n_samples, n_chains } = await waitForRun(place.pool, id);
    expect(status).toBe('FIN');
    const draws = await readDraws(place.pool, { experimentId: id, variables: ['mu'] });
    const stored = [1, 2, 3].map((n) => {
      const segment = draws.find(({ name }) => name === `chain#${n}`);
      return [`chain#${n}`, segment?.values.length ?? 0] as const;
    });
    // two places: the third chain never began
    expect(stored[2]).toEqual(['chain#3', 0]);
    // whichever of the two was sampling first
    expect(Math.max(stored[0][1], stored[1][1])).toBeGreaterThan(0);
    const summary = (await findSummary(place.pool, id)) as Summary;
    expect(summary.chains.map((chain) => [chain.name, chain.n_samples])).toEqual(stored);
    expect(meta.progress?.chains.map((chain) => [chain.name, chain.draws])).toEqual(stored);
    const withDraws = stored.filter(([, count]) => count > 0);
    expect([n_chains, n_samples]).toEqual([
      withDraws.length,
      Math.min(...withDraws.map(([, count]) => count)),
    ]);
    const request = { pool: place.pool, draws: { experimentId: id, bounds: null } };
    const files = await listExportChains({ ...request, numIterations: 0 } as ExportRequest);
    expect(files.map((chain) => [chain.name, chain.length])).toEqual(withDraws);
  });

  it('can be stopped before it starts', async () => {
    const experiment = await start({ settings: short });
    await control(experiment.id, 'stop');
    await place.work();
    expect(await waitForRun(place.pool, experiment.id)).toMatchObject({
      status: 'FIN',
      n_samples: 0,
      meta: { action: 'stopped' },
    });
  });
});

describe('a worker that stops', { timeout: 120_000 }, () => {
  it('returns its chains to the queue, and the next worker completes the same draws', async () => {
    await place.work();
    const experiment = await start({ settings: long });
    await waitForRun(place.pool, experiment.id, isSampling);
    await place.stopWork();
    const chains = await listChains(place.pool, experiment.id);
    expect(chains.map((chain) => chain.state)).toEqual(['queued', 'queued']);
    await place.work();
    await waitForRun(place.pool, experiment.id);
    const whole = await start({ settings: long });
    await waitForRun(place.pool, whole.id);
    expect(await valuesOf(experiment.id)).toEqual(await valuesOf(whole.id));
    expect((await listChains(place.pool, experiment.id)).every((chain) => chain.lease >= 2)).toBe(
      true,
    );
  });
});
