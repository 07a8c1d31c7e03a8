import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plotFunctionId } from '../../../src/service/analysis/analysis-ids.ts';
import { plotNames } from '../../../src/service/analysis/plot-kinds.ts';
import { addShare, codeOf } from '../../support/objects.ts';
import { createTestService, type Person, type TestService } from '../../support/service.ts';
import { type AnalysedRun, addAnalysedRun } from './analysed-run.ts';

let service: TestService;
let ada: Person;
let bob: Person;
let run: AnalysedRun;

beforeAll(async () => {
  service = await createTestService();
  ada = await service.addPerson('ada');
  bob = await service.addPerson('bob');
  run = await addAnalysedRun(service, ada, 'Eight <b>schools</b>', 'lprior', true);
});
afterAll(() => service.close());

interface Answer {
  return_type: string;
  notes: string[];
  plots: { name: string; data: { name: string; x: number[] }[]; layout: object }[];
  svg: string;
  html: string;
  base64: string;
  width: number;
  height: number;
}
async function plot(parameters: Record<string, unknown>, client = ada.client): Promise<Answer> {
  const answer = await client.invoke({
    body: {
      target: plotFunctionId,
      action: 'run',
      parameters: { experiment_id: run.experiment, ...parameters },
      get_response: true,
    },
  });
  return answer.cloudfunction_response as Answer;
}

describe('the plotting function', () => {
  it('is found by its tags', async () => {
    const { objects } = await ada.client.listObjects({
      query: { object_type: 'model', tags: ['builtin'] },
    });
    expect(objects.map(({ short_id }) => short_id)).toContain(plotFunctionId);
  });

  it.each(plotNames)('draws %s as Plotly’s JSON', async (name) => {
    const answer = await plot({ plot_func: name });
    expect(answer.return_type).toBe('plotly');
    expect(answer.plots.length).toBeGreaterThan(0);
    for (const { data, layout } of answer.plots) {
      expect(data.length).toBeGreaterThan(0);
      expect(layout).toHaveProperty('xaxis');
    }
  });

  it('finds the log densities for a sensitivity plot, and names the one a run lacks', async () => {
    const answer = await plot({ plot_func: 'sensitivity', plot_var: ['mu', 'tau'] });
    expect(answer.plots).toHaveLength(1);
    expect(answer.notes.join()).toMatch(/sensitive|conflict|prior/);
    const other = await addAnalysedRun(service, ada, 'Without priors', 'log_prior');
    await expect(
      plot({ plot_func: 'sensitivity', experiment_id: other.experiment }),
    ).rejects.toThrow(/no variable lprior/);
  });

  it('accepts names with the prefix plot_, and the names of other tools', async () => {
    const [plain, prefixed, other] = [
      await plot({ plot_func: 'autocorr', plot_var: 'mu' }),
      await plot({ plot_func: 'plot_autocorr', plot_var: 'mu' }),
      await plot({ plot_func: 'plot_acf', plot_var: 'mu' }),
    ];
    expect(prefixed).toEqual(plain);
    expect(other).toEqual(plain);
  });

  it('selects variables by name or array, chains by name or number, and the first iterations', async () => {
    const { plots } = await plot({
      plot_func: 'trace',
      plot_var: 'theta, mu',
      plot_chain: ['2'],
      n_iteration: '50',
    });
    expect(plots.map(({ name }) => name)).toEqual(['theta[1]', 'theta[2]', 'mu']);
    const [line] = plots[0].data;
    expect(line.name).toBe('Chain 2');
    expect(line.x).toHaveLength(50);
    const byName = await plot({ plot_func: 'density', plot_var: 'mu', plot_chain: 'chain#1' });
    expect(byName.plots[0].data.map(({ name }) => name)).toEqual(['Chain 1']);
  });

  it('notes how many variables it leaves out', async () => {
    const { notes } = await plot({ plot_func: 'pair' });
    expect(notes[0]).toMatch(/^8 of 30 variables are shown/);
  });

  it('refuses an unknown plot with a list of the known ones, and other invalid parameters', async () => {
    await expect(plot({ plot_func: 'pie' })).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
      message: expect.stringMatching(/pie; the known plots are trace, running_mean, density/),
    });
    for (const wrong of [
      { experiment_id: '' },
      { plot_var: 'nothing' },
      { plot_chain: 'chain#9' },
      { n_iteration: -1 },
      { plot_var: [{}] },
      { experiment_id: run.workflow },
    ])
      expect(await codeOf(plot(wrong))).toMatch(/INVALID_PARAMETER|PERMISSION_DENIED/);
    expect(await codeOf(plot({ experiment_id: 'X0000000' }))).toBe('NOT_FOUND');
  });

  it('returns SVG, PNG and HTML, with hostile names escaped', async () => {
    const svg = await plot({ plot_func: 'forest', return_type: 'svg' });
    expect(svg.svg).toMatch(/^<svg xmlns/);
    expect(svg.svg).not.toContain('<img');
    expect(svg.svg).toContain('&lt;img');
    const page = await plot({ plot_func: 'trace', return_type: 'html' });
    // Attribute values hold names, which may be any text.
    const tags = page.html.replace(/"[^"]*"/g, '""').match(/<[^>]*>/g) ?? [];
    expect(tags[0]).toBe('<!doctype html>');
    expect(
      tags.filter((tag) => /^<(?:img|script|link|iframe|b)\b|\b(?:src|href|on\w+)=/.test(tag)),
    ).toEqual([]);
    expect(page.html.includes('url(http')).toBe(false);
    const png = await plot({ plot_func: 'density', plot_var: 'mu', return_type: 'png' });
    const bytes = Buffer.from(png.base64, 'base64');
    expect([...bytes.subarray(1, 4)]).toEqual([...Buffer.from('PNG')]);
    expect(bytes.readUInt32BE(16)).toBe(png.width);
    expect(png.width).toBe(1120);
  });

  it('limits the size of images of many variables', async () => {
    const png = await plot({ plot_func: 'trace', return_type: 'png' });
    expect(png.width * png.height).toBeLessThanOrEqual(24_100_000);
  });

  it('uses the default for an unknown return type', async () => {
    expect((await plot({ plot_var: 'mu', return_type: 'bokeh' })).return_type).toBe('plotly');
  });

  it('reads with the permissions of its caller', async () => {
    expect(await codeOf(plot({ plot_var: 'mu' }, bob.client))).toBe('PERMISSION_DENIED');
    const share = await addShare(ada.client, { objid: run.experiment, target_user: bob.username });
    const answer = await plot({ plot_var: 'mu', share_id: share.short_id }, bob.client);
    expect(answer.plots).toHaveLength(1);
  });
});
