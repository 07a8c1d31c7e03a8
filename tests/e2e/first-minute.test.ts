/** From an empty server to the first posterior: the printed link, a few clicks, less than a minute. */
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { visit } from './browser.ts';
import { setStage } from './story.ts';

/** The promise: one minute. It is also the timeout of each step, so that a slow machine fails for this reason alone. */
const promised = 60_000;

const stage = setStage();

it('a new user reaches a judged posterior by at most four clicks, in less than a minute', async () => {
  const { served, browser } = stage;
  const { page, problems, context } = await visit(browser);
  page.setDefaultTimeout(promised);
  let clicks = 0;
  const click = async (target: Locator) => {
    clicks += 1;
    await target.click();
  };
  const begun = performance.now();
  await page.goto(`${served.origin}/?token=${served.token}`);
  const steps = page.getByRole('list', { name: 'First steps' });
  await click(steps.getByRole('link', { name: 'Open the gallery' }));
  await click(page.getByRole('button', { name: 'Run Eight schools now' }));
  await page.waitForURL(/\/experiments\/X/);
  await click(page.getByRole('tab', { name: 'Posterior' }));
  await page
    .getByRole('region', { name: 'Verdict' })
    .getByText(/Looks converged|Needs a look/)
    .waitFor();
  await page
    .getByRole('tabpanel', { name: 'Posterior' })
    .locator('.js-plotly-plot')
    .first()
    .waitFor();
  const seconds = (performance.now() - begun) / 1000;
  process.stdout.write(`first posterior: ${clicks} clicks, ${seconds.toFixed(1)} s\n`);
  expect(clicks).toBeLessThanOrEqual(4);
  expect(seconds).toBeLessThan(promised / 1000);

  // The overview has noticed: the only step left is to share the result.
  await page.goto(served.origin);
  const line = page.getByRole('region', { name: 'First steps' });
  await line.getByRole('link', { name: 'Share a result' }).waitFor();
  expect(await line.getByLabel('done').count()).toBe(2);
  expect(problems).toEqual([]);
  await context.close();
});
