/** Draws that were sampled elsewhere, dropped into the page of a new experiment, in a real browser. */
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { expectNoSidewaysScroll, type Visitor, visit } from './browser.ts';
import { setStage } from './story.ts';

const stage = setStage();
let visitor: Visitor;
let page: Page;
beforeAll(async () => {
  visitor = await visit(stage.browser);
  page = visitor.page;
});

const fixture = (name: string) =>
  fileURLToPath(new URL(`../fixtures/posterior/${name}`, import.meta.url));

it('become an experiment with its verdict', async () => {
  await page.goto(`${stage.served.origin}/?token=${stage.served.token}`);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.goto(`${stage.served.origin}/experiments/new`);
  await page.getByRole('tab', { name: 'Import finished draws' }).click();
  const files = page.getByLabel('Draws files');
  await files.setInputFiles([1, 2, 3, 4].map((n) => fixture(`bern${n}.csv`)));
  const list = page.getByRole('list', { name: 'Chosen files' });
  await expect.poll(() => list.getByRole('listitem').count()).toBe(4);
  expect(await list.innerText()).toContain('Stan CSV');
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.waitForURL(/\/experiments\/X\w+/);
  await page.getByRole('heading', { name: 'bern' }).waitFor();
  await page.getByText('Looks converged').first().waitFor();
  expect(visitor.problems).toEqual([]);
});

it('that are none are named at their file', async () => {
  await page.goto(`${stage.served.origin}/experiments/new?way=import`);
  await page.getByLabel('Draws files').setInputFiles([
    { name: 'good.csv', mimeType: 'text/csv', buffer: Buffer.from('lp__,mu\n1,2\n3,4\n') },
    { name: 'bad.csv', mimeType: 'text/csv', buffer: Buffer.from('lp__,mu\n1,x\n3,4\n') },
  ]);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const wrong = page.getByRole('listitem').filter({ hasText: 'bad.csv' });
  await wrong.getByRole('alert').filter({ hasText: 'line 2: "x" is not a number.' }).waitFor();
  expect(visitor.problems).toEqual([]);
});
