/** Leave-one-out: observations with their data, moment matching, comparison of many values, and what shares show. */
import { describe, expect, it } from 'vitest';
import { outlierData, outlierProgram } from '../support/outlier-program.ts';
import { makeServedWorkflow, startServedRun, untilRun } from '../support/served-runs.ts';
import { expectNoSidewaysScroll } from './browser.ts';
import { leave, schemes, setStage } from './story.ts';

const settings = 'sampling: {seed: 3, num_chains: 4, num_warmup: 300, num_samples: 500}';
/** Each of the two large runs has 1 250 observations × 4 chains × 1 000 draws. */
const large = `data { int N; vector[N] y; }
parameters { real mu; }
model { y ~ normal(mu, 1); }
generated quantities {
  vector[N] log_lik;
  for (n in 1:N) log_lik[n] = normal_lpdf(y[n] | mu, 1);
}
`;
const largeData = { N: 1250, y: Array.from({ length: 1250 }, (_, i) => Math.sin(i)) };
const largeSettings = 'sampling: {seed: 3, num_chains: 4, num_warmup: 100, num_samples: 1000}';
const runs = { light: '', dark: '', plain: '', large: [] as string[] };

const stage = setStage(async ({ served }) => {
  const start = async (source: string, data: object, sampling = settings) => {
    const workflow = await makeServedWorkflow(served, {
      source,
      data: JSON.stringify(data),
      settings: sampling,
    });
    return startServedRun(served, workflow);
  };
  runs.light = await start(outlierProgram, outlierData);
  runs.dark = await start(outlierProgram, outlierData);
  runs.plain = await start(
    outlierProgram.replace('model { ', 'model { beta ~ normal(0, 5); '),
    outlierData,
  );
  runs.large = [
    await start(large, largeData, largeSettings),
    await start(large.replaceAll(', 1)', ', 1.5)'), largeData, largeSettings),
  ];
  for (const id of [runs.light, runs.dark, runs.plain]) await untilRun(served, id);
});

describe.each(schemes)('in %s', (scheme) => {
  it('observations are listed with their data, improved by moment matching, and shared', async () => {
    const visitor = await stage.person(scheme);
    const { page } = visitor;
    const objid = runs[scheme];
    const section = page.getByRole('region', { name: 'Leave-one-out', exact: true });
    const show = async (address: string) => {
      await page.goto(`${stage.served.origin}/${address}?tab=diagnostics`);
      await section.scrollIntoViewIfNeeded();
      await section.getByText(/^All: 24$/).click();
      await section.getByRole('table').waitFor();
      // a plot is drawn when it comes into view
      await section.getByRole('article').scrollIntoViewIfNeeded();
      await section.locator('.js-plotly-plot').waitFor();
    };
    await show(`experiments/${objid}`);
    const rowOf = (name: string) => section.getByRole('row', { name });
    expect(await rowOf('log_lik[24]').innerText()).toMatch(/2\s+\S*17$/);
    await section.getByRole('button', { name: 'y', exact: true }).click();
    expect(await section.getByRole('row').nth(1).innerText()).toMatch(/^log_lik\[1\]/);
    await section.getByRole('button', { name: 'y', exact: true }).click();
    expect(await section.getByRole('row').nth(1).innerText()).toMatch(/^log_lik\[24\]/);

    await section.getByRole('button', { name: 'Improve by moment matching' }).click();
    await section
      .getByText(/Moment matching moved the draws for \d+ of/)
      .waitFor({ timeout: 60_000 });
    await section.getByRole('button', { name: 'k before matching' }).waitFor();
    const before = await stage.create({
      object_type: 'share',
      objid,
      password: '',
      target_user: '',
    });
    await page.setViewportSize({ width: 360, height: 740 });
    await expectNoSidewaysScroll(page);
    await page.setViewportSize({ width: 1440, height: 900 });

    // a share without the data has k, but none of the data
    await show(`s/${objid}/${before}`);
    await section.getByText(/Moment matching moved the draws/).waitFor();
    const names = await section.getByRole('columnheader').allInnerTexts();
    expect(names).toEqual(['Observation', 'Pareto k', 'k before matching', 'elpd']);
    const withData = {
      object_type: 'share',
      objid,
      password: '',
      target_user: '',
      include: ['data'],
    };
    await show(`s/${objid}/${await stage.create(withData)}`);
    await section.getByRole('button', { name: 'x', exact: true }).waitFor();
    await page.goto(`${stage.served.origin}/experiments/compare?ids=${objid},${runs.plain}`);
    const card = page.getByRole('region', { name: 'Leave-one-out', exact: true });
    await card.scrollIntoViewIfNeeded();
    await card.getByText(/Observations improved by moment matching: \d+ of A\./).waitFor();
    await leave(visitor);
  });
});

describe('ten million values', () => {
  it('are read with progress, can be cancelled, and are compared once read', async () => {
    for (const id of runs.large) await untilRun(stage.served, id);
    const visitor = await stage.person('light');
    const { page } = visitor;
    const reading: string[] = [];
    const ended: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('log_lik')) reading.push(request.url());
    });
    page.on('requestfailed', (request) => {
      if (request.url().includes('log_lik')) ended.push(request.url());
    });
    await page.goto(`${stage.served.origin}/experiments/compare?ids=${runs.large.join(',')}`);
    const card = page.getByRole('region', { name: 'Leave-one-out', exact: true });
    await card.scrollIntoViewIfNeeded();
    await card.getByText('10.0 million values to load.').waitFor();
    expect(reading).toEqual([]);

    // the first requests are answered, the others are held until the computation is cancelled
    let passed = 0;
    await page.route(/log_lik/, async (route) => {
      if (++passed <= 4) await route.continue();
    });
    await card.getByRole('button', { name: 'Compute' }).click();
    await card.getByText(/^Reading 0\.[1-9] of 10\.0 million values…$/).waitFor();
    await expect.poll(() => reading.length, { timeout: 20_000 }).toBe(6);
    await card.getByRole('button', { name: 'Cancel' }).click();
    await card.getByRole('button', { name: 'Compute' }).waitFor();
    await expect.poll(() => ended.length, { timeout: 20_000 }).toBe(2);
    expect(reading).toHaveLength(6);
    expect(page.workers().filter((worker) => worker.url().includes('loo-worker'))).toEqual([]);
    await page.unrouteAll();

    // continues from what was read; then the thread computes, and the page keeps rendering
    await page.evaluate(() => {
      const counted = { frames: 0 };
      Object.assign(window, { counted });
      const count = () => {
        counted.frames += 1;
        requestAnimationFrame(count);
      };
      requestAnimationFrame(count);
    });
    await card.getByRole('button', { name: 'Compute' }).click();
    await card
      .getByText(/^Computing [\d\u202f]+ of 2\u202f500 observations…$/)
      .waitFor({ timeout: 60_000 });
    const numThreads = () =>
      page.workers().filter((worker) => worker.url().includes('loo-worker')).length;
    await expect.poll(numThreads, { timeout: 20_000 }).toBe(1);
    const framesNow = () =>
      page.evaluate(() => (window as unknown as { counted: { frames: number } }).counted.frames);
    const frames = await framesNow();
    await expect.poll(framesNow, { timeout: 20_000 }).toBeGreaterThan(frames + 10);
    await card.getByRole('button', { name: 'Cancel' }).click();
    await card.getByRole('button', { name: 'Compute' }).waitFor();
    await expect.poll(numThreads, { timeout: 20_000 }).toBe(0);

    await card.getByRole('button', { name: 'Compute' }).click();
    await card.getByRole('table').waitFor({ timeout: 120_000 });
    expect(await card.getByRole('row').count()).toBe(3);
    // no draw is read twice except those whose request was cancelled
    expect(new Set(reading).size).toBeGreaterThanOrEqual(reading.length - ended.length);
    await leave(visitor);
  }, 240_000);
});

describe.each(schemes)('the log density at a point, in %s', (scheme) => {
  it('is computed on both scales, and an invalid point is explained', async () => {
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(`${stage.served.origin}/experiments/${runs.plain}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Log density at a point' }).click();
    const dialog = page.getByRole('dialog', { name: 'Log density at a point' });
    const field = dialog.getByRole('textbox');
    await expect.poll(() => field.inputValue(), { timeout: 20_000 }).toContain('"sigma"');
    await dialog.getByRole('button', { name: 'Compute' }).click();
    const table = dialog.getByRole('region', { name: 'Gradient by free value' });
    await table.waitFor();
    expect(await table.getByRole('rowheader').allInnerTexts()).toEqual([
      'beta.1',
      'beta.2',
      'beta.3',
      'beta.4',
      'sigma',
    ]);
    const lp = await dialog.locator('dd').first().innerText();
    await dialog.getByText('Unconstrained vector').first().click();
    await dialog.getByRole('button', { name: 'Compute' }).click();
    await expect.poll(() => dialog.locator('dd').first().innerText(), { timeout: 20_000 }).toBe(lp);
    await field.fill('[1, 2]');
    await dialog.getByRole('button', { name: 'Compute' }).click();
    await dialog.getByText('The program has 5 free values, but the point has 2.').waitFor();
    await field.fill('[1, 2');
    await dialog.getByText('This is not valid JSON of that form.').waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    await expectNoSidewaysScroll(page);
    visitor.problems.length = 0;
    await leave(visitor);
  });
});
