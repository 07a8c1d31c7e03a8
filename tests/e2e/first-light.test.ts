/** A new user's first half hour: from the printed link to a model sampled, watched, judged, downloaded and shared. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch, makeDataFolder, type Served } from '../support/served.ts';
import {
  expectNoSidewaysScroll,
  leaveBrowser,
  takeBrowser,
  type Visitor,
  visit,
} from './browser.ts';
import { downloadBy } from './story.ts';

let browser: Browser;
let served: Served;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  const dataDir = makeDataFolder();
  [browser, served] = await Promise.all([takeBrowser(), launch({ dataDir }).ready]);
  visitor = await visit(browser);
  page = visitor.page;
});
afterAll(async () => {
  await leaveBrowser();
  served?.process.kill('SIGTERM');
  await served?.exited;
});

/** Moves the caret to the end of the open file and types. */
async function typeAtEnd(text: string): Promise<void> {
  await page.locator('.monaco-editor .view-lines').first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(text);
}

describe('a new user', () => {
  it('is signed in by the printed link, and the token leaves the address bar', async () => {
    await page.goto(`${served.origin}/?token=${served.token}`);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(page.url()).toBe(`${served.origin}/`);
    for (const step of ['Pick a model', 'Run it', 'Share a result']) {
      await page.getByRole('heading', { name: step }).waitFor();
    }
  });

  it('opens eight schools from a gallery that describes each model and its source', async () => {
    await page
      .getByRole('link', { name: /gallery/i })
      .first()
      .click();
    await page.getByRole('heading', { name: 'New model' }).waitFor();
    for (const name of [
      'Test scores of children',
      'O-rings of the space shuttle',
      'Growth of rats',
      'Flow of the Nile',
    ]) {
      await page.getByRole('heading', { name }).waitFor();
    }
    await page.getByText('Rubin 1981').first().waitFor();
    const card = page
      .locator('article, li, section')
      .filter({ has: page.getByRole('heading', { name: 'Eight schools', exact: true }) });
    await card.last().getByRole('button', { name: 'Open' }).click();
    await page.waitForURL(/\/models\/M/);
    await page.getByRole('heading', { name: 'Eight schools', level: 1 }).waitFor();
    await page.locator('.monaco-editor .view-lines').first().waitFor();
    expect(await page.locator('.monaco-editor').first().innerText()).toContain('parameters');
  });

  it('sees errors while typing, and cannot run until they are fixed', async () => {
    await typeAtEnd('\ngenerated quantitie {}');
    await page.locator('.squiggly-error').first().waitFor();
    await page.getByText(/Cannot run/).waitFor();
    expect(await page.getByRole('button', { name: /^(Save and run|Run)$/ }).isDisabled()).toBe(
      true,
    );
    for (let i = 0; i < 5; i++) await page.keyboard.press('Control+z');
    await page.locator('.squiggly-error').first().waitFor({ state: 'detached' });
  });

  it('saves with Ctrl+S, and finds what was saved after coming back', async () => {
    await typeAtEnd('\n// seen by a new user');
    await page
      .getByText(/edited/)
      .first()
      .waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText(/^Saved /).waitFor();
    await page.getByText('v2', { exact: true }).waitFor();
    await page.reload();
    await page.locator('.monaco-editor .view-lines').first().waitFor();
    await page.locator('.monaco-editor .view-lines').first().click();
    await page.keyboard.press('Control+End');
    await page.getByText('seen by a new user').waitFor();
  });

  it('runs it and gets to the experiment, which fills by itself', async () => {
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.waitForURL(/\/experiments\/X/);
    await page.getByRole('list', { name: 'Chains' }).getByText('Chain 4').waitFor();
    await page.locator('article .js-plotly-plot').first().waitFor();
    await page.getByText('Finished', { exact: true }).waitFor({ timeout: 90_000 });
    await page
      .getByRole('status')
      .getByText(/Looks converged|Needs a look/)
      .waitFor();
  });

  it('reads a summary with the right numbers', async () => {
    await page.getByRole('tab', { name: /Summary/ }).click();
    await page.getByRole('rowheader', { name: 'mu', exact: true }).waitFor();
    const heads = await page.getByRole('columnheader').allInnerTexts();
    const row = page.getByRole('row').filter({ has: page.getByText('mu', { exact: true }) });
    const cells = await row.getByRole('cell').allInnerTexts();
    const valueOf = (title: string) => {
      // the name of the variable is the row's header, not a cell
      const place = heads.findIndex((head) => head.trim().toLowerCase() === title) - 1;
      return Number(cells[place].replace('\u2212', '-'));
    };
    // Reference draws of the non-centred model: mu 4.4 ± 3.3.
    expect(valueOf('mean')).toBeGreaterThan(3.6);
    expect(valueOf('mean')).toBeLessThan(5.2);
    expect(valueOf('sd')).toBeGreaterThan(2.8);
    expect(valueOf('sd')).toBeLessThan(3.9);
    await page
      .getByRole('row')
      .filter({ has: page.getByText('tau', { exact: true }) })
      .click();
    await page
      .getByRole('complementary', { name: 'Plots of tau' })
      .locator('.js-plotly-plot')
      .first()
      .waitFor();
  });

  it('finds the log, and downloads the draws as CSV', async () => {
    await page.getByRole('tab', { name: 'Logs' }).click();
    await page.getByText('Platform').click();
    await page
      .getByLabel('Log text')
      .getByText(/seed \d+/)
      .waitFor();
    await page.getByRole('tab', { name: 'Files' }).click();
    const saved = await downloadBy(page, () =>
      page.getByRole('button', { name: 'Download: Draws as CSV' }).click(),
    );
    const lines = saved.bytes.toString('utf8').trimEnd().split('\n');
    const ofMu = lines.filter((line) => line.startsWith('chain#1,mu,'));
    expect(ofMu).toHaveLength(1000);
    expect(ofMu.every((line) => Number.isFinite(Number(line.split(',')[2])))).toBe(true);
  });

  it('shares it with a password', async () => {
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click();
    await page.getByRole('dialog').getByLabel('Link', { exact: true }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
    await page.goto(`${served.origin}/shares`);
    await page
      .getByRole('table', { name: 'Shared by me' })
      .getByText('Link and password')
      .waitFor();
  });

  it('stops a long run and keeps its draws', async () => {
    const list = await served.call('GET', '/api/object?object_type=workflow');
    const [workflow] = (list.data as { objects: { short_id: string }[] }).objects;
    const settings = 'sampling: {num_samples: 1000000, num_warmup: 200}\n';
    await served.call('POST', `/api/object/${workflow.short_id}`, {
      payload: { object_type: 'workflow', settings },
    });
    const started = await served.call('POST', '/invoke', {
      target: workflow.short_id,
      action: 'run_sample',
      get_response: false,
    });
    const { experiment_id } = started.data as { experiment_id: string };
    await page.goto(`${served.origin}/experiments/${experiment_id}`);
    await page.locator('article .js-plotly-plot').first().waitFor();
    await page.getByText(/[1-9][\d\u202f]* draws so far[.;]/).waitFor();
    await page.getByRole('button', { name: 'Stop and keep draws' }).click();
    await page.getByText('Stopped', { exact: true }).waitFor({ timeout: 60_000 });
    const view = await served.call('GET', `/api/object/${experiment_id}`);
    // On a machine with two cores only two chains had started.
    const { n_chains, n_samples } = view.data as { n_chains: number; n_samples: number };
    expect(n_chains).toBeGreaterThanOrEqual(1);
    expect(n_samples).toBeGreaterThan(0);
    await page.getByRole('tab', { name: /Summary/ }).click();
    await page.getByRole('rowheader', { name: 'mu' }).waitFor();
  });

  it('meets no page error on the way, in dark mode or on a phone', async () => {
    expect(visitor.problems).toEqual([]);
    const phone = await visit(browser, { scheme: 'dark', width: 360, height: 740 });
    await phone.page.goto(`${served.origin}/?token=${served.token}`);
    for (const path of [
      '/',
      '/models',
      '/models/new',
      '/data',
      '/workflows',
      '/experiments',
      '/experiments/new',
      '/shares',
      '/account',
    ]) {
      await phone.page.goto(served.origin + path);
      await phone.page.getByRole('heading', { level: 1 }).waitFor();
      await expectNoSidewaysScroll(phone.page);
    }
    expect(phone.problems).toEqual([]);
    await phone.context.close();
  });
});
