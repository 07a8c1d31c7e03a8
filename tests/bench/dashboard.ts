/**
 * The built dashboard in Chromium, against the built service with a lot of data:
 *
 *   npm run bench -- dashboard [--experiments 100000] [--draws 1000000] [--minutes 60] [--lighthouse] [--only PART]
 *
 * PART: sizes, requests, hidden, list, trace, summary, soak. Each figure is shown next to its budget. The browser's own
 * cost (an empty page, an idle frame) is measured in the same run. `--lighthouse` fetches
 * Lighthouse from the npm registry and prints its scores.
 */
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import type pg from 'pg';
import type { CDPSession, Page } from 'playwright-core';
import { listChains } from '../../src/service/repositories/chains.ts';
import { selectOne, sql } from '../../src/service/repositories/database.ts';
import { findExperimentById, updateSummary } from '../../src/service/repositories/experiments.ts';
import { summariseRun } from '../../src/service/results/summarise-run.ts';
import { launchBrowser, visit } from '../e2e/browser.ts';
import { findChromium } from '../support/parts.mjs';
import {
  makeServedWorkflow,
  type ServedAccess,
  startServedRun,
  untilRun,
} from '../support/served-runs.ts';
import { eightSchools } from '../support/service-objects.ts';
import { layDraws } from './lay-draws.ts';
import { longestTask } from './main-thread.ts';
import { seedExperiments, serveBuilt } from './serve-built.ts';

const { values: options } = parseArgs({
  options: {
    experiments: { type: 'string', default: '100000' },
    draws: { type: 'string', default: '1000000' },
    minutes: { type: 'string', default: '60' },
    lighthouse: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
});
const root = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
const rows: [string, string, string][] = [];
const say = (line: string) => process.stderr.write(`${line}\n`);
const wants = (part: string) => options.only === '' || options.only === part;
const ms = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
const median = (values: number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** Summarises the run and stores the summary, as happens when a run ends. */
async function keepSummary(pool: pg.Pool, shortId: string): Promise<void> {
  const row = await selectOne<{ id: number }>(
    pool,
    sql`select id from objects where short_id = ${shortId}`,
  );
  const { id } = row as { id: number };
  const revision = (await findExperimentById(pool, id))?.revision ?? 0;
  const chains = await listChains(pool, id);
  const request = { experimentId: id, revision: String(revision), chains };
  const { summary } = await summariseRun(pool, request);
  await updateSummary(pool, id, summary);
}

/** Defines the wrapper that this file's loader puts around functions, for those that run in the page. */
async function prepare(page: Page): Promise<void> {
  await page.context().addInitScript({ content: 'globalThis.__name ??= (one) => one' });
}

/** Does `work` and records the main thread's longest task meanwhile. */
async function watchTasks(page: Page, what: string, work: () => Promise<unknown>): Promise<void> {
  // The previous page must not be measured.
  await page.goto('about:blank');
  const { clock, processor } = await longestTask(browser, page, work);
  rows.push([what, `${ms(processor)} of the processor, ${ms(clock)} by the clock`, '50 ms']);
}

/** In the page: when the first line of a plot appears, by the page's own clock. */
function noteFirstTrace(): void {
  const observer = new MutationObserver(() => {
    const line = 'article[aria-label^="Trace of"] .js-plotly-plot .trace path';
    if (document.querySelector(line) === null) return;
    observer.disconnect();
    performance.mark('first trace');
  });
  observer.observe(document, { childList: true, subtree: true });
}

/** In the page: when the first row of the summary appears. */
function noteFirstRow(): void {
  const observer = new MutationObserver(() => {
    if (document.querySelector('th[scope="row"]') === null) return;
    observer.disconnect();
    performance.mark('first row');
  });
  observer.observe(document, { childList: true, subtree: true });
}

/** Milliseconds from a click to the trace, when all draws are in the page: a density has fetched them. */
async function fromWholeColumns(page: Page): Promise<number> {
  await page.getByRole('tab', { name: 'Posterior' }).click();
  await page.getByText('Density', { exact: true }).click();
  await page.locator('article .js-plotly-plot .trace').first().waitFor({ timeout: 120_000 });
  await page.evaluate(() => performance.clearMarks('first trace'));
  await page.evaluate(noteFirstTrace);
  return page.evaluate(async () => {
    const began = performance.now();
    const tabs = Array.from(document.querySelectorAll<HTMLElement>('[role="tab"]'));
    tabs.find((tab) => tab.textContent === 'Traces')?.click();
    const look = () => performance.getEntriesByName('first trace')[0]?.startTime;
    while ((look() ?? 0) < began) await new Promise((resolve) => setTimeout(resolve, 5));
    return (look() ?? 0) - began;
  });
}

/** In the page: milliseconds from the last byte of the draws to the first trace. */
function sinceTheDraws(): number {
  const traceAt = performance.getEntriesByName('first trace')[0].startTime;
  const arrivals = performance
    .getEntriesByType('resource')
    .filter(({ name }) => name.includes('/api/draws/'))
    .map((entry) => (entry as PerformanceResourceTiming).responseEnd);
  return traceAt - Math.max(...arrivals.filter((at) => at < traceAt));
}

const isApi = (url: string) => /^\/(api|base|sys|invoke)\b/.test(new URL(url).pathname);

/** Paths requested until the page's main content appears; requests that wait for it are not counted. */
async function requestsOf(
  page: Page,
  seen: string,
  go: () => Promise<unknown>,
): Promise<readonly string[]> {
  await page.goto('about:blank');
  const asked: string[] = [];
  const onRequest = (request: { url(): string }) => {
    if (isApi(request.url())) asked.push(new URL(request.url()).pathname);
  };
  page.on('request', onRequest);
  await go();
  await page.locator('main').getByText(seen).first().waitFor();
  const painted = [...asked];
  await page.waitForLoadState('networkidle');
  page.off('request', onRequest);
  return painted;
}

async function heapMiB(cdp: CDPSession): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = (await cdp.send('Runtime.getHeapUsage')) as { usedSize: number };
  return usedSize / 2 ** 20;
}

if (wants('sizes')) {
  const { stdout } = await run(process.execPath, [path.join(root, 'tests/sizes.mjs')]);
  for (const line of stdout.trim().split('\n').slice(0, 4)) rows.push(['size', line, '']);
}

const service = await serveBuilt();
const browser = await launchBrowser();
try {
  const { access } = service;
  const { page, context } = await visit(browser);
  const cdp = await context.newCDPSession(page);
  await prepare(page);
  await page.goto(`${access.origin}/?token=${access.token}`);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  const finished = await startServedRun(access, await makeServedWorkflow(access, eightSchools));
  await untilRun(access, finished);

  if (wants('requests')) {
    for (const [what, url, seen, budget] of [
      ['overview', '/', 'a run', 5],
      ['list of models', '/models', 'a model', 3],
      ['list of experiments', '/experiments', 'a run', 3],
      ['list of data', '/data', 'some data', 3],
      ['an experiment', `/experiments/${finished}`, 'theta[1]', 5],
      ['its summary', `/experiments/${finished}?tab=summary`, 'theta[1]', 5],
    ] as const) {
      const asked = await requestsOf(page, seen, () => page.goto(access.origin + url));
      const paths = asked.join(' ').replaceAll(finished, '…');
      rows.push([`requests: ${what}`, `${asked.length}: ${paths}`, `at most ${budget}`]);
    }
  }

  if (wants('hidden')) {
    // A separate context: the clock of a page is shared by all pages of its context.
    const hidden = await visit(browser);
    const other = hidden.page;
    await prepare(other);
    await other.clock.install();
    await other.goto(`${access.origin}/?token=${access.token}`);
    await other.getByRole('heading', { name: 'Overview' }).waitFor();
    const slow = await startServedRun(
      access,
      await makeServedWorkflow(access, {
        source:
          'parameters { vector[9] x; } model { for (i in 1:9) for (j in 1:900) target += normal_lpdf(x[i] | 0, j); }',
        settings: 'sampling: {num_chains: 1, num_warmup: 500, num_samples: 100000, seed: 1}',
      }),
    );
    await other.goto(`${access.origin}/experiments/${slow}`);
    await other.getByRole('heading', { level: 1 }).waitFor();
    await other.evaluate(() => {
      Object.defineProperty(document, 'hidden', { get: () => true });
      Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await other.clock.runFor(5000);
    let count = 0;
    other.on('request', () => {
      count += 1;
    });
    await other.clock.runFor('01:00:00');
    rows.push(['requests in a hidden hour of a running experiment', String(count), '0']);
    await hidden.context.close();
    await access.call('POST', `/api/object/${slow}`, {
      payload: { object_type: 'experiment', action: 'stop' },
    });
  }

  if (wants('list')) {
    say(`Making ${options.experiments} experiments …`);
    await service.withDatabase((pool) => seedExperiments(pool, Number(options.experiments)));
    const open = async () => {
      await page.goto(`${access.origin}/experiments`);
      await page.getByText('run ').first().waitFor();
    };
    const since = performance.now();
    await open();
    rows.push([`list of ${options.experiments}, usable`, ms(performance.now() - since), '1000 ms']);
    // rows outside the window arrive after the first
    await page.locator('tbody tr').nth(49).waitFor();
    const rowsInDom = await page.locator('tbody tr, [role="row"]').count();
    rows.push(['its rows in the page', String(rowsInDom), 'at most 60']);
    await watchTasks(page, 'its longest task', open);
  }

  if (wants('trace')) {
    const draws = Number(options.draws);
    say(`Laying 4 × ${draws} draws …`);
    let id = '';
    await service.withDatabase(async (pool) => {
      id = await layDraws(pool, { name: 'long', variables: 1, draws });
    });
    await page.addInitScript(noteFirstTrace);
    await page.goto(`${access.origin}/experiments/${id}?tab=traces`);
    await page.waitForFunction(() => performance.getEntriesByName('first trace').length > 0);
    rows.push([
      `4 × ${draws} draws: first trace after the data`,
      ms(await page.evaluate(sinceTheDraws)),
      '300 ms',
    ]);
    const idle = await frameTimes(page, async () => page.waitForTimeout(500));
    const box = await page.locator('article .js-plotly-plot .draglayer').first().boundingBox();
    if (box !== null) {
      const zooming = await frameTimes(page, async () => {
        await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2);
        await page.mouse.down();
        for (let i = 0; i < 40; i++)
          await page.mouse.move(box.x + box.width * (0.3 + i * 0.01), box.y + box.height / 2);
        await page.mouse.up();
        await page.waitForTimeout(300);
      });
      rows.push(['frame while zooming, median', ms(median(zooming)), '16 ms']);
      rows.push(['frame of an idle page, median', ms(median(idle)), '']);
    }
    await watchTasks(page, 'its longest task', async () => {
      await page.goto(`${access.origin}/experiments/${id}?tab=traces`);
      await page.locator('article .js-plotly-plot .trace').first().waitFor({ timeout: 120_000 });
    });
    rows.push([
      'first trace from whole columns in the page',
      ms(await fromWholeColumns(page)),
      '300 ms',
    ]);
  }

  if (wants('summary')) {
    let id = '';
    await service.withDatabase(async (pool) => {
      id = await layDraws(pool, { name: 'wide', variables: 1000, draws: 1000 });
    });
    const open = async () => {
      await page.goto(`${access.origin}/experiments/${id}?tab=summary`);
      await page.getByRole('rowheader').first().waitFor({ timeout: 120_000 });
    };
    await page.addInitScript(noteFirstRow);
    const took = async () => {
      await open();
      // By the page's own clock, from the moment of the request: waiting from outside polls twice a second.
      return ms(await page.evaluate(() => performance.getEntriesByName('first row')[0].startTime));
    };
    // There is no stored summary yet, as for a continuing run or a share.
    rows.push(['summary of 1000 × 4 × 1000, made on demand', await took(), '2000 ms']);
    await service.withDatabase((pool) => keepSummary(pool, id));
    rows.push(['the same, kept at the end of the run', await took(), '2000 ms']);
    await watchTasks(page, 'its longest task', open);
  }

  if (wants('soak')) await soak(page, cdp, access.origin, finished);
  if (options.lighthouse) await lighthouse(access, finished);
} finally {
  await browser.close();
  await service.stop();
}

/** Milliseconds between frames during `work`. */
async function frameTimes(page: Page, work: () => Promise<unknown>): Promise<number[]> {
  await page.evaluate(() => {
    const times: number[] = [];
    Object.assign(window, { frames_: times });
    let last = performance.now();
    const step = (now: number) => {
      times.push(now - last);
      last = now;
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });
  await work();
  return page.evaluate(() =>
    (window as unknown as { frames_: number[] }).frames_.slice(2).filter((time) => time > 0),
  );
}

/** A run that never ends, as the API shows it: each poll returns a few more draws; the clock runs as fast as it can. */
async function soak(page: Page, cdp: CDPSession, origin: string, id: string): Promise<void> {
  const minutes = Number(options.minutes);
  const other = await page.context().newPage();
  const session = await page.context().newCDPSession(other);
  await other.clock.install();
  const view = (await (
    await page.request.get(`${origin}/api/object/${id}`, {
      headers: { authorization: `Bearer ${await tokenOf(page)}` },
    })
  ).json()) as { data: Record<string, unknown> & { meta: Record<string, unknown> } };
  let looks = 0;
  await other.route(`**/api/object/${id}*`, (route) => {
    looks += 1;
    const meta = {
      ...view.data.meta,
      action: 'running',
      progress: { done: 4000 + looks, total: 1e6, chains: [] },
    };
    return route.fulfill({
      json: { status: 'ok', data: { ...view.data, status: 'RUN', meta } },
    });
  });
  await other.goto(`${origin}/experiments/${id}?tab=traces`);
  await other.locator('article .js-plotly-plot').first().waitFor({ timeout: 60_000 });
  await other.clock.runFor('00:05:00');
  const before = await heapMiB(session);
  await other.clock.runFor(
    `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}:00`,
  );
  const after = await heapMiB(session);
  rows.push([
    `heap after ${minutes} more minutes of a live run (${looks} looks)`,
    `${before.toFixed(1)} → ${after.toFixed(1)} MiB`,
    'no growth',
  ]);
  await other.close();
  await cdp.send('HeapProfiler.collectGarbage');
}

function tokenOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    for (const store of [sessionStorage, localStorage])
      for (let i = 0; i < store.length; i++) {
        const match = /erg_[\w-]{43}/.exec(store.getItem(store.key(i) as string) ?? '');
        if (match !== null) return match[0];
      }
    return '';
  });
}

/** Lighthouse's scores for the pages a user sees first, each in a separate Chromium, or the reason why there are none. */
async function lighthouse(access: ServedAccess, finished: string): Promise<void> {
  say('Fetching Lighthouse …');
  const { origin, token } = access;
  for (const [what, place] of [
    ['sign-in', '/sign-in'],
    ['overview', `/?token=${token}`],
    ['list of models', `/models?token=${token}`],
    ['an experiment', `/experiments/${finished}?token=${token}`],
  ]) {
    const report = await askLighthouse(origin + place);
    if (typeof report === 'string') {
      rows.push([`Lighthouse, ${what}`, `not measured: ${report}`, '98, 100, 100']);
      continue;
    }
    const { categories, audits, environment } = report;
    const scores = Object.values(categories).map(
      ({ title, score }) => `${title} ${Math.round(score * 100)}`,
    );
    const speed = `machine ${Math.round(environment.benchmarkIndex)}`;
    rows.push([`Lighthouse, ${what}`, `${scores.join(', ')} (${speed})`, '98, 100, 100']);
    for (const { auditRefs } of Object.values(categories))
      for (const { id, weight } of auditRefs) {
        const { title, score, displayValue = '' } = audits[id];
        if (weight > 0 && score !== null && score < 0.9)
          rows.push([`  loses by ${id}`, `${title} ${displayValue}`.trim(), '']);
      }
  }
}

interface LighthouseReport {
  readonly categories: Record<
    string,
    { title: string; score: number; auditRefs: { id: string; weight: number }[] }
  >;
  /** How fast the machine was: an idle desktop has 1500 or more, a phone 1000 or less. */
  readonly environment: { readonly benchmarkIndex: number };
  readonly audits: Record<string, { title: string; score: number | null; displayValue?: string }>;
}

/** The report, or why there is none: Lighthouse is fetched from the registry and not part of the project. */
async function askLighthouse(url: string): Promise<LighthouseReport | string> {
  try {
    const { stdout } = await run(
      'npx',
      [
        '--yes',
        'lighthouse@12.8.2',
        url,
        '--preset=desktop',
        '--output=json',
        '--quiet',
        '--chrome-flags=--headless=new --no-sandbox --disable-gpu',
        '--only-categories=performance,accessibility,best-practices',
      ],
      {
        cwd: tmpdir(),
        maxBuffer: 2 ** 28,
        env: { ...process.env, CHROME_PATH: findChromium() ?? '' },
      },
    );
    return JSON.parse(stdout) as LighthouseReport;
  } catch (error) {
    return (error as Error).message.split('\n').slice(0, 2).join(' ');
  }
}

const widths = [0, 1].map((at) => Math.max(...rows.map((row) => row[at].length)));
for (const [what, value, budget] of rows)
  process.stdout.write(
    `${what.padEnd(widths[0])}  ${value.padEnd(widths[1])}  ${budget === '' ? '' : `(budget ${budget})`}\n`,
  );
