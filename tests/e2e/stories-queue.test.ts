/** The queue: what is running and waiting, draining and resuming a worker, a person's share, and what others see. */
import { describe, expect, it } from 'vitest';
import { expectNoSidewaysScroll, visit } from './browser.ts';
import { makeModel, startModel } from './runs.ts';
import { leave, type Scheme, schemes, setStage } from './story.ts';

const password = 'a long password';
// each gradient is costly, so that the run has few draws by the time it is stopped
const slow = `parameters { vector[4] x; }
model { for (i in 1:4) for (j in 1:20000) target += normal_lpdf(x[i] | 0, 1 + 0.0001 * j); }
`;
const endless = { num_chains: 2, num_samples: 1_000_000, seed: 1 } as const;
let bo = '';
let running = '';

const stage = setStage(
  async (made) => {
    bo = await made.addUser('bo', password);
    const { served } = made;
    const model = await makeModel(served, 'A normal', slow);
    running = await startModel(served, { model_id: model, name: 'The long one' }, endless);
    await startModel(served, { model_id: model, name: 'The one that waits' }, endless);
  },
  { ERGODIC_WORKERS: '2' },
);

async function operated(scheme: Scheme): Promise<void> {
  const visitor = await stage.person(scheme);
  const { page } = visitor;
  await page.getByRole('link', { name: 'Queue' }).click();
  const runs = page.getByRole('table', { name: 'Runs' });
  await runs.getByRole('row', { name: /Running.*The long one/ }).waitFor();
  await runs.getByRole('row', { name: /Queued, 1st.*The one that waits/ }).waitFor();
  const workers = page.getByRole('table', { name: 'Workers' });
  await workers.getByText('chains 1, 2').waitFor();
  expect(await workers.getByRole('button', { name: /^Retire/ }).count()).toBe(0);

  await workers.getByRole('button', { name: /^Drain/ }).click();
  await workers.getByText('Drained').waitFor();
  await stage.served.call('POST', `/api/object/${running}`, {
    payload: { object_type: 'experiment', action: 'stop' },
  });
  await expect.poll(() => runs.getByRole('row').count()).toBe(2);
  await runs.getByRole('row', { name: /Queued, 1st.*The one that waits/ }).waitFor();
  await workers.getByRole('button', { name: /^Resume/ }).click();
  await runs.getByRole('row', { name: /Running.*The one that waits/ }).waitFor();

  const form = page.getByRole('form', { name: 'Share of a person or team' });
  await form.getByLabel('Person').fill('nobody');
  await form.getByRole('button', { name: 'Set' }).click();
  await form.getByText('There is no user or team called "nobody".').waitFor();
  await form.getByLabel('Person').fill('bo');
  await form.getByLabel('Chains at once').fill('0');
  await form.getByRole('button', { name: 'Set' }).click();
  await page.getByRole('row', { name: /bo\(@\d+\).*held back/ }).waitFor();
  await page.getByRole('button', { name: `Change the share of ${bo}` }).click();
  expect(await form.getByLabel('Chains at once').inputValue()).toBe('0');
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoSidewaysScroll(page);
  await leave(visitor);
}

describe.each(schemes)('in %s', (scheme) => {
  it('an administrator sees the queue, drains a worker, and sets a share', () => operated(scheme));

  it('other users see runs of other people without names, and cannot change the queue', async () => {
    const visitor = await visit(stage.browser, { scheme, width: 1280, height: 800 });
    const { page } = visitor;
    await page.goto(`${stage.served.origin}/sign-in`);
    await page.getByLabel('User name').fill('bo');
    await page.getByLabel('Password', { exact: true }).last().fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Queue' }).click();
    await page
      .getByRole('row', { name: /Another person’s run/ })
      .first()
      .waitFor();
    expect(await page.getByText('The one that waits').count()).toBe(0);
    expect(await page.getByRole('button', { name: /^(Drain|Resume|Set)/ }).count()).toBe(0);
    await leave(visitor);
  });
});
