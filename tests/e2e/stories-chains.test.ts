/** More chains than cores: what a page says while some wait, and what happens to those that never started. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startSlowRun } from './runs.ts';
import { leave, schemes, setStage, undo } from './story.ts';

const stage = setStage();

const verdictOf = (page: Page) => page.getByRole('region', { name: 'Verdict' });

/** Names of the traces in the order shown. */
const orderOf = (page: Page) =>
  page
    .getByRole('region', { name: 'Traces' })
    .getByRole('article')
    .evaluateAll((cards) => cards.map((card) => card.getAttribute('aria-label')));

describe.each(schemes)('in %s', (scheme) => {
  it('chains that never started are left out of the summary, by name, and can be included again', async () => {
    // The last chains must still be waiting when the run is stopped, after all the checks before that.
    const run = await startSlowRun(stage.served, 8, 60_000);
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(`${stage.served.origin}/experiments/${run}`);

    await page.getByText(/^(Live, updated just now|Updated \d+ s ago)$/).waitFor();
    await verdictOf(page)
      .getByText(/^8 chains \(\d waiting\), about \d+ (s|min|h) left$/)
      .waitFor();
    await verdictOf(page)
      .getByText(/draws so far/)
      .waitFor();
    await page.locator('article .js-plotly-plot').first().waitFor();
    // The first diagnostics sort the cards, once.
    await page
      .getByRole('article')
      .first()
      .getByText(/R-hat \d/)
      .waitFor();
    const order = await orderOf(page);
    await expect
      .poll(() => page.locator('article .js-plotly-plot').count(), { timeout: 60_000 })
      .toBe(order.length);
    // Draws and diagnostics arrive: nothing moves, goes blank or says that there are none.
    for (let look = 0; look < 4; look++) {
      const said = await verdictOf(page).innerText();
      expect(said).not.toMatch(/(^|\D)0 draws|No draws/);
      await expect.poll(() => verdictOf(page).innerText(), { timeout: 60_000 }).not.toBe(said);
      expect(await orderOf(page)).toEqual(order);
      expect(await page.locator('article .js-plotly-plot').count()).toBe(order.length);
    }
    await page.getByRole('button', { name: 'Stop and keep draws' }).click();
    await page.getByText('Stopped', { exact: true }).waitFor({ timeout: 60_000 });

    const chains = page.getByRole('region', { name: 'Chains in summary and plots' });
    await verdictOf(page)
      .getByText(/No verdict: .* no draws/)
      .waitFor();
    await chains.getByRole('button', { name: /^Leave out/ }).click();
    await verdictOf(page)
      .getByText(/\(without (chains|\d+ chains)/)
      .first()
      .waitFor();
    await page
      .getByText(/^(First .*, w|W)ithout (chains|\d+ chains).*\.$/m)
      .first()
      .waitFor();
    const strip = page.getByRole('list', { name: 'Chains', exact: true });
    expect(await strip.getByText('left out').count()).toBeGreaterThan(0);

    const share = await stage.create({
      object_type: 'share',
      objid: run,
      password: '',
      target_user: '',
    });
    await undo(page, /left out of summary and plots/);
    await verdictOf(page)
      .getByText(/No verdict: .* no draws/)
      .waitFor();

    // What was shared stays as it was.
    const guest = await (await stage.browser.newContext({ colorScheme: scheme })).newPage();
    await guest.goto(`${stage.served.origin}/s/${run}/${share}`);
    await verdictOf(guest)
      .getByText(/\(without (chains|\d+ chains)/)
      .first()
      .waitFor();
    expect(await guest.getByRole('button', { name: 'Choose chains' }).count()).toBe(0);
    await guest.context().close();
    await leave(visitor);
  });
});
