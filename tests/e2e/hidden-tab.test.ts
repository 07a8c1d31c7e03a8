/** A tab that stays hidden for a long time, on the test's own clock. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { visit } from './browser.ts';
import { leave, setStage } from './story.ts';

let runId = '';
let numDraws = 0;
const batch = { batch_id: 'b', run_id: 'r' };
const names = ['lp__/val', 'mu/val', 'theta[1]/val', 'theta[2]/val'];

const stage = setStage(async ({ served, create }) => {
  // the test acts as the runner, so that it decides when draws arrive
  runId = await create({ object_type: 'experiment', name: 'Watched', meta: { status: 'RUN' } });
  await served.call('POST', `/api/object/${runId}`, {
    payload: { object_type: 'experiment', status: 'RUN', meta: { run_info: batch } },
  });
  await sendDraws(200);
});

async function sendDraws(count: number): Promise<void> {
  const first = numDraws + 1;
  numDraws += count;
  const draws = (shift: number) =>
    Array.from({ length: count }, (_, i) => Math.sin((first + i) * 7.3 + shift) + shift);
  const chains = ['chain#1', 'chain#2'];
  const sent = await stage.served.call('POST', `/api/object/${runId}`, {
    payload: {
      object_type: 'experiment.protobuf_message',
      ...batch,
      logs: {
        vars: Object.fromEntries(
          chains.map((chain) => [
            chain,
            Object.fromEntries(names.map((name, at) => [name, draws(at)])),
          ]),
        ),
        iteration: Object.fromEntries(chains.map((chain) => [chain, [first, numDraws, 1]])),
      },
    },
  });
  expect(sent).toMatchObject({ status: 'ok' });
}

/** Lets the test set whether the tab is visible; in a headless browser every tab is. */
async function letHide(page: Page): Promise<(isHidden: boolean) => Promise<void>> {
  await page.addInitScript(() => {
    const state = window as unknown as { isTabHidden: boolean };
    state.isTabHidden = false;
    Object.defineProperty(document, 'hidden', { get: () => state.isTabHidden });
    Object.defineProperty(document, 'visibilityState', {
      get: () => (state.isTabHidden ? 'hidden' : 'visible'),
    });
  });
  return (isHidden) =>
    page.evaluate((hidden) => {
      (window as unknown as { isTabHidden: boolean }).isTabHidden = hidden;
      document.dispatchEvent(new Event('visibilitychange'));
    }, isHidden);
}

describe('a hidden tab', () => {
  it('requests nothing for an hour, and at once when it is visible again', async () => {
    const visitor = await visit(stage.browser);
    const { page } = visitor;
    const hide = await letHide(page);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    page.on('websocket', (socket) => asked.push(new URL(socket.url()).pathname));
    await page.clock.install();
    await page.goto(`${stage.served.origin}/?token=${stage.served.token}`);
    // wait until signed in: leaving the page sooner cancels the link's request
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    for (const path of [
      '/',
      '/experiments',
      '/workflows',
      '/notifications',
      `/experiments/${runId}`,
    ]) {
      await page.goto(stage.served.origin + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      // work that waits for a quiet page starts now
      await page.clock.runFor(5000);
      await page.waitForLoadState('networkidle');
      await hide(true);
      // open requests finish
      await page.waitForLoadState('networkidle');
      asked.length = 0;
      for (let minute = 0; minute < 60; minute++) await page.clock.fastForward(60_000);
      expect(asked, path).toEqual([]);
    }
    await hide(false);
    await page.clock.runFor(2000);
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    await leave(visitor);
  });
});
