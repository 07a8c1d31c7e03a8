/** Chromium for browser tests: one launch per process, a fresh profile per test, and every page error is a failure. */
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect, onTestFailed } from 'vitest';
import { getCurrentTest } from 'vitest/suite';
import { findChromium } from '../support/parts.mjs';

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium() ?? undefined,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** Each test file of a process has its own modules, so the browser is stored globally. */
const shared = globalThis as { ergodicBrowser?: Promise<Browser> };

/** The browser of this process, started by the first file that needs it. Playwright closes it when the process ends. */
export async function takeBrowser(): Promise<Browser> {
  const running = await shared.ergodicBrowser?.catch(() => null);
  if (running?.isConnected()) return running;
  shared.ergodicBrowser = launchBrowser();
  return shared.ergodicBrowser;
}

/** At the end of a file: closes its open contexts, for the next file. */
export async function leaveBrowser(): Promise<void> {
  const browser = await shared.ergodicBrowser?.catch(() => null);
  await Promise.all((browser?.contexts() ?? []).map((context) => context.close()));
}

export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What went wrong in the page so far: exceptions, refused resources, console errors. */
  readonly problems: string[];
}

interface VisitOptions {
  readonly scheme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  readonly locale?: string;
  /** Whose session the profile holds; absent: nobody is signed in. */
  readonly signedIn?: { readonly origin: string; readonly token: string };
}

/** A person with a separate profile. */
export async function visit(browser: Browser, options: VisitOptions = {}): Promise<Visitor> {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
    colorScheme: options.scheme ?? 'light',
    acceptDownloads: true,
    locale: options.locale,
    reducedMotion: 'reduce',
    storageState: options.signedIn && sessionOf(options.signedIn),
  });
  // a limit for hanging, not for speed: the machine may be slow and busy
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`exception: ${error.message}`));
  page.on('console', (message) => {
    // Refused requests are part of the tests; the browser logs every 4xx response.
    const isRefusal = /status of 4\d\d/.test(message.text());
    if (message.type() === 'error' && !isRefusal) problems.push(`console: ${message.text()}`);
  });
  if (getCurrentTest() !== undefined) onTestFailed(() => sayWhere(page, problems), 10_000);
  return { context, page, problems };
}

/** What the browser keeps of somebody who stays signed in (`dashboard/session/session.ts`). */
function sessionOf({ origin, token }: { readonly origin: string; readonly token: string }) {
  const value = JSON.stringify({ server: '', token });
  return { cookies: [], origins: [{ origin, localStorage: [{ name: 'ergodic.session', value }] }] };
}

/** The page of a failed test as text: no screenshot is left when its log is read. */
async function sayWhere(page: Page, problems: readonly string[]): Promise<void> {
  if (page.isClosed()) return;
  const text = await page.locator('body').innerText({ timeout: 5000 });
  process.stdout.write(`at ${page.url()}\n${[...problems, text].join('\n').slice(0, 4000)}\n`);
}

/** Nothing on the page may extend beyond its width. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const { scroll, width } = await page.evaluate(() => ({
    scroll: document.documentElement.scrollWidth,
    width: document.documentElement.clientWidth,
  }));
  expect(scroll, `the page at ${page.url()} is wider than its window`).toBeLessThanOrEqual(width);
}

/** Records what moves on the page by itself from now on; call it before the page is opened. */
export async function recordShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: { value: number; moved: string[] }[] = [];
    Object.assign(window, { layoutShifts: shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput, sources } = entry as unknown as LayoutShift;
        // Shifts caused by keyboard or pointer input are allowed.
        if (hadRecentInput) continue;
        const moved = sources.map(({ node, previousRect, currentRect }) => {
          const name = node instanceof Element ? node.outerHTML.slice(0, 90) : node?.textContent;
          return `${name} from ${previousRect.x},${previousRect.y} to ${currentRect.x},${currentRect.y}`;
        });
        shifts.push({ value, moved });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

interface LayoutShift {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources: readonly {
    readonly node: Node | null;
    readonly previousRect: DOMRectReadOnly;
    readonly currentRect: DOMRectReadOnly;
  }[];
}

/** What has moved since the page was opened; `value` as browsers measure it (Layout Instability). */
export function shiftsOf(page: Page): Promise<{ value: number; moved: string[] }[]> {
  return page.evaluate(
    () =>
      (window as unknown as { layoutShifts: { value: number; moved: string[] }[] }).layoutShifts,
  );
}
