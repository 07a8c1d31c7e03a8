/** How much a posterior depends on prior and likelihood: on the page, through the plotting function, in a share. */
import { describe, expect, it } from 'vitest';
import { makeServedWorkflow, startServedRun, untilRun } from '../support/served-runs.ts';
import { expectNoSidewaysScroll } from './browser.ts';
import { leave, schemes, setStage } from './story.ts';

/** A prior at 0 for data at 10. */
const program = (prior: string) => `data { int N; vector[N] y; }
parameters { real mu; real<lower=0> sigma; }
transformed parameters { real ${prior} = normal_lpdf(mu | 0, 1) + normal_lpdf(sigma | 0, 2.5); }
model { target += ${prior}; y ~ normal(mu, sigma); }
generated quantities {
  vector[N] log_lik;
  for (n in 1:N) log_lik[n] = normal_lpdf(y[n] | mu, sigma);
}
`;
const data = JSON.stringify({ N: 8, y: [9.5, 10.2, 9.1, 9.1, 10.3, 10.9, 11.7, 10.3] });
const settings = 'sampling: {seed: 1, num_chains: 4, num_warmup: 500, num_samples: 1000}';
const runs = { known: '', unknown: '' };

const stage = setStage(async ({ served }) => {
  for (const [name, prior] of [
    ['known', 'lprior'],
    ['unknown', 'other'],
  ] as const) {
    const source = program(prior);
    runs[name] = await startServedRun(
      served,
      await makeServedWorkflow(served, { source, data, settings }),
    );
    await untilRun(served, runs[name]);
  }
});

describe.each(schemes)('in %s', (scheme) => {
  it('a prior-data conflict is reported in the plot, in its table and in a share', async () => {
    const visitor = await stage.person(scheme);
    const { page } = visitor;
    const objid = runs.known;
    const share = await stage.create({
      object_type: 'share',
      objid,
      password: '',
      target_user: '',
    });
    const section = page.getByRole('region', { name: 'Sensitivity' });
    for (const address of [`experiments/${objid}`, `s/${objid}/${share}`]) {
      await page.goto(`${stage.served.origin}/${address}?tab=diagnostics`);
      // Plots are drawn when they come into view.
      await section.scrollIntoViewIfNeeded();
      await section.locator('.js-plotly-plot').waitFor();
      await section.getByText('prior-data conflict in 1 of 2').waitFor();
      await section.getByRole('button', { name: /^Menu of/ }).click();
      await page.getByRole('menuitem', { name: /table/i }).click();
      const row = section.getByRole('row', { name: /^mu/ });
      expect(await row.innerText()).toMatch(/prior-data conflict/);
    }
    await page.setViewportSize({ width: 360, height: 740 });
    await expectNoSidewaysScroll(page);
    await leave(visitor);
  });

  it('a program without its log prior gets a hint on what to add', async () => {
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(`${stage.served.origin}/experiments/${runs.unknown}?tab=diagnostics`);
    await page
      .getByRole('region', { name: 'Sensitivity' })
      .getByText('target += lprior;')
      .waitFor();
    await leave(visitor);
  });
});
