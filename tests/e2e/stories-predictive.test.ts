/** The data next to what the model generates: on the page, by group, in shares, and from the prior alone. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { makeServedWorkflow, startServedRun, untilRun } from '../support/served-runs.ts';
import { expectNoSidewaysScroll } from './browser.ts';
import { leave, schemes, setStage } from './story.ts';

const program = (flag: string, guard: string) => `data {
  int N;
  vector[N] y;
  array[N] int site;
  array[N] int<lower=0> visits;${flag}
}
parameters { real mu; real<lower=0> sigma; real<lower=0> rate; }
model {
  mu ~ normal(10, 3);
  sigma ~ normal(0, 2.5);
  rate ~ normal(0, 5);
  ${guard}y ~ normal(mu, sigma);
  ${guard}visits ~ poisson(rate);
}
generated quantities {
  array[N] real y_rep;
  array[N] int visits_rep;
  vector[N] log_lik_y;
  for (n in 1:N) {
    y_rep[n] = normal_rng(mu, sigma);
    visits_rep[n] = poisson_rng(rate);
    log_lik_y[n] = normal_lpdf(y[n] | mu, sigma);
  }
}
`;
const plain = program('', '');
const flagged = program('\n  int<lower=0, upper=1> prior_only;', 'if (prior_only == 0) ');
/** One value far from the others, which a normal distribution does not generate. */
const y = [9.5, 10.2, 9.1, 9.9, 10.3, 10.9, 29.7, 10.3, 9.6, 9.9];
const data = {
  N: 20,
  y: [...y, ...y.map((value) => Math.min(10.4, value + 0.1))],
  site: Array.from({ length: 20 }, (_, n) => 1 + (n % 2)),
  visits: Array.from({ length: 20 }, (_, n) => [0, 3, 1, 0, 2][n % 5]),
};
const settings = 'sampling: {seed: 1, num_chains: 2, num_warmup: 300, num_samples: 400}';
const runs = { plain: '', flagged: '', none: '' };

const stage = setStage(async ({ served }) => {
  const run = async (source: string, values: unknown) => {
    const parts = { source, data: JSON.stringify(values), settings };
    const objid = await startServedRun(served, await makeServedWorkflow(served, parts));
    await untilRun(served, objid);
    return objid;
  };
  runs.plain = await run(plain, data);
  runs.flagged = await run(flagged, { ...data, prior_only: 0 });
  runs.none = await run(plain.replace(/generated quantities[^]*/, ''), data);
});

const part = (page: Page) => page.getByRole('region', { name: 'Predictive checks' });

async function openTable(page: Page) {
  await part(page)
    .getByRole('button', { name: /^Menu of/ })
    .click();
  await page.getByRole('menuitem', { name: /table/i }).click();
}

describe.each(schemes)('in %s', (scheme) => {
  it('data and replicated data are found by name, and checked in each way and by group', async () => {
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(`${stage.served.origin}/experiments/${runs.plain}`);
    await page.getByRole('tab', { name: 'Predictive' }).click();
    const section = part(page);
    await section.locator('.js-plotly-plot').waitFor();
    await section.getByText('50 of 800 draws of y_rep shown').waitFor();
    for (const kind of ['ECDF', 'Intervals', 'LOO-PIT', 'Statistics']) {
      await section.getByText(kind, { exact: true }).click();
      await section
        .getByRole('article', { name: / of y and y_rep/ })
        .locator('.js-plotly-plot')
        .waitFor();
    }
    await section.getByText('Unusual under the model').waitFor();
    await openTable(page);
    const row = section.getByRole('row', { name: /^max/ });
    expect(await row.innerText()).toContain('29.7');
    await section.getByRole('combobox', { name: 'By group' }).click();
    await page.getByRole('option', { name: 'site' }).click();
    await section.getByRole('article', { name: /, site 2$/ }).waitFor();
    expect(await section.getByRole('article').count()).toBe(2);
    // the next run of the model opens in the same way
    await page.goto(`${stage.served.origin}/experiments/${runs.plain}?tab=predictive`);
    await section.getByRole('article', { name: /^Test statistics .*, site 1$/ }).waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    await expectNoSidewaysScroll(page);
    await leave(visitor);
  });

  it('counts are recognised, and shown as a rootogram', async () => {
    const visitor = await stage.person(scheme);
    const { page } = visitor;
    const choice = ',visits_rep,visits';
    await page.goto(
      `${stage.served.origin}/experiments/${runs.plain}?tab=predictive&checks=${choice}`,
    );
    await page
      .getByRole('article', { name: 'Rootogram of visits and visits_rep' })
      .locator('.js-plotly-plot')
      .waitFor();
    await leave(visitor);
  });

  it('a share shows the checks if it includes the data, and a message if not', async () => {
    const share = (include: readonly string[]) =>
      stage.create({
        object_type: 'share',
        objid: runs.plain,
        password: '',
        target_user: '',
        include,
      });
    const visitor = await stage.person(scheme);
    const { page } = visitor;
    const address = (id: string) => `${stage.served.origin}/s/${runs.plain}/${id}?tab=predictive`;
    await page.goto(address(await share([])));
    await page.getByText('This share does not include the data').waitFor();
    await page.goto(address(await share(['data'])));
    await part(page).locator('.js-plotly-plot').waitFor();
    expect(await page.getByRole('region', { name: 'Prior predictive' }).count()).toBe(0);
    await leave(visitor);
  });

  it('a program with a flag is run with its prior alone', async () => {
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(`${stage.served.origin}/experiments/${runs.flagged}?tab=predictive`);
    await page.getByRole('button', { name: 'Run with the prior alone' }).click();
    await page.getByRole('heading', { name: 'Run again' }).waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.waitForURL(/\/experiments\/(?!new)[^?]+/);
    await page.getByRole('tab', { name: 'Predictive' }).click();
    await page.getByRole('heading', { name: 'Prior predictive checks' }).waitFor();
    await part(page).locator('.js-plotly-plot').waitFor();
    // again: the data exist already, and no second copy is made
    const copies = async () => {
      const list = await stage.served.call('GET', '/api/object?object_type=data&page_size=200');
      const { objects } = list.data as { objects: { name: string }[] };
      return objects.filter(({ name }) => name.endsWith(', prior only')).length;
    };
    const before = await copies();
    await page.goto(`${stage.served.origin}/experiments/${runs.flagged}?tab=predictive`);
    await page.getByRole('button', { name: 'Run with the prior alone' }).click();
    await page.getByRole('heading', { name: 'Run again' }).waitFor();
    expect(await copies()).toBe(before);
    expect(before).toBe(1);
    await leave(visitor);
  });

  it('a program without a flag gets it in the editor; one without y_rep shows what to add', async () => {
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(`${stage.served.origin}/experiments/${runs.none}?tab=predictive`);
    await part(page).getByText('array[N] real y_rep').waitFor();
    await page.getByRole('link', { name: 'Add it in the editor' }).click();
    await page.getByText('which leaves the likelihood out').waitFor();
    await page.getByText('if (prior_only == 0)').first().waitFor();
    await leave(visitor);
  });
});
