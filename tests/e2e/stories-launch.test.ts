/** Experiments before they run and side by side: launching, importing, the list, comparing. */
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { makeModel, runGalleryModel, runModel } from './runs.ts';
import { choose, downloadBy, leave, schemes, setStage, tinyRun, undo } from './story.ts';

const program = `data { int<lower=0> N; vector[N] y; }
parameters { real mu; }
model { mu ~ normal(0, 10); y ~ normal(mu, 1); }
`;
let model = '';
const runs: string[] = [];

const stage = setStage(async ({ served, create }) => {
  model = await makeModel(served, 'Mean of y', program);
  await create({ object_type: 'data', name: 'short.json', data: '{"N": 3, "y": [1, 2]}' });
  await create({ object_type: 'data', name: 'good.json', data: '{"N": 3, "y": [1, 2, 3]}' });
  runs.push(await runGalleryModel(served, 'eight-schools', tinyRun));
  runs.push(await runGalleryModel(served, 'eight-schools', { ...tinyRun, adapt_delta: 0.95 }));
});
const fixture = (name: string) =>
  fileURLToPath(new URL(`../fixtures/posterior/${name}`, import.meta.url));

/** Each variable is named once, and each run has its interval, mean, sd, R-hat and ESS in one line. */
async function expectOneLabelPerPair(page: Page): Promise<void> {
  const table = page.getByRole('region', { name: 'Intervals side by side' });
  await table.getByRole('rowheader', { name: 'mu', exact: true }).waitFor();
  const names = await table.getByRole('rowheader').allInnerTexts();
  expect(new Set(names).size).toBe(names.length);
  const rows = table.locator('tbody tr');
  expect(await rows.count()).toBe(2 * names.length);
  const place = (part: string, row: number) => rows.nth(row).locator(part).boundingBox();
  for (const row of [0, 1]) {
    const texts = await rows.nth(row).getByRole('cell').allInnerTexts();
    expect(texts[0]).toBe(row === 0 ? 'A' : 'B');
    expect(texts[1]).toMatch(/ to .+, median /);
    expect(texts.slice(2)).toHaveLength(5);
    for (const text of texts.slice(2)) expect(text).toMatch(/\d/);
    const [interval, number] = [await place('td > svg', row), await place('td:last-child', row)];
    if (interval === null || number === null) throw new Error('a cell is not shown');
    expect(interval.width).toBeGreaterThan(100);
    const middle = interval.y + interval.height / 2;
    expect(middle).toBeGreaterThan(number.y);
    expect(middle).toBeLessThan(number.y + number.height);
  }
}

describe.each(schemes)('in %s', (scheme) => {
  it('data that do not fit are named, settings are validated, and the run starts', async () => {
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(`${stage.served.origin}/experiments/new`);
    await choose(page, page.getByRole('combobox', { name: 'Model' }), 'Mean of y');
    const run = page.getByRole('button', { name: 'Run', exact: true });
    await choose(page, page.getByRole('combobox', { name: 'Data' }), 'short.json');
    const row = page.getByRole('row').filter({ has: page.getByText('y', { exact: true }) });
    await row.getByLabel('does not fit').waitFor();
    await page.getByText(/Cannot run/).waitFor();
    expect(await run.isDisabled()).toBe(true);
    await choose(page, page.getByRole('combobox', { name: 'Data' }), 'good.json');
    await row.getByLabel('fits', { exact: true }).waitFor();

    await page.getByRole('button', { name: /^Advanced/ }).click();
    await page.getByRole('textbox', { name: 'Thin' }).fill('0');
    await page.getByText(/^Must be/).waitFor();
    expect(await run.isDisabled()).toBe(true);
    await page.getByRole('textbox', { name: 'Thin' }).fill('2');
    await choose(page, page.getByRole('combobox', { name: 'Metric' }), 'dense');
    await page.getByRole('textbox', { name: 'Warmup' }).fill('100');
    await page.getByRole('textbox', { name: 'Samples' }).fill('100');
    await page.getByText('200', { exact: true }).first().waitFor();
    await run.click();
    await page.waitForURL(/\/experiments\/X/);
    await page.getByText('Finished', { exact: true }).waitFor({ timeout: 60_000 });
    await page.getByRole('tab', { name: 'Run info' }).click();
    const settings = page.getByRole('region', { name: 'Settings as run' });
    expect(await settings.innerText()).toMatch(/dense/);

    await page.goto(`${stage.served.origin}/experiments/new?model=${model}`);
    // the form starts with the settings of the model's last run
    const samples = page.getByRole('textbox', { name: 'Samples' });
    await expect.poll(() => samples.inputValue()).toBe('100');
    await leave(visitor);
  });

  it('draws of CmdStan become an experiment with the same pages', async () => {
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(`${stage.served.origin}/experiments/new?way=import`);
    await page
      .getByLabel('Draws files')
      .setInputFiles([1, 2, 3, 4].map((n) => fixture(`bern${n}.csv`)));
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.waitForURL(/\/experiments\/X/);
    await page.getByText('Looks converged').first().waitFor();
    await page.getByRole('tab', { name: /Summary/ }).click();
    await page.getByRole('rowheader', { name: 'theta' }).waitFor();
    await leave(visitor);
  });

  it('the list is filtered by status, searched, saved as CSV, and its rows deleted with undo', async () => {
    await stage.create({ object_type: 'experiment', name: `Never run ${scheme}` });
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(`${stage.served.origin}/experiments`);
    const table = page.getByRole('table', { name: 'Experiments' });
    await table.getByRole('link', { name: `Never run ${scheme}` }).waitFor();
    await page
      .getByRole('radiogroup', { name: 'Status' })
      .getByText(/^Finished/)
      .click();
    await page.waitForURL(/status=FIN/);
    await table.getByRole('link', { name: `Never run ${scheme}` }).waitFor({ state: 'detached' });
    await table.getByRole('link', { name: 'Eight schools' }).first().waitFor();
    const saved = await downloadBy(page, () =>
      page.getByRole('button', { name: 'Export list' }).click(),
    );
    const lines = saved.bytes.toString('utf8').trimEnd().split('\r\n');
    expect(lines[0]).toMatch(/^id,name,model,model_id,workflow_id,status/);
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.slice(1).every((line) => line.includes(',FIN,'))).toBe(true);

    await page.goto(`${stage.served.origin}/experiments?q=Never%20run%20${scheme}`);
    await table.getByRole('checkbox', { name: `Select Never run ${scheme}` }).check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    await table.waitFor({ state: 'detached' });
    await undo(page, 'Deleted');
    await table.getByRole('link', { name: `Never run ${scheme}` }).waitFor();
    await leave(visitor);
  });

  it('two runs are selected and compared: settings, intervals, densities', async () => {
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(`${stage.served.origin}/experiments?q=Eight`);
    const boxes = page
      .getByRole('table', { name: 'Experiments' })
      .getByRole('checkbox', { name: 'Select Eight schools' });
    await boxes.nth(0).check();
    await boxes.nth(1).check();
    await page.getByRole('toolbar').getByRole('link', { name: 'Compare' }).click();
    await page.waitForURL(/\/experiments\/compare\?/);
    await page.getByRole('heading', { level: 1, name: 'Compare 2 experiments' }).waitFor();
    const cards = page.getByRole('list', { name: 'Compared experiments' });
    expect(await cards.getByRole('listitem').count()).toBe(2);
    await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
    await page
      .getByText(/adapt_delta|Target acceptance/)
      .first()
      .waitFor();
    await page.getByText('Same program: all files are identical.').waitFor();
    await page
      .getByRole('region', { name: 'Densities' })
      .locator('.js-plotly-plot')
      .first()
      .waitFor();
    await page.getByRole('region', { name: 'Differences by variable and experiment' }).waitFor();
    await expectOneLabelPerPair(page);
    // The choice of variables is remembered for the same models, in either order.
    const shown = page.getByRole('region', { name: 'Intervals side by side' });
    await choose(page, page.getByRole('combobox', { name: 'Variables' }), 'tau');
    await page.keyboard.press('Escape');
    await expect.poll(() => shown.getByRole('rowheader').allInnerTexts()).toEqual(['tau']);
    const ids = new URL(page.url()).searchParams.get('ids') ?? '';
    const reversed = ids.split(',').toReversed().join(',');
    await page.goto(`${stage.served.origin}/experiments/compare?ids=${reversed}`);
    await expect.poll(() => shown.getByRole('rowheader').allInnerTexts()).toEqual(['tau']);
    // The address includes it, so that a copied link does too.
    await page.waitForURL(/vars=/);
    await page.getByRole('region', { name: 'Checks and cost by experiment' }).waitFor();
    await page.getByRole('button', { name: 'Remove B from the comparison' }).click();
    await page.getByText('A comparison needs at least two experiments.').waitFor();
    await leave(visitor);
  });

  it('the differences between two programs are shown in the colours of the editor', async () => {
    const programs = ['parameters { real x; }\nmodel { x ~ normal(0, 1); }\n', ''];
    programs[1] = programs[0].replace('normal(0, 1)', 'student_t(3, 0, 1)');
    const ids: string[] = [];
    for (const [i, program] of programs.entries()) {
      const model = await makeModel(stage.served, `Prior ${i} ${scheme}`, program);
      ids.push(await runModel(stage.served, model, tinyRun));
    }
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(`${stage.served.origin}/experiments/compare?ids=${ids.join(',')}`);
    const code = page.getByRole('region', { name: /^Differences in / });
    const added = code.locator('tr[data-kind="added"]');
    const word = added.getByText('student_t', { exact: true });
    await word.waitFor();
    const colorOf = (locator: Locator) =>
      locator.evaluate((element) => getComputedStyle(element).color);
    const keyword = added.getByText('model', { exact: true });
    expect(new Set([await colorOf(word), await colorOf(keyword), await colorOf(added)]).size).toBe(
      3,
    );
    await leave(visitor);
  });

  it('the overview shows recent experiments and models', async () => {
    const visitor = await stage.person(scheme);
    const { page } = visitor;
    await page.getByRole('heading', { name: /^Recent experiments/ }).waitFor();
    await page.getByRole('link', { name: 'Eight schools' }).first().waitFor();
    await page.getByRole('heading', { name: /^Recent models/ }).waitFor();
    await page.getByRole('link', { name: 'Mean of y' }).first().waitFor();
    await leave(visitor);
  });
});
