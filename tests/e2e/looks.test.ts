/** What a browser can measure of a page's looks: columns in reach, nothing that jumps, tables high enough. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectNoSidewaysScroll, recordShifts, shiftsOf } from './browser.ts';
import { settle } from './inspect-page.ts';
import {
  makeModel,
  runGalleryModel,
  runModel,
  startModel,
  startSlowRun,
  untilEnded,
} from './runs.ts';
import { leave, setStage, tinyRun } from './story.ts';

const longWord = 'a_parameter_whose_name_nobody_should_write_and_somebody_did';
const longName = `A hierarchical regression of ${'admissions by department and year, '.repeat(3)}`;

const ids = {
  calm: '',
  other: '',
  centred: '',
  stopped: '',
  partly: '',
  without: '',
  failed: '',
  long: '',
  workflow: '',
};

const startsAbove = 'parameters { real<lower=0> a; }\nmodel { a ~ normal(0, 1); }\n';
const twoModes = `parameters { real x; }
model { target += log_mix(0.5, normal_lpdf(x | -9, 1), normal_lpdf(x | 9, 1)); }
`;

/** Runs of every ending, and a share. */
const stage = setStage(async ({ served, create }) => {
  ids.stopped = await startSlowRun(served, 4, 30_000);
  await create({ object_type: 'data', name: longName, data: '{"N": 1}' });
  const stop = { object_type: 'experiment', action: 'stop' };
  const model = await makeModel(
    served,
    longName,
    `parameters { real ${longWord}; }\nmodel { ${longWord} ~ normal(0, 1); }\n`,
  );
  await untilDraws(ids.stopped);
  await served.call('POST', `/api/object/${ids.stopped}`, { payload: stop });
  ids.long = await runModel(served, model, tinyRun);
  ids.calm = await runGalleryModel(served, 'eight-schools', tinyRun);
  ids.other = await runGalleryModel(served, 'eight-schools', { ...tinyRun, seed: 4 });
  const unlike = { num_warmup: 300, num_samples: 500, seed: 3 };
  ids.centred = await runGalleryModel(served, 'eight-schools-centred', unlike);
  const view = await served.call('GET', `/api/object/${ids.calm}`);
  const { model_id, workflow_id } = view.data as { model_id: string; workflow_id: string };
  ids.workflow = workflow_id;
  const data_id = await create({ object_type: 'data', name: 'No J', data: '{"y": [1, 2]}' });
  const wrong = await create({ object_type: 'workflow', name: 'Lacks J', model_id, data_id });
  const target = { target: wrong, action: 'run_sample', get_response: false };
  const started = await served.call('POST', '/invoke', target);
  ids.failed = (started.data as { experiment_id: string }).experiment_id;
  ids.partly = await startModel(
    served,
    { model_id: await makeModel(served, 'Starts at a > 0', startsAbove) },
    { ...tinyRun, num_samples: 300, inits: [{ a: 1 }, { a: -1 }, { a: 1 }, { a: 1 }] },
  );
  await untilEnded(served, ids.partly).catch(() => {});
  const modes = await makeModel(served, 'Two modes', twoModes);
  const inits = [{ x: -9 }, { x: 9 }, { x: 9 }, { x: 9 }];
  ids.without = await runModel(served, modes, { ...tinyRun, inits });
  await served.call('POST', `/api/object/${ids.without}`, {
    payload: { object_type: 'experiment', meta: { chains_left_out: ['chain#1'] } },
  });
  await create({ object_type: 'share', objid: ids.calm, password: '', target_user: '' });
});

/** Waits until two chains of a run have draws, in different numbers; tests that need them fail if none come. */
async function untilDraws(id: string): Promise<void> {
  for (let i = 0; i < 450; i++) {
    const view = await stage.served.call('GET', `/api/object/${id}`);
    const { meta } = view.data as { meta: { progress?: { chains: { draws?: number }[] } } };
    if ((meta.progress?.chains ?? []).filter(({ draws = 0 }) => draws > 50).length > 1) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const at = (path: string) => `${stage.served.origin}${path}`;
const run = (id: string, search = '') => at(`/experiments/${id}${search}`);

/** Titles of columns that extend beyond the card of their table, with no sign that there are more. */
const cutColumns = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('main table')]
      .filter((table) => table.checkVisibility())
      .flatMap((table) => {
        let card: Element | null = table.parentElement;
        while (card !== null && getComputedStyle(card).overflowX === 'visible')
          card = card.parentElement;
        if (card === null) return [];
        const { right } = card.getBoundingClientRect();
        const style = getComputedStyle(card);
        const hasHint =
          style.maskImage !== 'none' || style.backgroundAttachment.split(', ').includes('local');
        const canScroll = /auto|scroll/.test(style.overflowX);
        return [...table.querySelectorAll('thead th')]
          .filter(
            (head) => head.checkVisibility() && head.getBoundingClientRect().right > right + 1,
          )
          .map((head) => head.textContent ?? '')
          .filter(() => !(canScroll && hasHint));
      }),
  );

describe('columns', () => {
  it.each([
    [1280, 720],
    [1440, 900],
  ])('of every list are within reach at %i × %i', async (width, height) => {
    const visitor = await stage.person('light', { width, height });
    const { page } = visitor;
    for (const path of ['experiments', 'models', 'data', 'workflows', 'functions', 'shares']) {
      await page.goto(at(`/${path}`));
      await page.locator('main table').waitFor();
      await settle(page);
      expect(await cutColumns(page), path).toEqual([]);
      const end = page.locator('main tbody tr').first().locator('td').last();
      const box = await end.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 0), path).toBeLessThanOrEqual(width - 24);
    }
    await page.goto(run(ids.centred, '?tab=summary&selected=tau'));
    await page.getByRole('complementary', { name: 'Plots of tau' }).waitFor();
    await settle(page);
    expect(await cutColumns(page)).toEqual([]);
    await leave(visitor);
  });

  it('that are added can be scrolled to', async () => {
    const visitor = await stage.person('dark', { width: 1280, height: 720 });
    const { page } = visitor;
    const all =
      'status,name,model,verdict,draws,rhat,ess,divergences,time,by,workflow,location,tags,id';
    await page.goto(at(`/experiments?cols=${all},created,updated`));
    const head = page.getByRole('columnheader', { name: 'Created' });
    await head.waitFor();
    await settle(page);
    expect(await cutColumns(page)).toEqual([]);
    await head.scrollIntoViewIfNeeded();
    const box = await head.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(1280);
    await leave(visitor);
  });
});

/** Layout shift as browsers add it up; 0.05 goes unnoticed. */
const most = 0.05;

it.each([
  ['desktop', 1280, 720],
  ['phone', 360, 780],
])('nothing jumps while pages load on a %s', async (_, width, height) => {
  const visitor = await stage.person('light', { width, height });
  const { page } = visitor;
  await recordShifts(page);
  const paths = [
    '/',
    '/account',
    '/experiments',
    `/experiments/new?model=${await modelOf(ids.calm)}`,
    `/experiments/${ids.centred}?tab=summary`,
    `/experiments/${ids.stopped}`,
    `/experiments/compare?ids=${ids.calm},${ids.centred}`,
    `/workflows/${ids.workflow}`,
    '/help/diagnostics',
  ];
  const jumps: Record<string, number> = {};
  for (const path of paths) {
    await page.goto(at(path));
    await settle(page);
    const shifts = await shiftsOf(page);
    const sum = shifts.reduce((total, { value }) => total + value, 0);
    if (sum > most) jumps[`${path} ${shifts.flatMap(({ moved }) => moved)[0]}`] = sum;
  }
  expect(jumps).toEqual({});
  await leave(visitor);
});

async function modelOf(id: string): Promise<string> {
  const view = await stage.served.call('GET', `/api/object/${id}`);
  return (view.data as { model_id: string }).model_id;
}

it('variable names wider than a phone do not widen the page', async () => {
  const visitor = await stage.person('light', { width: 360, height: 780 });
  const { page } = visitor;
  for (const tab of ['traces', 'summary', 'posterior', 'diagnostics', 'pairs', 'files']) {
    await page.goto(run(ids.long, `?tab=${tab}`));
    await page.getByRole('tab', { selected: true }).waitFor();
    await settle(page);
    await expectNoSidewaysScroll(page);
  }
  await leave(visitor);
});

it('tables of runs start in the upper half of 1280 × 720, even for stopped and partly failed runs', async () => {
  const visitor = await stage.person('light', { width: 1280, height: 720 });
  const { page } = visitor;
  for (const name of ['calm', 'centred', 'stopped', 'partly', 'without'] as const) {
    await page.goto(run(ids[name], '?tab=summary'));
    const table = page.locator('table[aria-rowcount]');
    await table.waitFor();
    await settle(page);
    expect((await table.boundingBox())?.y, name).toBeLessThan(360);
  }
  // the caption with the draws used is still shown
  await page.goto(run(ids.stopped, '?tab=summary'));
  await page
    .getByRole('region', { name: 'Summary' })
    .getByText(/^First \d+ draws of each chain/)
    .waitFor();
  await leave(visitor);
});

it('a run without draws has no chain legend, shows what is missing as code, and links to its log', async () => {
  const visitor = await stage.person('dark', { width: 1280, height: 720 });
  const { page } = visitor;
  await page.goto(run(ids.failed));
  const verdict = page.getByRole('region', { name: 'Verdict' });
  await verdict.locator('code', { hasText: /^J$/ }).waitFor();
  expect(await page.getByRole('list', { name: 'Chains' }).count()).toBe(0);
  await page.getByRole('link', { name: 'See the log' }).click();
  await page.getByRole('tab', { name: 'Logs', selected: true }).waitFor();
  await page.goto(at('/experiments'));
  await page
    .getByRole('row', { name: /Lacks J/ })
    .getByText(/^J is missing/)
    .waitFor();
  await leave(visitor);
});

it.each([1280, 360])('the parts of a workflow are joined by arrows at %i pixels', async (width) => {
  const visitor = await stage.person('light', { width, height: 800 });
  const { page } = visitor;
  await page.goto(at(`/workflows/${ids.workflow}`));
  const parts = page.getByRole('region', { name: 'Parts' });
  await parts.getByText('Experiment').waitFor();
  const heads = parts.locator('[data-head]');
  const seen = await heads.evaluateAll(
    (all) => all.filter((head) => head.getBoundingClientRect().width > 2).length,
  );
  expect(seen).toBe(4);
  await leave(visitor);
});

it('each status of a run is explained where it is shown', async () => {
  const visitor = await stage.person('light');
  const { page } = visitor;
  for (const [id, label, title] of [
    [ids.calm, 'Finished', 'Finished'],
    [ids.stopped, 'Stopped', 'Stopping, Stopped'],
    [ids.failed, 'Error', 'Error'],
  ]) {
    await page.goto(run(id));
    await page.getByRole('link', { name: `Help: ${label}`, exact: true }).click();
    await page.getByRole('heading', { name: title, exact: true }).waitFor();
    expect(page.url()).toMatch(/\/help\/statuses#/);
  }
  await leave(visitor);
});
