/** An algorithm other than NUTS: the launch form shows only its settings, and its result is judged for what it is. */
import { describe, expect, it } from 'vitest';
import { makeModel, runModel } from './runs.ts';
import { choose, leave, pickSegment, schemes, setStage, tinyRun } from './story.ts';

const program = `data { int<lower=0> N; vector[N] y; }
parameters { real mu; real<lower=0> sigma; }
model { mu ~ normal(0, 10); sigma ~ normal(0, 5); y ~ normal(mu, sigma); }
generated quantities { real rep = normal_rng(mu, sigma); }
`;
let data = '';

const stage = setStage(async ({ create }) => {
  const y = Array.from({ length: 30 }, (_, i) => 4 + Math.sin(i));
  data = await create({
    object_type: 'data',
    name: 'y.json',
    data: JSON.stringify({ N: 30, y }),
  });
});

describe.each(schemes)('in %s', (scheme) => {
  it.each([
    { algorithm: 'Pathfinder', own: 'Paths', says: /^Good approximation: Pareto k [\d.]+\.$/ },
    {
      algorithm: 'Optimize (L-BFGS)',
      own: 'Max iterations',
      says: /^A point estimate: no uncertainty\.$/,
    },
  ])('$algorithm shows its settings, runs, and gets a verdict of its own kind', async (chosen) => {
    const width = scheme === 'dark' ? 360 : 1440;
    const visitor = await stage.person(scheme, { width, height: 900 });
    const { page } = visitor;
    const { origin } = stage.served;
    // a separate model: the form starts with the settings of the model's last run
    const model = await makeModel(stage.served, 'Spread of y', program);
    await page.goto(`${origin}/experiments/new?model=${model}&data=${data}`);
    const field = page.getByRole('combobox', { name: 'Algorithm' });
    await page.getByRole('textbox', { name: 'Target acceptance' }).waitFor();
    await choose(page, field, chosen.algorithm);
    await page.getByRole('textbox', { name: chosen.own, exact: true }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Target acceptance' }).count()).toBe(0);
    expect(await page.getByRole('textbox', { name: 'Warmup' }).count()).toBe(0);
    expect(await page.getByRole('textbox', { name: 'Chains', exact: true }).inputValue()).toBe('1');
    const hasSamples = chosen.algorithm === 'Pathfinder';
    expect(await page.getByRole('textbox', { name: 'Samples' }).count()).toBe(hasSamples ? 1 : 0);
    await page.getByRole('button', { name: /^Advanced/ }).click();
    await page.getByRole('textbox', { name: 'Tolerance, gradient' }).waitFor();
    const iterations = page.getByRole('textbox', { name: 'Max iterations' });
    await iterations.fill('0');
    await page.getByText('Must be a whole number from 1 to 100000000.', { exact: true }).waitFor();
    await iterations.fill('900');
    await page.getByRole('textbox', { name: 'Seed' }).fill('5');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.waitForURL(/\/experiments\/X/);
    const verdict = page.getByRole('region', { name: 'Verdict' }).getByRole('status');
    await expect.poll(() => verdict.innerText(), { timeout: 60_000 }).toMatch(chosen.says);
    // an optimum is one point, and other draws have no meaningful order: the page opens on the summary
    await page.getByRole('tab', { name: /^Summary/, selected: true }).waitFor();
    expect(await page.getByRole('tab', { name: 'Traces' }).count()).toBe(0);
    const hasFigures = chosen.algorithm === 'Pathfinder';
    expect(await page.getByRole('tab', { name: 'Posterior' }).count()).toBe(hasFigures ? 1 : 0);
    await page.goto(`${origin}/experiments`);
    await page
      .getByText(/Pareto k|point estimate/)
      .first()
      .waitFor();
    await leave(visitor);
  });

  it('new quantities are computed at the draws of a finished run, after editing the program', async () => {
    const width = scheme === 'dark' ? 360 : 1440;
    const visitor = await stage.person(scheme, { width, height: 900 });
    const { page } = visitor;
    const { origin } = stage.served;
    const source = 'parameters { real mu; } model { mu ~ normal(3, 1); }';
    const model = await makeModel(stage.served, 'One mean', `${source}\n`);
    const finished = await runModel(stage.served, model, { ...tinyRun, num_chains: 2 });
    await page.goto(`${origin}/experiments/${finished}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'New quantities' }).click();
    await page.waitForURL(/\/models\/M/);
    await page.locator('.monaco-editor .view-lines').first().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText('generated quantities { real twice = 2 * mu; }');
    if (width === 360) await pickSegment(page, 'Part of the editor', 'Run');
    const from = page.getByRole('textbox', { name: 'Draws of run' });
    expect(await from.inputValue()).toBe(finished);
    expect(await page.getByRole('textbox', { name: 'Chains', exact: true }).count()).toBe(0);
    await from.fill('');
    await page.getByText('Must be the id of a finished run.', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Save and run' }).isDisabled()).toBe(true);
    await from.fill(finished);
    await page.getByRole('button', { name: 'Save and run' }).click();
    await page.waitForURL(/\/experiments\/X/);
    await page.getByRole('link', { name: finished }).waitFor();
    const verdict = page.getByRole('region', { name: 'Verdict' });
    await verdict
      .getByText('The draws are those of the finished run', { exact: false })
      .waitFor({ timeout: 60_000 });
    await page.getByRole('tab', { name: /^Summary/ }).click();
    await page.getByText('twice', { exact: true }).first().waitFor();
    expect(await page.getByRole('button', { name: 'More draws' }).count()).toBe(0);
    await leave(visitor);
  });
});
