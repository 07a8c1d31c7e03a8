/** Which variables are shown first, in sections and remembered; dimension names from the data and by hand. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { readZip } from '../../src/formats/archive.ts';
import { makeModel, untilEnded } from './runs.ts';
import { downloadBy, leave, type Stage, setStage } from './story.ts';

/** A value for each of 400 observations, along with two slopes and an effect for each of three schools. */
const source = `data {
  int N; int J;
  array[N] int<lower=1, upper=J> school;
  vector[N] x; vector[N] y;
}
parameters { vector[2] beta; vector[J] theta; real<lower=0> sigma; }
transformed parameters { real slope = beta[2]; }
model {
  beta ~ normal(0, 1); theta ~ normal(0, 1); sigma ~ exponential(1);
  y ~ normal(beta[1] + beta[2] * x + theta[school], sigma);
}
generated quantities {
  array[N] real y_rep; vector[N] log_lik; real total;
  for (n in 1:N) {
    real mu = beta[1] + beta[2] * x[n] + theta[school[n]];
    y_rep[n] = normal_rng(mu, sigma);
    log_lik[n] = normal_lpdf(y[n] | mu, sigma);
  }
  total = sum(theta);
}
`;
const N = 400;
const steps = Array.from({ length: N }, (_, n) => n);
const data = {
  N,
  J: 3,
  school: steps.map((n) => (n % 3) + 1),
  x: steps.map((n) => Math.sin(n)),
  y: steps.map((n) => 0.5 * Math.sin(n) + Math.cos(7 * n)),
  meta__: { labels: { school: ['Ada', 'Byron', 'Curie'] } },
};

let run = '';
const stage = setStage(async ({ served, create }) => {
  run = await sample(await makeModel(served, 'Schools', source), { served, create });
});

async function sample(model: string, { served, create }: Pick<Stage, 'served' | 'create'>) {
  const input = await create({ object_type: 'data', name: 'Schools', data: JSON.stringify(data) });
  const workflow = await create({
    object_type: 'workflow',
    name: 'Schools',
    model_id: model,
    data_id: input,
  });
  const settings = 'sampling: {num_chains: 2, num_warmup: 150, num_samples: 100, seed: 3}\n';
  await served.call('POST', `/api/object/${workflow}`, {
    payload: { object_type: 'workflow', settings },
  });
  const made = await served.call('POST', '/invoke', {
    target: workflow,
    action: 'run_sample',
    get_response: true,
  });
  const { experiment_id } = made.data as { experiment_id: string };
  await untilEnded(served, experiment_id);
  return experiment_id;
}

const open = (page: Page, tab: string, search = '') =>
  page.goto(`${stage.served.origin}/experiments/${run}?tab=${tab}${search}`);

/** Names of the forest's rows, from the top. */
async function forestNames(page: Page): Promise<string[]> {
  const ticks = page.getByRole('article', { name: /^Intervals of/ }).locator('.ytick text');
  await expect.poll(() => ticks.count(), { timeout: 60_000 }).toBeGreaterThan(0);
  const tops = await ticks.evaluateAll((all) =>
    all.map((text) => ({ top: text.getBoundingClientRect().top, name: text.textContent ?? '' })),
  );
  return tops.toSorted((a, b) => a.top - b.top).map(({ name }) => name);
}

const labelled = ['theta[Ada]', 'theta[Byron]', 'theta[Curie]'];

describe('the default selection of variables', () => {
  it('is the parameters, with generated quantities folded, and a change is remembered for the model', async () => {
    const visitor = await stage.person('light');
    const { page } = visitor;
    await open(page, 'posterior', '&order=model');
    expect(await forestNames(page)).toEqual(['beta[1]', 'beta[2]', ...labelled, 'sigma', 'slope']);
    expect(await page.getByText(/more variables are not shown/).count()).toBe(0);
    const tree = page.getByRole('complementary', { name: 'Variables' });
    const sections = await tree
      .getByRole('region')
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
    expect(sections).toEqual([
      'Parameters',
      'Transformed parameters',
      'Generated quantities',
      'Log likelihood',
      'Replicated data',
      'Sampler',
    ]);
    expect(await tree.getByText('y_rep').count()).toBe(0);

    // All of one array, found by a search, and none of another.
    await tree.getByLabel('Filter variables').fill('theta');
    await tree
      .getByRole('checkbox', { name: /^theta/ })
      .first()
      .uncheck();
    await tree.getByLabel('Filter variables').fill('total');
    await tree.getByRole('checkbox', { name: 'total' }).check();
    await tree.getByLabel('Filter variables').fill('');
    await expect
      .poll(() => forestNames(page))
      .toEqual(['beta[1]', 'beta[2]', 'sigma', 'slope', 'total']);
    await open(page, 'posterior', '&order=model');
    await expect
      .poll(() => forestNames(page))
      .toEqual(['beta[1]', 'beta[2]', 'sigma', 'slope', 'total']);
    await leave(visitor);
  });

  it('has sections in the summary, with replicated data folded until opened or searched for', async () => {
    const visitor = await stage.person('dark');
    const { page } = visitor;
    await open(page, 'summary');
    const table = page.getByRole('table');
    const first = table.locator('tbody tr[data-section] + tr th').first();
    await expect.poll(() => first.textContent()).toBe('beta[1]');
    const folded = table.getByRole('button', { name: /Replicated data/ });
    await expect.poll(() => folded.getAttribute('aria-expanded')).toBe('false');
    expect(await folded.textContent()).toContain('400');
    expect(await table.getByRole('button', { name: 'y_rep[1]', exact: true }).count()).toBe(0);
    await folded.click();
    await table.getByRole('button', { name: 'y_rep[1]', exact: true }).waitFor();
    await folded.click();
    await page.getByLabel('Filter variables').fill('y_rep[7]');
    await table.getByRole('button', { name: 'y_rep[7]', exact: true }).waitFor();
    await leave(visitor);
  });

  it('in a share is what its owner saw', async () => {
    const visitor = await stage.person('light');
    const { page } = visitor;
    await open(page, 'traces', '&vars=["sigma"]');
    await page.getByRole('article', { name: 'Trace of sigma' }).waitFor();
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByText('Anyone with the link').click();
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByText('The link is ready.').waitFor();
    const list = await stage.served.call('GET', `/api/object?object_type=share`);
    const { objects } = list.data as { objects: { short_id: string }[] };
    await page.goto(`${stage.served.origin}/s/${run}/${objects[0].short_id}?tab=traces`);
    await page.getByRole('article', { name: 'Trace of sigma' }).waitFor();
    expect(await page.getByRole('article', { name: /^Trace of/ }).count()).toBe(1);
    await leave(visitor);
  });
});

describe('labels of dimensions', () => {
  it('come with the data, are found by name and label, and are edited with undo', async () => {
    const visitor = await stage.person('light');
    const { page } = visitor;
    await open(page, 'summary');
    const table = page.getByRole('table');
    const row = table.getByRole('button', { name: 'theta[Byron]' });
    await row.waitFor();
    expect(await row.getAttribute('title')).toContain('theta[2]');
    for (const search of ['theta[2]', 'byron']) {
      await page.getByLabel('Filter variables').fill(search);
      await expect
        .poll(() => table.locator('tbody th code').allTextContents())
        .toEqual(['theta[Byron]']);
    }
    await page.getByLabel('Filter variables').fill('');

    await page.getByRole('button', { name: 'Labels' }).click();
    const dialog = page.getByRole('dialog', { name: 'Dimension labels' });
    await dialog.getByRole('combobox', { name: 'Variable' }).click();
    await page.getByRole('option', { name: 'theta[3]' }).click();
    const lines = dialog.getByLabel('Labels of theta, one per line');
    expect(await lines.inputValue()).toBe('Ada\nByron\nCurie');
    await lines.fill('North\nSouth\nEast\nWest');
    await dialog.getByText('There are 4 lines for 3 elements.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await lines.fill('North\nSouth\nEast');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await table.getByRole('button', { name: 'theta[South]' }).waitFor();
    await table.getByRole('button', { name: 'theta[South]' }).click();
    await page.getByRole('complementary', { name: 'Plots of theta[South]' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await table.getByRole('button', { name: 'theta[Byron]' }).waitFor();
    await leave(visitor);
  });

  it('of a run sampled elsewhere are entered by hand, and appear in plots, report, files and a share', async () => {
    const id = await sampleElsewhere();
    const visitor = await stage.person('dark');
    const { page } = visitor;
    const at = (tab: string) => page.goto(`${stage.served.origin}/experiments/${id}?tab=${tab}`);
    await at('summary');
    const table = page.getByRole('table');
    await table.getByRole('button', { name: 'theta[2]/val' }).waitFor();
    await page.getByRole('button', { name: 'Labels' }).click();
    const dialog = page.getByRole('dialog', { name: 'Dimension labels' });
    await dialog.getByLabel('Name of the dimension of theta').fill('school');
    await dialog.getByLabel('Labels of theta, one per line').fill('Ada\nByron\nCurie');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await table.getByRole('button', { name: 'theta[Byron]/val' }).waitFor();
    await at('traces');
    await page.getByRole('article', { name: 'Trace of theta[Curie]/val' }).waitFor();
    await at('posterior');
    const ticks = page.getByRole('article', { name: /^Intervals of/ }).locator('.ytick text');
    await expect.poll(() => ticks.allTextContents()).toContain('theta[Ada]/val');
    await at('files');
    const zip = readZip(
      (
        await downloadBy(page, () =>
          page.getByRole('button', { name: 'Download: All plots' }).click(),
        )
      ).bytes,
    );
    if (!zip.ok) throw new Error(zip.error.message);
    expect(zip.value.files.map(({ path }) => path)).toContain('traces/theta[Byron]_val.svg');
    const share = await stage.create({ object_type: 'share', objid: id, target_user: '' });
    await page.goto(`${stage.served.origin}/s/${id}/${share}?tab=summary`);
    await page.getByRole('table').getByText('theta[Byron]/val').first().waitFor();
    await leave(visitor);
  });
});

/** As an outside runner sends it: three effects, and two chains that disagree in the second. */
async function sampleElsewhere(): Promise<string> {
  const { served, create } = stage;
  const id = await create({
    object_type: 'experiment',
    name: 'From elsewhere',
    meta: { status: 'RUN' },
  });
  const update = (payload: Record<string, unknown>) =>
    served.call('POST', `/api/object/${id}`, { payload });
  const batch = { batch_id: 'b', run_id: 'r' };
  const draws = (shift: number) => Array.from({ length: 120 }, (_, i) => Math.sin(7.3 * i) + shift);
  const columns = (second: number) => ({
    'theta[1]/val': draws(0),
    'theta[2]/val': draws(second),
    'theta[3]/val': draws(1),
    'mu/val': draws(2),
  });
  await update({ object_type: 'experiment', status: 'RUN', meta: { run_info: batch } });
  await update({
    object_type: 'experiment.protobuf_message',
    ...batch,
    logs: {
      vars: { 'chain#1': columns(0), 'chain#2': columns(9) },
      iteration: { 'chain#1': [1, 120, 1], 'chain#2': [1, 120, 1] },
    },
  });
  await update({ object_type: 'experiment', status: 'SAMPLE_FIN' });
  await untilEnded(served, id);
  return id;
}
