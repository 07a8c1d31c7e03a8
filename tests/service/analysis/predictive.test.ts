/** Predictive checks: from the plotting function, in reports, and in shares exactly when these include the data. */
import type { Group } from 'h5wasm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectKind } from '../../../src/client/expect-kind.ts';
import { sampledataSchema } from '../../../src/contract/experiment.ts';
import { draftName, loadHdf5 } from '../../../src/formats/hdf5.ts';
import { unpackTar } from '../../../src/formats/tar.ts';
import { analyse } from '../../../src/service/analysis/analyse.handler.ts';
import { defaultAnalyzerId, plotFunctionId } from '../../../src/service/analysis/analysis-ids.ts';
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

interface Answer {
  readonly notes: readonly string[];
  readonly plots: readonly {
    readonly name: string;
    readonly data: readonly { readonly name: string; readonly x: readonly number[] }[];
  }[];
}

async function plot(parameters: Record<string, unknown>, person = ada): Promise<Answer> {
  const answer = await person.client.invoke({
    body: {
      target: plotFunctionId,
      action: 'run',
      parameters: { experiment_id: run.experiment, plot_func: 'ppc', ...parameters },
      get_response: true,
    },
  });
  return answer.cloudfunction_response as Answer;
}

const get = (url: string) => service.inject({ method: 'GET', url: new URL(url).pathname });
const observedOf = (answer: Answer) => answer.plots[0].data.find(({ name }) => name === 'y');

describe('the plotting function', () => {
  it('finds y_rep and y by their names, and chooses the plot that suits the outcome', async () => {
    const answer = await plot({});
    expect(answer.plots.map(({ name }) => name)).toEqual(['y_rep, y']);
    expect(answer.notes.join()).toContain('50 of 600 draws of y_rep shown');
    expect(answer.plots[0].data.map(({ name }) => name)).toEqual(['y_rep', 'y']);
    const steps = observedOf(await plot({ plot_func: 'ppc_ecdf_overlay' }));
    expect(steps?.x).toEqual(observedData.y.toSorted((a, b) => a - b));
  });

  it('uses the variables that are named, and reports a run without replicated data', async () => {
    const { plots } = await plot({ plot_var: 'log_lik, y' });
    expect(plots[0].name).toBe('log_lik, y');
    await expect(plot({ experiment_id: bare.experiment })).rejects.toThrow(
      /no variable of the run is recognised as replicated data/,
    );
  });

  it('draws checks in a share only if the share includes the data', async () => {
    const shareOf = (include: readonly ('program' | 'data')[]) =>
      addShare(ada.client, {
        objid: run.experiment,
        target_user: bob.username,
        include: [...include],
      });
    const closed = await shareOf(['program']);
    for (const plot_func of ['ppc', 'ppc_stat', 'loo_pit'])
      await expect(plot({ plot_func, share_id: closed.short_id }, bob)).rejects.toThrow(
        /this share does not include the data/,
      );
    const open = await shareOf(['data']);
    expect(observedOf(await plot({ share_id: open.short_id }, bob))).toBeDefined();
  });
});

describe('the data of a run', () => {
  it('are at a signed address in the view of the owner, if there are any', async () => {
    const view = async (objid: string) =>
      expectKind(await ada.client.viewObject({ params: { objid } }), 'experiment');
    const { meta } = await view(run.experiment);
    expect((await get(meta?.data_path ?? '')).json()).toEqual(observedData);
    const payload = { object_type: 'experiment', name: 'Empty' } as const;
    const empty = expectKind(await ada.client.createObject({ body: { payload } }), 'experiment');
    expect((await view(empty.short_id)).meta?.data_path).toBeUndefined();
  });
});

describe('the report', () => {
  const head = '<h2>Predictive checks</h2>';

  it('has the checks if the run replicates its data', async () => {
    const answer = await ada.client.invoke({
      body: {
        target: defaultAnalyzerId,
        action: 'run',
        parameters: { experiment_id: run.experiment },
        get_response: true,
      },
    });
    const page = answer.cloudfunction_response as string;
    expect(page).toContain(head);
    for (const label of ['Densities', 'Test statistics', 'LOO-PIT'])
      expect(page).toContain(`aria-label="${label} of y and y_rep"`);
  });

  it('in a share has the checks only if the share includes the data', async () => {
    await ada.client.invoke({
      body: { target: run.workflow, action: 'run_analyze', get_response: false },
    });
    await service.queue.drain();
    const pageFor = async (include: ('program' | 'data')[]) => {
      const share = await addShare(ada.client, {
        objid: run.experiment,
        target_user: bob.username,
        include,
      });
      const view = await bob.client.viewObject({
        params: { objid: run.experiment },
        query: { 'view-analyzer': true, share_id: share.short_id },
      });
      return (await get((view as { url: string }).url)).body;
    };
    const whole = await pageFor(['data']);
    expect(whole).toContain(head);
    const cut = await pageFor([]);
    expect(cut).not.toContain(head);
    expect(cut).not.toContain('y and y_rep');
    expect(cut).toContain('this share does not include the data');
    // everything else remains
    expect(cut).toContain('<h2>Leave-one-out</h2>');
    expect(cut).toContain('<h2>Settings</h2>');
  });
});

describe('files for ArviZ', () => {
  /** Variables of the data in the file of the first chain, by group; null: no such group. */
  async function dataIn(by: Person, shareId = ''): Promise<Record<string, unknown>> {
    const query = { sampledata: true, fmt: 'arviz', share_id: shareId } as const;
    let answer = sampledataSchema.parse(
      await by.client.viewObject({ params: { objid: run.experiment }, query }),
    );
    while (answer.progress === 'generating')
      answer = sampledataSchema.parse(
        await by.client.viewObject({ params: { objid: run.experiment }, query }),
      );
    const tar = unpackTar((await get(answer.url ?? '')).rawPayload);
    if (!tar.ok) throw new Error(tar.error.message);
    const hdf5 = await loadHdf5();
    const name = draftName();
    hdf5.fs.writeFile(name, tar.value.files[0].bytes);
    const file = new hdf5.File(name, 'r');
    const groups = Object.fromEntries(
      ['observed_data', 'constant_data'].map((group) => {
        const found = file.get(group) as Group | null;
        return [group, found && found.keys().filter((key) => !key.includes('_dim_'))];
      }),
    );
    file.close();
    hdf5.fs.unlink(name);
    return groups;
  }

  it('hold the observed and the other data, for users who may see them', async () => {
    const { y, ...others } = observedData;
    expect(y).toBeDefined();
    const all = { observed_data: ['y'], constant_data: Object.keys(others) };
    expect(await dataIn(ada)).toEqual(all);
    for (const include of [['program'], ['data']] as const) {
      const share = await addShare(ada.client, {
        objid: run.experiment,
        target_user: bob.username,
        include: [...include],
      });
      const shown = await dataIn(bob, share.short_id);
      if (include[0] === 'data') expect(shown).toEqual(all);
      else expect(shown).toEqual({ observed_data: null, constant_data: null });
    }
  });
});
