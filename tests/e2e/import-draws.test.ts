/** Draws that were sampled elsewhere, imported on the page of a new experiment, in a real browser. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectNoSidewaysScroll, type Visitor, visit } from './browser.ts';
import { setStage } from './story.ts';

const stage = setStage();
let visitor: Visitor;
let page: Page;
beforeAll(async () => {
  visitor = await visit(stage.browser);
  page = visitor.page;
});

const folder = mkdtempSync(path.join(tmpdir(), 'ergodic-upload-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fixture = (name: string) =>
  fileURLToPath(new URL(`../fixtures/posterior/${name}`, import.meta.url));

it('imported draws become an experiment with its verdict', async () => {
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

it('files that are not draws get an error at their name', async () => {
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

it('draws of many megabytes are uploaded in pieces, through a lost connection and a reload', async () => {
  const rows = Array.from({ length: 600_000 }, (_, i) => `-${i % 97}.5,0.${(i * 7919) % 1e6},${i}`);
  const large = path.join(folder, 'large_1.csv');
  writeFileSync(large, `lp__,mu,tau\n${rows.join('\n')}\n`);
  const choose = async () => {
    await page.goto(`${stage.served.origin}/experiments/new?way=import`);
    await page.getByLabel('Draws files').setInputFiles(large);
    await page.getByText('Table of draws').or(page.getByText('Stan CSV')).last().waitFor();
  };
  // every piece waits for a signal, so that the upload can be interrupted in the middle
  let numPieces = 0;
  let allowed = 0;
  const gate = new Set<() => void>();
  const letThrough = (count: number) => {
    allowed += count;
    for (const open of gate) open();
  };
  await page.route('**/api/upload/*', async (route) => {
    if (route.request().method() !== 'PUT') return route.continue();
    const mine = ++numPieces;
    while (mine > allowed) await new Promise<void>((resolve) => gate.add(resolve));
    return route.continue().catch(() => {});
  });

  await choose();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  letThrough(2);
  const uploaded = page.getByText(/^Uploaded [\d.]+ of 1\d MB/);
  await uploaded.waitFor();
  await expect.poll(() => numPieces).toBe(3);
  await expectNoSidewaysScroll(page);
  await page.context().setOffline(true);
  letThrough(1);
  await page.getByText(/Trying again; what was sent is safe\./).waitFor();
  await page.context().setOffline(false);
  await expect.poll(() => numPieces).toBe(4);
  expect(await page.getByText(/Trying again/).count()).toBe(0);

  // leaving needs a confirmation; what was sent is still there after a reload
  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await page.getByText(/Uploaded earlier: large_1\.csv \([\d.]+ of 1\d MB\)/).waitFor();
  await page.getByLabel('Draws files').setInputFiles(large);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expect.poll(() => numPieces).toBe(5);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused. What was sent is kept for a day').waitFor();
  letThrough(1000);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL(/\/experiments\/X\w+/);
  await page.getByRole('heading', { name: 'large' }).waitFor();
  await page.getByText('600 000').first().waitFor({ timeout: 60_000 });
  await page.unroute('**/api/upload/*');
});
