/** Sharing as two people see it: the owner makes a link, a stranger is refused calmly, gets in, and can only look. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch, makeReadyFolder, type Served } from '../support/served.ts';
import { expectNoSidewaysScroll, leaveBrowser, takeBrowser, visit } from './browser.ts';
import { runGalleryModel } from './runs.ts';

let browser: Browser;
let served: Served;
let experimentId: string;

beforeAll(async () => {
  const dataDir = await makeReadyFolder();
  [browser, served] = await Promise.all([takeBrowser(), launch({ dataDir }).ready]);
  experimentId = await runGalleryModel(served, 'eight-schools', {
    num_warmup: 300,
    num_samples: 300,
    seed: 7,
  });
});
afterAll(async () => {
  await leaveBrowser();
  served?.process.kill('SIGTERM');
  await served?.exited;
});

/** Creates a link with a password in the dialog; returns what a person would copy. */
async function shareWithPassword(): Promise<{ link: string; password: string }> {
  const { page, context, problems } = await visit(browser);
  await page.goto(`${served.origin}/experiments/${experimentId}?token=${served.token}`);
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('They will not see').waitFor();
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const link = await dialog.getByLabel('Link', { exact: true }).inputValue();
  const password = await dialog.getByLabel(/^Password, shown here only/).inputValue();
  expect(problems).toEqual([]);
  await context.close();
  return { link, password };
}

describe('a link', () => {
  it('is copied even without a clipboard API, as on plain http', async () => {
    const { page, context, problems } = await visit(browser);
    await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'clipboard'));
    await page.goto(`${served.origin}/experiments/${experimentId}?token=${served.token}`);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const link = await dialog.getByLabel('Link', { exact: true }).inputValue();
    await dialog.getByRole('button', { name: 'Copy', exact: true }).first().click();
    await dialog.getByRole('button', { name: 'Copied', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Summary' }).click();
    const field = page.getByLabel('Filter variables');
    await field.click();
    await page.keyboard.press('Control+V');
    expect(await field.inputValue()).toBe(link);
    expect(problems).toEqual([]);
    await context.close();
  });
});

describe('a snapshot behind a password', () => {
  it('rejects a wrong password, opens with the right one, and is read-only', async () => {
    const { link, password } = await shareWithPassword();
    expect(password).toMatch(/^[a-z]+-[a-z]+-[a-z]+-\d\d$/);

    const { page, context, problems } = await visit(browser, { width: 360, height: 740 });
    await page.goto(link);
    await page.getByRole('heading', { name: 'This snapshot is protected by a password' }).waitFor();
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.getByRole('button', { name: 'Open snapshot' }).click();
    await page.getByText('Wrong password. Try again.').waitFor();
    expect(await page.getByRole('heading', { name: 'Eight schools' }).count()).toBe(0);

    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Open snapshot' }).click();
    await page.getByRole('heading', { name: 'Eight schools' }).waitFor();
    await page.getByRole('button', { name: /^mu\b/ }).waitFor();
    expect(page.url()).not.toContain(encodeURIComponent(password));
    expect(await page.getByRole('link', { name: 'Run again' }).count()).toBe(0);
    for (const name of ['More actions', 'Share', 'Delete', 'Pause']) {
      expect(await page.getByRole('button', { name, exact: true }).count(), name).toBe(0);
    }
    expect(await page.getByRole('tab', { name: 'Logs' }).count()).toBe(0);
    await expectNoSidewaysScroll(page);

    await page.getByRole('tab', { name: 'Traces' }).click();
    await page.locator('.js-plotly-plot').first().waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });

  it('still shows what was shared after its owner renames the experiment', async () => {
    const { link, password } = await shareWithPassword();
    await served.call('POST', `/api/object/${experimentId}`, {
      payload: { object_type: 'experiment', name: 'Renamed by its owner' },
    });
    const { page, context } = await visit(browser);
    await page.goto(link);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Open snapshot' }).click();
    await page.getByRole('heading', { name: 'Eight schools' }).waitFor();
    await context.close();
    await served.call('POST', `/api/object/${experimentId}`, {
      payload: { object_type: 'experiment', name: 'Eight schools' },
    });
  });

  it('is gone after it is revoked, and back after undo', async () => {
    const { link, password } = await shareWithPassword();
    const shareId = link.split('/').at(-1) ?? '';
    const revoked = await served.call('DELETE', `/api/object/${shareId}`);
    const { page, context } = await visit(browser);
    await page.goto(link);
    await page.getByRole('heading', { name: 'Snapshot not found' }).waitFor();
    const { deleted_key } = revoked.data as { deleted_key: string };
    await served.call('DELETE', `/api/object?deleted_key=${deleted_key}`);
    await page.reload();
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Open snapshot' }).click();
    await page.getByRole('heading', { name: 'Eight schools' }).waitFor();
    await context.close();
  });

  it('gives visitors nothing else: no list, no live object, no other page without signing in', async () => {
    const { link, password } = await shareWithPassword();
    const share = link.split('/').at(-1) ?? '';
    const stranger = { headers: { 'x-share-password': password } };
    const ask = async (path: string) =>
      (await (await fetch(served.origin + path, stranger)).json()) as { code?: string };
    expect((await ask(`/api/log/${experimentId}?share_id=${share}`)).code).toBe('UNAUTHORIZED');
    expect((await ask('/api/object?object_type=experiment')).code).toBe('UNAUTHORIZED');
    expect((await ask(`/api/object/${experimentId}?share_id=${share}&stdlog=true`)).code).toBe(
      'PERMISSION_DENIED',
    );
    const { page, context } = await visit(browser);
    await page.goto(`${served.origin}/experiments/${experimentId}`);
    await page.getByRole('heading', { name: 'Sign in to Ergodic' }).waitFor();
    await context.close();
  });
});
