/** A JAGS model from first line to verdict: its own settings, JAGS's message about a mistake, no mention of NUTS. */
import { describe, expect } from 'vitest';
import { itWith } from '../support/needs.ts';
import { fileOf } from './openings.ts';
import { choose, leave, schemes, setStage } from './story.ts';

const stage = setStage();
const normal = `model {
  for (i in 1:N) { y[i] ~ dnorm(mu, tau) }
  mu ~ dnorm(0, 1.0E-2)
  tau ~ dgamma(1, 1)
}
`;

async function sampledAndJudged(scheme: (typeof schemes)[number]): Promise<void> {
  const { create, served } = stage;
  const data = await create({
    object_type: 'data',
    name: 'five numbers',
    data: JSON.stringify({ N: 5, y: [1.2, 0.4, 2.2, 1.9, 0.7] }),
  });
  const modelOf = (name: string, source: string) =>
    create({
      object_type: 'model',
      name,
      env: 'jags',
      content: { meta: { entrance_file: 'model.jags' }, tree: [fileOf('model.jags', source)] },
    });
  const [model, wrong] = [
    await modelOf('A normal', normal),
    await modelOf('A mistake', normal.replace('dgamma', 'dgama')),
  ];
  const visitor = await stage.arrive(scheme);
  const { page } = visitor;

  await page.goto(`${served.origin}/models/new`);
  await page.getByText('Runtime, tags and entrance').click();
  await choose(page, page.getByRole('combobox', { name: 'Runtime' }), 'JAGS');
  await page.getByLabel('Name of the model').fill(`Blank ${scheme}`);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('treeitem', { name: 'model.jags' }).waitFor();
  await page.getByText('JAGS is checked when it runs').waitFor();

  const launch = async (id: string) => {
    await page.goto(`${served.origin}/experiments/new?model=${id}&data=${data}`);
    await page.getByRole('textbox', { name: 'Burn-in' }).fill('500');
    expect(await page.getByRole('textbox', { name: 'Target acceptance' }).count()).toBe(0);
    await page.getByRole('textbox', { name: 'Seed' }).fill('3');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.waitForURL(/\/experiments\/X/);
  };
  await launch(model);
  const verdict = page.getByRole('region', { name: 'Verdict' }).getByRole('status');
  await expect.poll(() => verdict.innerText(), { timeout: 60_000 }).toMatch(/^Looks converged/);
  await page.getByRole('tab', { name: 'Traces', selected: true }).waitFor();
  expect(await page.getByRole('checkbox', { name: 'Divergences' }).count()).toBe(0);
  await page.getByRole('tab', { name: 'Summary' }).click();
  await page.getByRole('table').getByText('tau', { exact: true }).waitFor();

  await launch(wrong);
  await page
    .getByText(/Compilation error on line 4.*Unknown distribution: dgama/i)
    .first()
    .waitFor();
  await leave(visitor);
}

describe.each(schemes)('in %s', (scheme) => {
  itWith('jags', 'a JAGS model is written, run and judged', () => sampledAndJudged(scheme));
});
