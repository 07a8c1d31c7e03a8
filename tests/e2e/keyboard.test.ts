/** Create, edit, run, watch and share, without ever touching the mouse. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch, makeReadyFolder, type Served } from '../support/served.ts';
import { leaveBrowser, takeBrowser, visit } from './browser.ts';

let browser: Browser;
let served: Served;
let page: Page;

beforeAll(async () => {
  const dataDir = await makeReadyFolder();
  [browser, served] = await Promise.all([takeBrowser(), launch({ dataDir }).ready]);
  page = (await visit(browser)).page;
});
afterAll(async () => {
  await leaveBrowser();
  served?.process.kill('SIGTERM');
  await served?.exited;
});

interface Focused {
  readonly role: string;
  readonly name: string;
  readonly isSeen: boolean;
}

/** The focused element: its role, its name, and whether its focus is visible. */
const focused = () =>
  page.evaluate((): Focused => {
    const element = document.activeElement as HTMLElement;
    const label =
      element.getAttribute('aria-label') ??
      document.getElementById(element.getAttribute('aria-labelledby') ?? '')?.textContent ??
      (element as HTMLInputElement).labels?.[0]?.textContent ??
      element.textContent ??
      '';
    const box = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    const around = element.closest('label, [class*="wrapper"], [class*="root"]');
    const hasRing = (one: Element | null) =>
      one !== null &&
      ((getComputedStyle(one).outlineStyle !== 'none' &&
        Number.parseFloat(getComputedStyle(one).outlineWidth) > 0) ||
        getComputedStyle(one).boxShadow !== 'none');
    const isField = /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName);
    return {
      role: element.getAttribute('role') ?? element.tagName.toLowerCase(),
      name: label.replace(/\s+/g, ' ').trim(),
      isSeen:
        element === document.body ||
        // the editor shows its caret
        element.closest('.monaco-editor') !== null ||
        // radios and checkboxes are drawn by their labels
        hasRing(element.nextElementSibling) ||
        (box.width > 0 &&
          style.visibility !== 'hidden' &&
          (hasRing(element) || hasRing(around) || isField)),
    };
  });

/** Presses Tab until the focused element has that name; every stop on the way must be visible. */
async function tabTo(name: RegExp, limit = 120): Promise<void> {
  const passed: string[] = [];
  for (let i = 0; i < limit; i++) {
    // in the editor Tab inserts text; Ctrl+M, as the help says, makes it move the focus
    const inEditor = () =>
      page.evaluate(() => document.activeElement?.closest('.monaco-editor') !== null);
    if (await inEditor()) await page.keyboard.press('Control+m');
    await page.keyboard.press('Tab');
    const now = await focused();
    expect(now.isSeen, `the focus on ${now.role} "${now.name}" cannot be seen`).toBe(true);
    if (name.test(now.name)) return;
    passed.push(now.name);
  }
  throw new Error(`Tab never came to ${name}; it passed ${passed.slice(-40).join(' | ')}`);
}

async function go(key: string, title: string): Promise<void> {
  await page.locator('body').press('g');
  await page.locator('body').press(key);
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
}

describe('by keyboard alone', () => {
  it('a model is found by the palette and made from the gallery', async () => {
    await page.goto(`${served.origin}/?token=${served.token}`);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('new model');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'New model' }).waitFor();
    await tabTo(/^(Open )?Eight schools|^Open$/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/models\/M/);
    await page.locator('.monaco-editor .view-lines').first().waitFor();
  });

  it('its program is edited, saved, and the editor can be left again', async () => {
    await tabTo(/editor|main\.stan|\.stan/i);
    for (let i = 0; i < 40; i++) {
      if (await page.evaluate(() => document.activeElement?.closest('.monaco-editor') !== null))
        break;
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\n// by keyboard');
    await page.keyboard.press('Control+s');
    await page.getByText(/^Saved /).waitFor();
  });

  it('it is run, the page is watched, and the arrow keys move between tabs', async () => {
    await page.reload();
    await page.locator('.monaco-editor .view-lines').first().waitFor();
    await tabTo(/^Run$/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/experiments\/X/);
    await page.getByText('Finished', { exact: true }).waitFor({ timeout: 90_000 });
    await tabTo(/^Traces/);
    await page.keyboard.press('ArrowRight');
    await page.getByRole('rowheader', { name: 'mu' }).waitFor();
    expect(await page.getByRole('tab', { selected: true }).innerText()).toContain('Summary');
  });

  it('it is shared, the focus returns, and the share is listed', async () => {
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await tabTo(/^Share$/);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await tabTo(/^Create link$/);
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Link', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect((await focused()).name).toBe('Share');
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await go('s', 'Shares');
    await page.getByText('Eight schools').first().waitFor();
  });

  it('help lists the shortcuts, and shortcuts open the main pages', async () => {
    await page.locator('body').press('?');
    const help = page.getByRole('dialog');
    await help.getByText('Models').first().waitFor();
    await help.getByText(/Tab indents or leaves the editor/).waitFor();
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    for (const [key, title] of [
      ['m', 'Models'],
      ['d', 'Data'],
      ['w', 'Workflows'],
      ['e', 'Experiments'],
      ['o', 'Overview'],
    ])
      await go(key, title);
  });
});
