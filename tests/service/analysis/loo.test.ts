/** Leave-one-out with rows of data, and predictive checks by group: in the plotting function, reports and shares. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analyse } from '../../../src/service/analysis/analyse.handler.ts';
import { defaultAnalyzerId, plotFunctionId } from '../../../src/service/analysis/analysis-ids.ts';
import { findExperiment, updateExperiment } from '../../../src/service/repositories/experiments.ts';
import { addShare } from '../../support/objects.ts';
import type { Person } from '../../support/service.ts';
import { createFunctionService, type FunctionService } from '../functions/function-service.ts';
import { type AnalysedRun, addAnalysedRun, observedData } from './analysed-run.ts';

let service: FunctionService;
let ada: Person;
let bob: Person;
let run: AnalysedRun;
let bare: AnalysedRun;

beforeAll(async () => {
  service = await createFunctionService();
  await service.queue.work('analyse', ({ analysisId }) => analyse(service.context, analysisId));
  ada = await service.addPerson('ada');
  bob = await service.addPerson('bob');
  run = await addAnalysedRun(service, ada, 'With data', 'lprior', true);
  bare = await addAnalysedRun(service, ada, 'Without');
});
afterAll(() => service.close());

interface Plot {
  readonly name: string;
  readonly data: readonly Record<string, unknown>[];
}
interface Answer {
  readonly notes: readonly string[];
  readonly plots: readonly Plot[];
}

async function call<T>(target: string, parameters: Record<string, unknown>, person = ada) {
  const answer = await person.client.invoke({
    body: {
      target,
      action: 'run',
      parameters: { experiment_id: run.experiment, ...parameters },
      get_response: true,
    },
  });
  return answer.cloudfunction_response as T;
}
const plot = (parameters: Record<string, unknown>, person = ada) =>
  call<Answer>(plotFunctionId, parameters, person);
const reportOn = (experiment_id: string, person = ada) =>
  call<string>(defaultAnalyzerId, { experiment_id }, person).then(String);

/** As moment matching leaves it. */
async function setMatch(observations: unknown): Promise<void> {
  const row = await findExperiment(service.database.pool, run.experiment);
  if (row === null) throw new Error('no run');
  const moment_match =
    observations === null
      ? null
      : { state: 'done', done: 1, total: 1, observations, revision: row.revision };
  await updateExperiment(service.database.pool, row.id, { meta: { moment_match } });
}

const pointsOf = (answer: Answer) =>
  answer.plots[0].data.flatMap(({ text, customdata, y }) =>
    (text as string[]).map((name, i) => ({
      name,
      row: (customdata as string[] | undefined)?.[i],
      k: (y as number[])[i],
    })),
  );

describe('Pareto k by the plotting function', () => {
  it('shows the data row of each observation, and none for a run without data', async () => {
    const points = pointsOf(await plot({ plot_func: 'pareto_k' }));
    expect(points).toHaveLength(12);
    const third = points.find(({ name }) => name === 'log_lik[3]');
    expect(third?.row).toBe('y −1.7 · county 1');
    const plain = pointsOf(await plot({ plot_func: 'khat', experiment_id: bare.experiment }));
    expect(plain.map(({ row }) => row)).toEqual(Array(12).fill(undefined));
  });

  it('shows data in a share only if the share includes them', async () => {
    const shareOf = (include: ('program' | 'data')[]) =>
      addShare(ada.client, { objid: run.experiment, target_user: bob.username, include });
    const closed = await shareOf(['program']);
    const asked = (share: { short_id: string }) =>
      plot({ plot_func: 'pareto_k', share_id: share.short_id }, bob);
    expect(pointsOf(await asked(closed)).every(({ row }) => row === undefined)).toBe(true);
    expect(pointsOf(await asked(await shareOf(['data'])))[0].row).toContain('y −');
  });

  it('shows the result of moment matching, and in a share the result when it was made', async () => {
    const kOf = async (share_id = '', person = ada) =>
      pointsOf(await plot({ plot_func: 'pareto_k', share_id }, person)).find(
        ({ name }) => name === 'log_lik[2]',
      )?.k;
    const before = await kOf();
    const early = await addShare(ada.client, {
      objid: run.experiment,
      target_user: bob.username,
    });
    await setMatch([
      { variable: 'log_lik[2]', pareto_k_before: 0.9, pareto_k: 0.123, elpd_loo: -2, moves: 2 },
      { variable: 'log_lik[3]', pareto_k_before: 0.9, pareto_k: 0.9, elpd_loo: -2, moves: 0 },
    ]);
    expect(await kOf()).toBe(0.123);
    const late = await addShare(ada.client, { objid: run.experiment, target_user: bob.username });
    await setMatch(null);
    expect(await kOf()).toBe(before);
    expect(await kOf(early.short_id, bob)).toBe(before);
    expect(await kOf(late.short_id, bob)).toBe(0.123);
  });
});

describe('predictive checks by group', () => {
  it('are one plot per value of the variable, with only the observations of that value', async () => {
    const { plots } = await plot({ plot_func: 'ppc_ecdf', plot_group: 'county' });
    expect(plots.map(({ name }) => name)).toEqual(['y_rep, y, county 1', 'y_rep, y, county 2']);
    const observedOf = ({ data }: Plot) => data.find(({ name }) => name === 'y')?.x;
    expect(observedOf(plots[0])).toEqual(observedData.y.slice(0, 7).toSorted((a, b) => a - b));
    expect(observedOf(plots[1])).toEqual(observedData.y.slice(7).toSorted((a, b) => a - b));
    const view = await ada.client.viewObject({
      params: { objid: run.experiment },
      query: { plot_func: 'ppc', plot_group: 'county' },
    });
    if (view.object_type !== 'experiment.plot') throw new Error('no plot');
    expect((view.data as Answer).plots).toHaveLength(2);
  });

  it('list the variables that group the observations when another is requested', async () => {
    await expect(plot({ plot_func: 'ppc', plot_group: 'town' })).rejects.toThrow(
      'parameters.plot_group names town, which does not divide the observations into groups; these do: county.',
    );
  });
});

describe('a report', () => {
  it('has the checks by group, and the unreliable observations with their data', async () => {
    const draws = await setMatch([
      { variable: 'log_lik[2]', pareto_k_before: 0.9, pareto_k: 0.12, elpd_loo: -2, moves: 2 },
    ]);
    expect(draws).toBeUndefined();
    const page = await reportOn(run.experiment);
    expect(page).toContain('<h3>By <code>county</code></h3>');
    expect(page).toContain('Densities, county 1');
    expect(page).toContain('Observations improved by moment matching: 1.');
    expect(page).toMatch(/<td>log_lik\[2\]<\/td><td>0\.12<\/td><td>[−\d.]+<\/td>.*<td>−1\.65/);
    expect(page).toMatch(/<th scope="col">k before matching<\/th>.*<th scope="col">county<\/th>/);
    const plain = await reportOn(bare.experiment);
    expect(plain).not.toContain('<h3>By');
    await setMatch(null);
  });

  it('in a share without data shows no data', async () => {
    await setMatch([
      { variable: 'log_lik[2]', pareto_k_before: 0.9, pareto_k: 0.12, elpd_loo: -2, moves: 2 },
    ]);
    await ada.client.invoke({ body: { target: run.workflow, action: 'run_analyze' } });
    await service.queue.drain();
    const share = await addShare(ada.client, {
      objid: run.experiment,
      target_user: bob.username,
      include: ['program'],
    });
    const view = await bob.client.viewObject({
      params: { objid: run.experiment },
      query: { 'view-analyzer': true, share_id: share.short_id },
    });
    if (view.object_type !== 'workflow.analyzer') throw new Error('no report');
    const { pathname, search } = new URL(view.url);
    const answer = await service.inject({ method: 'GET', url: pathname + search });
    const page = answer.body;
    expect(page).toContain('Leave-one-out');
    expect(page).not.toContain('county');
  });
});

describe('draws that are not from the posterior', () => {
  it('of an optimum have neither leave-one-out nor predictive checks', async () => {
    const { experiment } = await addAnalysedRun(service, ada, 'Mode', 'lprior', true, [
      'converged__',
    ]);
    const reason = 'an optimum is one point, not draws from the posterior';
    for (const plot_func of ['loo', 'khat', 'ppc', 'loo_pit'])
      await expect(plot({ plot_func, experiment_id: experiment })).rejects.toThrow(
        `This plot is not possible: ${reason}.`,
      );
    const page = await reportOn(experiment);
    expect(page).not.toMatch(/elpd_loo|Predictive checks|<h2>Sensitivity|Limits: R-hat|Trace of/);
    expect(page).toContain(`<li>No leave-one-out: ${reason}.</li>`);
    expect(page).toContain(`<li>No predictive checks: ${reason}.</li>`);
  });

  it('of an approximation have predictive checks, but nothing that needs leave-one-out', async () => {
    const { experiment } = await addAnalysedRun(service, ada, 'Laplace', 'lprior', true, [
      'log_p__',
      'log_q__',
    ]);
    const reason =
      'these draws are an approximation, which leave-one-out would take for the posterior';
    for (const plot_func of ['pareto_k', 'loo_pit'])
      await expect(plot({ plot_func, experiment_id: experiment })).rejects.toThrow(reason);
    expect((await plot({ plot_func: 'ppc', experiment_id: experiment })).plots).toHaveLength(1);
    const page = await reportOn(experiment);
    expect(page).not.toMatch(/elpd_loo|LOO-PIT of|Limits: R-hat/);
    expect(page).toContain(`<li>No leave-one-out: ${reason}.</li>`);
    expect(page).toContain('<h2>Predictive checks</h2>');
  });
});
