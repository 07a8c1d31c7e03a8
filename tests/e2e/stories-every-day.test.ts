/** What a day with the dashboard meets: runs that fail, wait and time out, keys, long lists, links, help. */
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { makeModel, startModel, startSlowRun } from './runs.ts';
import { leave, schemes, setStage } from './story.ts';

const needsJ = `data { int N; int J; vector[N] y; }
parameters { vector[J] theta; }
model { theta ~ normal(0, 1); y ~ normal(sum(theta), 1); }
`;
let incomplete = '';
let failing = '';
let keyed = '';

const stage = setStage(async ({ served, create }) => {
  failing = await makeModel(served, 'Wants J', needsJ);
  const data = JSON.stringify({ N: 2, y: [1, 2] });
  incomplete = await create({ object_type: 'data', name: 'Without J', data });
  keyed = await makeModel(
    served,
    'By keys',
    `// ${'a long line '.repeat(40)}\nparameters { real x; } model { x ~ normal(0, 1); }\n`,
  );
});

const pageOf = (id: string) => `${stage.served.origin}/experiments/${id}`;

async function ask<T>(id: string): Promise<T> {
  return (await stage.served.call('GET', `/api/object/${id}`)).data as T;
}

async function stop(id: string): Promise<void> {
  await stage.served.call('POST', `/api/object/${id}`, {
    payload: { object_type: 'experiment', action: 'stop' },
  });
}

/** Slow runs that a test began: a failed test must not leave them occupying the cores. */
const begun: string[] = [];
async function startSlow(
  ...given: Parameters<typeof startSlowRun> extends [unknown, ...infer Rest] ? Rest : never
) {
  const id = await startSlowRun(stage.served, ...given);
  begun.push(id);
  return id;
}
afterEach(async () => {
  for (const id of begun.splice(0)) await stop(id);
});

const selection = (page: Page) => page.getByRole('toolbar', { name: 'Selection' });

describe('a run', () => {
  it.each([1, 2, 8])(
    'of %i chains whose data lack a variable fails at once, with the reason on every page',
    async (numChains) => {
      const visitor = await stage.person('light');
      const { page } = visitor;
      const parts = { model_id: failing, data_id: incomplete };
      const id = await startModel(stage.served, parts, { num_chains: numChains });
      await page.goto(pageOf(id));
      await page.getByText('Error', { exact: true }).first().waitFor();
      const verdict = page.getByRole('region', { name: 'Verdict' });
      await verdict.getByText(/J/).first().waitFor();
      expect(await page.getByText(/appear here in a moment|Too early to tell/).count()).toBe(0);
      const { status, meta } = await ask<{
        status: string;
        meta: { error: { message: string }; progress: { chains: { phase: string }[] } };
      }>(id);
      expect(status).toBe('ERR');
      const said = await verdict.innerText();
      const message = meta.error.message.replaceAll('`', '');
      expect(said).toContain(message.split('\n')[0]);
      await page.goto(`${stage.served.origin}/experiments?q=${id}`);
      await page.getByRole('row').getByText(message.slice(0, 20)).waitFor();
      await leave(visitor);
    },
  );

  it('that waits in the queue shows its position, and starts when the runs before it end', async () => {
    const visitor = await stage.person('dark');
    const { page } = visitor;
    const first = await startSlow(8, 30_000);
    const second = await startSlow(1, 30_000);
    const third = await startSlow(1, 30_000);
    await page.goto(pageOf(third));
    await page
      .getByText(/^Queued, \d(st|nd|rd)$/)
      .first()
      .waitFor();
    await page.getByText(/Waiting to start: \d(st|nd|rd) in the queue\./).waitFor();
    await stop(first);
    await stop(second);
    await page.getByText('Running', { exact: true }).first().waitFor({ timeout: 60_000 });
    await stop(third);
    await page.getByText('Stopped', { exact: true }).waitFor({ timeout: 60_000 });
    await leave(visitor);
  });

  it('keeps its draws at the time limit, and fails with a clear reason at its timeout', async () => {
    const visitor = await stage.person('light');
    const { page } = visitor;
    // Without warmup there are draws from the first second, however busy the machine is.
    const limited = await startSlow(1, 3_000_000, { num_warmup: 0, time_limit: 4 });
    await page.goto(pageOf(limited));
    await page.getByText('Stopped', { exact: true }).waitFor({ timeout: 60_000 });
    await page.getByText(/stopped at the time limit of 4 s, draws kept/).waitFor();

    // long enough for a busy machine to have saved some
    const late = await startSlow(1, 3_000_000, { num_warmup: 0, timeout: 12 });
    await page.goto(pageOf(late));
    await page
      .getByText(/took longer than the 12 seconds allowed \(timeout\)\. .* saved\./)
      .waitFor({ timeout: 60_000 });
    // It would fail in the same way again.
    expect(await page.getByRole('button', { name: 'Retry failed chains' }).count()).toBe(0);
    await leave(visitor);
  });
});

describe.each(schemes)('in %s', (scheme) => {
  it('the editor wraps long lines with Alt+Z and runs the model with Ctrl+Enter', async () => {
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(`${stage.served.origin}/models/${keyed}`);
    const lines = page.locator('.monaco-editor .view-line');
    await lines.first().waitFor();
    const run = page.getByRole('button', { name: 'Run', exact: true });
    await expect.poll(() => run.isEnabled()).toBe(true);
    const before = await lines.count();
    await lines.first().click();
    await page.keyboard.press('Alt+z');
    await expect.poll(() => lines.count()).toBeGreaterThan(before);
    await page.keyboard.press('Control+Enter');
    await page.waitForURL(/\/experiments\/X/);
    await page.getByText('Finished', { exact: true }).waitFor({ timeout: 60_000 });
    await leave(visitor);
  });

  it('all rows of all pages are selected, deleted, and restored with Ctrl+Z', async () => {
    const name = `Many ${scheme}`;
    const made = Array.from({ length: 120 }, () =>
      stage.create({ object_type: 'event', name, meta: {} }).catch(() => ''),
    );
    expect((await Promise.all(made)).filter((id) => id !== '')).toHaveLength(120);
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(`${stage.served.origin}/events?q=${encodeURIComponent(name)}`);
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    await selection(page).getByText('50 selected').waitFor();
    await selection(page).getByRole('button', { name: 'Select all 120' }).click();
    await selection(page).getByText('120 selected').waitFor();
    await selection(page).getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Nothing matches the filter').waitFor({ timeout: 60_000 });
    await page.keyboard.press('Control+z');
    await page
      .getByText(new RegExp(`^${name}$`))
      .first()
      .waitFor({ timeout: 60_000 });
    await leave(visitor);
  });

  it('a link that only this computer can open has a note, with the options for other computers', async () => {
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(`${stage.served.origin}/models/${keyed}`);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const note = page.getByRole('region', { name: 'Who can open the link' });
    await note.getByText(/^Only this computer can open links to 127\.0\.0\.1/).waitFor();
    await note
      .getByText(/--host/)
      .first()
      .waitFor();
    await note
      .getByText(/--public-url/)
      .first()
      .waitFor();
    await leave(visitor);
  });

  it('a failed check links to its explanation, with what to do and its source', async () => {
    const model = await makeModel(
      stage.served,
      'Two modes',
      'parameters { real x; } model { target += log_mix(0.5, normal_lpdf(x | -9, 1), normal_lpdf(x | 9, 1)); }\n',
    );
    const sampling = {
      num_chains: 2,
      num_warmup: 100,
      num_samples: 200,
      seed: 4,
      inits: [{ x: -9 }, { x: 9 }],
    };
    const id = await startModel(stage.served, { model_id: model }, sampling);
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(pageOf(id));
    const verdict = page.getByRole('region', { name: 'Verdict' });
    await verdict.getByText(/R-hat/).first().waitFor({ timeout: 60_000 });
    const help = verdict.getByRole('link', { name: /^Help|explain/i }).first();
    await help.waitFor({ timeout: 60_000 });
    await help.click();
    await page.waitForURL(/\/help\/diagnostics#/);
    await page
      .getByText(/What to do/)
      .first()
      .waitFor();
    expect(await page.locator('main a[href^="https://"]').count()).toBeGreaterThan(0);
    await leave(visitor);
  });
});
