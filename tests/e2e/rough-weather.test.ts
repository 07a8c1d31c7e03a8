/** What goes wrong in real life: two tabs, no network, a server restart, a slow line, a revoked token. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch, makeReadyFolder, type Served } from '../support/served.ts';
import { leaveBrowser, takeBrowser, visit } from './browser.ts';
import { makeModel, startSlowRun, untilEnded } from './runs.ts';

let browser: Browser;
let served: Served;
let dataDir: string;

beforeAll(async () => {
  dataDir = await makeReadyFolder();
  [browser, served] = await Promise.all([takeBrowser(), launch({ dataDir }).ready]);
});
afterAll(async () => {
  await leaveBrowser();
  served?.process.kill('SIGTERM');
  await served?.exited;
});

async function typeAtEnd(page: Page, text: string): Promise<void> {
  await page.locator('.monaco-editor .view-lines').first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(text);
}

describe('two tabs on one model', () => {
  it('the second to save sees both versions and chooses, and nothing is lost', async () => {
    const id = await makeModel(served, 'Edited twice', 'parameters { real x; }\n');
    const { page: first, context, problems } = await visit(browser);
    await first.goto(`${served.origin}/models/${id}?token=${served.token}`);
    await first.locator('.monaco-editor .view-lines').first().waitFor();
    const second = await context.newPage();
    await second.goto(`${served.origin}/models/${id}`);
    await second.locator('.monaco-editor .view-lines').first().waitFor();

    await typeAtEnd(first, '// from the first tab');
    await first.keyboard.press('Control+s');
    await first.getByText(/^Saved /).waitFor();

    await typeAtEnd(second, '// from the second tab');
    await second.keyboard.press('Control+s');
    await second.getByText('v2 was saved while you were editing v1').waitFor();
    await second.getByText('Nothing is lost').waitFor();
    await second.getByText('1 difference').waitFor();
    await second.getByRole('button', { name: 'Next difference' }).click();
    await second.getByRole('button', { name: 'Previous difference' }).click();
    await second.getByRole('button', { name: 'Keep mine' }).click();
    await second.getByRole('button', { name: 'Save as v3' }).click();
    await second.getByText('v3', { exact: true }).waitFor();

    const source = async (version: number) => {
      const view = await served.call('GET', `/api/object/${id}?version=${version}`);
      const { content } = view.data as { content: { tree: { content: string }[] } };
      return JSON.stringify(content.tree);
    };
    const decoded = async (version: number) => {
      const [{ content, encoding }] = JSON.parse(await source(version));
      return encoding === 'text' ? content : Buffer.from(content, 'base64').toString('utf8');
    };
    expect(await decoded(2)).toContain('from the first tab');
    expect(await decoded(3)).toContain('from the second tab');
    expect(problems).toEqual([]);
    await context.close();
  });

  it('a killed tab leaves a draft, which is offered but not saved by itself', async () => {
    const id = await makeModel(served, 'Killed tab', 'parameters { real x; }\n');
    const { page, context } = await visit(browser);
    await page.goto(`${served.origin}/models/${id}?token=${served.token}`);
    await typeAtEnd(page, '// not saved yet');
    await page.getByText(/draft kept/i).waitFor();
    const again = await context.newPage();
    await page.close({ runBeforeUnload: false });
    await again.goto(`${served.origin}/models/${id}`);
    await again.getByText('This browser holds a draft of this model').waitFor();
    await again.getByRole('button', { name: 'Restore' }).click();
    await again.locator('.monaco-editor').getByText('not saved yet').waitFor();
    const view = await served.call('GET', `/api/object/${id}`);
    expect((view.data as { version: number }).version).toBe(1);
    await context.close();
  });
});

describe('a page without a network', () => {
  it('shows a message, keeps its content, and recovers by itself', async () => {
    const { page, context } = await visit(browser);
    await page.goto(`${served.origin}/models?token=${served.token}`);
    await page.getByText('Edited twice').first().waitFor();
    await context.setOffline(true);
    await page.getByText('Connection lost.').waitFor();
    await page.getByText('Edited twice').first().waitFor();
    await context.setOffline(false);
    await page.getByText('Connection lost.').waitFor({ state: 'detached' });
    await context.close();
  });
});

describe('a server that restarts during a run', () => {
  it('is awaited by the page, and the run ends with all draws', async () => {
    const run = await startSlowRun(served);
    const { page, context } = await visit(browser);
    await page.goto(`${served.origin}/experiments/${run}?token=${served.linkToken}`);
    await page.locator('article .js-plotly-plot').first().waitFor();
    const { port } = new URL(served.origin);
    served.process.kill('SIGKILL');
    await served.exited;
    await page
      .getByText(/Connection lost/)
      .first()
      .waitFor();
    served = await launch({ dataDir, options: ['--port', port] }).ready;
    // the link's token was exchanged for a longer-lived one: no new sign-in is needed
    await page.waitForFunction(
      () => !document.body.innerText.includes('Connection lost'),
      undefined,
      { timeout: 60_000 },
    );
    await untilEnded(served, run);
    await page.getByText('Finished', { exact: true }).waitFor({ timeout: 60_000 });
    const view = await served.call('GET', `/api/object/${run}`);
    expect(view.data).toMatchObject({ status: 'FIN', n_samples: 4000 });
    await context.close();
  });
});

describe('a slow connection', () => {
  it('still loads the pages, and a double click creates one object', async () => {
    const { page, context, problems } = await visit(browser);
    const cdp = await context.newCDPSession(page);
    await cdp.send('Network.enable');
    await cdp.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 400,
      downloadThroughput: 50_000 * 8,
      uploadThroughput: 20_000 * 8,
    });
    await page.goto(`${served.origin}/models?token=${served.token}`, { waitUntil: 'commit' });
    await page.getByText('Edited twice').first().waitFor({ timeout: 90_000 });
    // two clicks on one button make one object
    await page.goto(`${served.origin}/models/new`, { waitUntil: 'commit' });
    const card = page
      .locator('article, li, section')
      .filter({ has: page.getByRole('heading', { name: 'Eight schools', exact: true }) });
    const open = card.last().getByRole('button', { name: 'Open' });
    await open.waitFor({ timeout: 90_000 });
    await open.dblclick();
    await page.waitForURL(/\/models\/M/, { timeout: 90_000 });
    const made = await served.call('GET', '/api/object?object_type=model&q=Eight%20schools');
    expect((made.data as { total: number }).total).toBe(1);
    expect(problems).toEqual([]);
    await context.close();
  });
});

describe('a token that is revoked', () => {
  it('leads to the sign-in page, and back to the page that was opened', async () => {
    const made = await served.call('POST', '/base/user/tokens', { name: 'short' });
    const { id, token } = made.data as { id: number; token: string };
    const { page, context } = await visit(browser);
    await page.goto(`${served.origin}/?token=${token}`);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.goto(`${served.origin}/models?q=Edited`);
    await page.getByText('Edited twice').first().waitFor();
    await served.call('DELETE', `/base/user/tokens?tokens=${id}`);
    await page.getByRole('link', { name: 'Experiments' }).first().click();
    await page.getByRole('heading', { name: 'Sign in to Ergodic' }).waitFor();
    await page.getByText('You will return to where you were.').waitFor();
    await page.getByText('Token', { exact: true }).click();
    await page.getByLabel('Token', { exact: true }).last().fill(served.token);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(/\/experiments/);
    await page.getByRole('heading', { name: 'Experiments' }).waitFor();
    await context.close();
  });
});
