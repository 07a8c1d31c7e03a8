/** axe on every page in both themes, with data and without, and with the dialogs open. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch, makeDataFolder, type Served } from '../support/served.ts';
import { launchBrowser, visit } from './browser.ts';
import { runGalleryModel } from './runs.ts';

let browser: Browser;
let served: Served;

beforeAll(async () => {
  const dataDir = makeDataFolder();
  [browser, served] = await Promise.all([launchBrowser(), launch({ dataDir }).ready]);
});
afterAll(async () => {
  await browser?.close();
  served?.process.kill('SIGTERM');
  await served?.exited;
});

const lists = [
  '/',
  '/models',
  '/models/new',
  '/data',
  '/workflows',
  '/experiments',
  '/experiments/new',
  '/shares',
  '/account',
];

async function violationsOf(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 160)}`),
  );
}

async function settle(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
}

describe('before there is anything', () => {
  it('empty pages and sign-in have no violation', async () => {
    const { page, context } = await visit(browser);
    await page.goto(`${served.origin}/sign-in`);
    await settle(page);
    expect(await violationsOf(page), '/sign-in').toEqual([]);
    await page.goto(`${served.origin}/?token=${served.token}`);
    for (const path of lists) {
      await page.goto(served.origin + path);
      await settle(page);
      expect(await violationsOf(page), path).toEqual([]);
    }
    await context.close();
  });
});

describe.each(['light', 'dark'] as const)('with a finished run, in %s', (scheme) => {
  let experimentId: string;
  beforeAll(async () => {
    experimentId = await runGalleryModel(served, 'eight-schools', {
      num_warmup: 200,
      num_samples: 200,
      seed: 3,
    });
  });

  it('pages with content and open dialogs have no violation', async () => {
    const { page, context } = await visit(browser, { scheme });
    await page.goto(`${served.origin}/?token=${served.token}`);
    await settle(page);
    const view = await served.call('GET', `/api/object/${experimentId}`);
    const { model_id, workflow_id, input } = view.data as {
      model_id: string;
      workflow_id: string;
      input: string;
    };
    const paths = [
      ...lists,
      `/models/${model_id}`,
      `/data/${input}`,
      `/workflows/${workflow_id}`,
      `/experiments/${experimentId}`,
      `/experiments/${experimentId}?tab=summary&selected=tau`,
      `/experiments/${experimentId}?tab=logs`,
      `/experiments/${experimentId}?tab=files`,
    ];
    for (const path of paths) {
      await page.goto(served.origin + path);
      await settle(page);
      expect(await violationsOf(page), path).toEqual([]);
    }
    await page.goto(`${served.origin}/experiments/${experimentId}`);
    await settle(page);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByRole('dialog').getByText('They will not see').waitFor();
    expect(await violationsOf(page), 'share dialog').toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    expect(await violationsOf(page), 'palette').toEqual([]);
    await context.close();
  });
});
