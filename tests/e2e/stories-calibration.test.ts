/** Calibration by simulation: launched from the form, watched, paused, judged, shared; what a program needs for it. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { rightPrograms, wrongPrograms } from '../support/calibration-programs.ts';
import { builtCli } from '../support/served.ts';
import { makeServedWorkflow, startServedRun, untilRun } from '../support/served-runs.ts';
import { expectNoSidewaysScroll } from './browser.ts';
import { makeModel } from './runs.ts';
import { choose, leave, schemes, setStage } from './story.ts';

const right = rightPrograms['normal with unknown mean and scale'];
const wrong = wrongPrograms['a likelihood with half the scale of the data'];
let data = '';
let bad = '';
let lacking = '';
const lackingProgram = `data { int<lower=0> N; vector[N] y; }
parameters { real mu; real<lower=0> sigma; }
model {
  mu ~ normal(0, 10);
  sigma ~ normal(0, 5);
  y ~ normal(mu, sigma);
}
`;

const stage = setStage(async ({ create, served }) => {
  data = await create({
    object_type: 'data',
    name: 'y.json',
    data: JSON.stringify(right?.data),
  });
  bad = await startServedRun(
    served,
    await makeServedWorkflow(served, {
      source: wrong?.source,
      data: JSON.stringify(wrong?.data),
      settings:
        'sampling: {algorithm: calibration, num_simulations: 24, num_warmup: 150, num_samples: 100, seed: 1}',
    }),
  );
  await untilRun(served, bad);
  lacking = await startServedRun(
    served,
    await makeServedWorkflow(served, {
      source: lackingProgram,
      data: '{"N": 2, "y": [1, 2]}',
      settings: 'sampling: {algorithm: calibration}',
    }),
  );
});

describe.each(schemes)('in %s', (scheme) => {
  it('a calibration is launched from the form, paused, resumed, and ends with its verdict', async () => {
    const width = scheme === 'dark' ? 360 : 1280;
    const visitor = await stage.person(scheme, { width, height: 900 });
    const { page } = visitor;
    const { origin } = stage.served;
    const model = await makeModel(stage.served, 'Spread of y', right?.source ?? '');
    await page.goto(`${origin}/experiments/new?model=${model}&data=${data}`);
    await page.getByRole('textbox', { name: 'Target acceptance' }).waitFor();
    await choose(
      page,
      page.getByRole('combobox', { name: 'Algorithm' }),
      'Calibration by simulation',
    );
    const simulations = page.getByRole('textbox', { name: 'Simulations' });
    expect(await simulations.inputValue()).toBe('100');
    expect(await page.getByRole('textbox', { name: 'Chains', exact: true }).count()).toBe(0);
    await simulations.fill('1001');
    await page.getByText('Must be a whole number from 1 to 1000.', { exact: true }).waitFor();
    await simulations.fill('26');
    await page.getByText('26 × 600').waitFor();
    await page.getByRole('button', { name: /^Advanced/ }).click();
    await page.getByRole('textbox', { name: 'Simulated data or values' }).fill('y: y_rep');
    await page.getByRole('textbox', { name: 'Seed' }).fill('2');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.waitForURL(/\/experiments\/X/);
    await page.getByRole('tab', { name: 'Calibration', selected: true }).waitFor();
    await page.getByText(/^[1-9]\d* of 26 simulations done/).waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).click();
    const verdict = page.getByRole('region', { name: 'Verdict' }).getByRole('status');
    await expect
      .poll(() => verdict.innerText(), { timeout: 120_000 })
      .toBe('No miscalibration found in 26 simulations.');
    for (const name of ['Traces', 'Summary', 'Posterior', 'Pairs'])
      expect(await page.getByRole('tab', { name }).count()).toBe(0);
    const card = page.getByRole('article', { name: 'Ranks of the true values of sigma' });
    await card.locator('.js-plotly-plot').waitFor();
    await card.getByText('Uniform').waitFor();
    const row = page.getByRole('row', { name: /^mu Uniform/ });
    expect(await row.getByRole('cell').count()).toBe(5);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Ranks (CSV)' }).click();
    const lines = fs
      .readFileSync(await (await saving).path(), 'utf8')
      .trim()
      .split('\n');
    expect(lines[0]).toBe('variable,chain,rank,draws,position,truth');
    expect(lines).toHaveLength(1 + 3 * 26);
    await expectNoSidewaysScroll(page);
    await leave(visitor);
  });

  it('a wrong program is detected, on the page and in a share', async () => {
    const visitor = await stage.person(scheme, { width: 1280, height: 720 });
    const { page } = visitor;
    const { origin } = stage.served;
    const share = await stage.create({
      object_type: 'share',
      objid: bad,
      password: '',
      target_user: '',
      include: [],
    });
    for (const address of [`/experiments/${bad}`, `/s/${bad}/${share}`]) {
      await page.goto(`${origin}${address}`);
      const verdict = page.getByRole('region', { name: 'Verdict' });
      await verdict
        .getByText(/^Posterior too high for sigma/)
        .first()
        .waitFor();
      const card = page.getByRole('article', { name: 'Ranks of the true values of sigma' });
      await card.getByText('Too high').waitFor();
      await card.locator('.js-plotly-plot').waitFor();
    }
    await leave(visitor);
  });

  it('what a program lacks is offered as a change, previewed and applied in the editor', async () => {
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(`${stage.served.origin}/experiments/${lacking}`);
    await page
      .getByRole('region', { name: 'Verdict' })
      .getByText('This program cannot simulate its data.')
      .waitFor();
    await page.getByRole('button', { name: 'Add y_rep, and the flag prior_only' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Apply in the editor').waitFor();
    await dialog.getByRole('link', { name: 'Apply in the editor' }).click();
    await page.waitForURL(/\/models\/M/);
    await page.getByText('generated quantities').first().waitFor();
    await leave(visitor);
  });
});

it('ranks and a report are exported by the command line', async () => {
  const { served, dataDir } = stage;
  const out = path.join(dataDir, 'ranks.csv');
  const args = ['export', bad, '--fmt', 'ranks', '--out', out, '--server', served.origin];
  const env = { ...process.env, ERGODIC_TOKEN: served.token };
  await promisify(execFile)(process.execPath, [builtCli, ...args], { env });
  const lines = fs.readFileSync(out, 'utf8').trim().split('\n');
  expect(lines).toHaveLength(1 + 3 * 24);
  expect(lines[1]).toMatch(/^lp__,chain#1,\d+,\d+,0\.\d+,/);
  const report = path.join(dataDir, 'report.html');
  await promisify(execFile)(
    process.execPath,
    [builtCli, 'export', bad, '--fmt', 'html', '--out', report, '--server', served.origin],
    { env },
  );
  const page = fs.readFileSync(report, 'utf8');
  expect(page).toContain('Not calibrated: this program does not recover what it simulates.');
  expect(page.match(/<svg/g)).toHaveLength(3);
  expect(page).toContain('<td class="bad">too high</td>');
});
