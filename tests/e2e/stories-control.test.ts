/** A run under way: watched, paused, resumed, stopped with its draws kept, and run once more. */
import { describe, expect, it } from 'vitest';
import { startSlowRun } from './runs.ts';
import { leave, schemes, setStage, undo } from './story.ts';

const stage = setStage();

describe.each(schemes)('in %s', (scheme) => {
  it('a run is watched live, paused, resumed and stopped, and its draws are kept', async () => {
    const run = await startSlowRun(stage.served);
    const visitor = await stage.person(scheme);
    const { page } = visitor;
    await page.getByRole('heading', { name: /^Running now/ }).waitFor();
    await page.getByRole('link', { name: 'Slow', exact: true }).first().click();
    await page.waitForURL(/\/experiments\/X/);
    expect(page.url()).toContain(run);
    await page.locator('article .js-plotly-plot').first().waitFor();
    await page.getByRole('list', { name: 'Chains' }).getByText('Chain 1').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused', { exact: true }).waitFor();
    const drawsOf = async () => {
      const view = await stage.served.call('GET', `/api/object/${run}`);
      return (view.data as { n_samples: number }).n_samples;
    };
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Running', { exact: true }).first().waitFor();
    const atResume = await drawsOf();
    await expect.poll(drawsOf, { timeout: 60_000 }).toBeGreaterThan(atResume);
    await page.getByRole('button', { name: 'Stop and keep draws' }).click();
    await page.getByText('Stopped', { exact: true }).waitFor({ timeout: 60_000 });
    expect(await drawsOf()).toBeGreaterThan(0);
    await page.getByRole('tab', { name: /Summary/ }).click();
    await page.getByRole('rowheader', { name: 'x[1]' }).waitFor();

    await page.getByRole('link', { name: 'Run again' }).click();
    await page.getByRole('heading', { name: 'Run again', level: 1 }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Samples' }).inputValue()).toBe('4\u202f000');
    expect(await page.getByRole('radio', { name: /^New seed/ }).isChecked()).toBe(true);
    await page.getByRole('radio', { name: /^Same seed, 5/ }).check();
    expect(await page.getByRole('textbox', { name: 'Seed' }).inputValue()).toBe('5');
    await page.getByRole('textbox', { name: 'Samples' }).fill('3999');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.waitForURL(
      (url) => /\/experiments\/X/.test(url.pathname) && !url.pathname.includes(run),
    );
    const again = new URL(page.url()).pathname.split('/').at(-1);
    const view = await stage.served.call('GET', `/api/object/${again}`);
    expect(view.data).toMatchObject({ meta: { settings: { seed: 5, num_samples: 3999 } } });
    await page.getByRole('button', { name: 'Stop and keep draws' }).click();
    await page.getByText('Stopped', { exact: true }).waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.waitForURL(/\/experiments(\?|$)/);
    await undo(page, /deleted/i);
    await leave(visitor);
  });

  it('a run that has ended is extended, and the page shows the new draws', async () => {
    const model = await stage.create({
      object_type: 'model',
      name: `Short ${scheme}`,
      env: 'stan',
      content: {
        tree: [
          {
            name: 'main.stan',
            type: 'file',
            content: 'parameters { real x; } model { x ~ normal(0, 1); }\n',
            encoding: 'text',
          },
        ],
      },
    });
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(`${stage.served.origin}/experiments/new?model=${model}`);
    await page.getByRole('textbox', { name: 'Warmup' }).fill('100');
    await page.getByRole('textbox', { name: 'Samples' }).fill('100');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.waitForURL(/\/experiments\/X/);
    await page.getByText('Finished', { exact: true }).waitFor({ timeout: 60_000 });
    await page.getByText(/4 chains × 100 draws/).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1);
    const asked = await stage.served.call('POST', `/api/object/${id}`, {
      payload: { object_type: 'experiment', action: 'extend', meta: { extend_by: 100 } },
    });
    expect(asked).toMatchObject({ status: 'ok' });
    await page.reload();
    await page.getByText(/4 chains × 200 draws/).waitFor({ timeout: 60_000 });
    await leave(visitor);
  });
});
