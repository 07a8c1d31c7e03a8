/** axe on every page in both themes, empty and with data, in every tab, and with each dialog and menu open. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectNoSidewaysScroll } from './browser.ts';
import { runGalleryModel } from './runs.ts';
import { leave, schemes, setStage, tinyRun } from './story.ts';

/** Milliseconds: axe reads some forty pages. */
const longTest = 300_000;

const lists = [
  '/',
  '/models',
  '/models/new',
  '/data',
  '/workflows',
  '/functions',
  '/experiments',
  '/experiments/new',
  '/experiments/new?way=import',
  '/shares',
  '/events',
  '/callbacks',
  '/relations',
  '/notifications',
  '/account',
];
const modelTabs = ['files', 'experiments', 'versions', 'share', 'info'];
const experimentTabs = [
  'traces',
  'summary&selected=tau',
  'posterior',
  'posterior&view=density',
  'diagnostics',
  'pairs',
  'logs&stream=platform',
  'run',
  'files',
  'share',
];

/** Routes that show something, by what was put there. */
let routes: readonly string[] = [];
let experiment = '';
let publicLink = '';
let lockedLink = '';

const stage = setStage();

async function fill(): Promise<void> {
  const { served, create } = stage;
  experiment = await runGalleryModel(served, 'eight-schools', tinyRun);
  const second = await runGalleryModel(served, 'eight-schools', { ...tinyRun, seed: 4 });
  const view = await served.call('GET', `/api/object/${experiment}`);
  const ids = view.data as { model_id: string; workflow_id: string; input: string };
  const source = 'export default ({ a }) => ({ twice: 2 * a });';
  const called = await create({
    object_type: 'model',
    name: 'Twice',
    env: 'javascript',
    tags: ['code'],
    content: {
      meta: { entrance_file: 'main.js' },
      tree: [{ name: 'main.js', type: 'file', content: source, encoding: 'text' }],
    },
  });
  const event = await create({ object_type: 'event', name: 'flood' });
  const callback = await create({
    object_type: 'callback',
    lang: 'javascript',
    code: 'export default () => 1;',
  });
  const relation = await create({
    object_type: 'relation',
    object1_id: event,
    object2_id: callback,
  });
  await served.call('POST', '/base/user/tokens', { name: 'script' });
  const share = (password: string) =>
    create({ object_type: 'share', objid: experiment, password, target_user: '' });
  publicLink = `/s/${experiment}/${await share('')}`;
  lockedLink = `/s/${experiment}/${await share('a long password')}`;
  routes = [
    ...lists,
    ...modelTabs.map((tab) => `/models/${ids.model_id}?tab=${tab}`),
    `/data/${ids.input}`,
    `/workflows/${ids.workflow_id}`,
    `/functions/${called}`,
    `/experiments/compare?ids=${experiment},${second}`,
    ...experimentTabs.map((tab) => `/experiments/${experiment}?tab=${tab}`),
    `/events?id=${event}`,
    `/callbacks?id=${callback}`,
    `/relations?id=${relation}`,
    publicLink,
    lockedLink,
    '/no-such-page',
  ];
}

async function violationsOf(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 160)}`),
  );
}

async function settle(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForLoadState('networkidle');
}

describe('before there is anything', () => {
  it(
    'empty pages and sign-in have no violation',
    async () => {
      const visitor = await stage.person('light');
      const { page } = visitor;
      const found: string[] = [];
      for (const path of lists) {
        await page.goto(stage.served.origin + path);
        await settle(page);
        for (const words of await violationsOf(page)) found.push(`${path}: ${words}`);
      }
      expect(found).toEqual([]);
      await leave(visitor);
    },
    longTest,
  );
});

describe('with things there', () => {
  beforeAll(fill);

  describe.each(schemes)('in %s', (scheme) => {
    it(
      'no route has a violation',
      async () => {
        const visitor = await stage.person(scheme);
        const { page } = visitor;
        const found: string[] = [];
        for (const path of routes) {
          await page.goto(stage.served.origin + path);
          await settle(page);
          for (const words of await violationsOf(page)) found.push(`${path}: ${words}`);
        }
        expect(found).toEqual([]);
        await leave(visitor);
      },
      longTest,
    );

    it(
      'no dialog, menu or form has a violation while it is open',
      async () => {
        const visitor = await stage.person(scheme);
        const { page } = visitor;
        const found: string[] = [];
        const check = async (what: string) => {
          for (const words of await violationsOf(page)) found.push(`${what}: ${words}`);
        };
        const at = async (path: string) => {
          await page.goto(stage.served.origin + path);
          await settle(page);
        };
        const close = async () => {
          await page.keyboard.press('Escape');
          await page.getByRole('dialog').waitFor({ state: 'detached' });
        };
        await at(`/experiments/${experiment}`);
        await page.getByRole('button', { name: 'Share', exact: true }).click();
        await page.getByRole('dialog').getByText('They will not see').waitFor();
        await check('share dialog');
        await page.getByRole('combobox', { name: 'Ends' }).click();
        await page.getByRole('option').first().waitFor();
        await check('share dialog, its picker');
        await page.keyboard.press('Escape');
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await page.keyboard.press('Control+k');
        await page.getByRole('dialog').getByRole('option').first().waitFor();
        await check('palette');
        await close();
        await page.locator('body').press('?');
        await page.getByRole('dialog').getByText('Models').first().waitFor();
        await check('help');
        await close();
        const menu = page.getByRole('button', { name: 'Menu of Trace of mu' });
        await menu.click();
        await page.getByRole('menuitem', { name: 'Save as PNG' }).waitFor();
        await check('menu of a plot');
        await page.getByRole('menuitem', { name: 'Show as table' }).click();
        await page.getByRole('article', { name: 'Trace of mu' }).getByRole('table').waitFor();
        await check('table twin');
        await menu.click();
        await page.getByRole('menuitem', { name: 'Enlarge' }).click();
        await page.getByRole('dialog').locator('.js-plotly-plot').first().waitFor();
        await check('a plot enlarged');
        await close();
        await page.getByRole('button', { name: /^(Account of|Your account)/ }).click();
        await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
        await check('account menu');

        await at(`/experiments/${experiment}?tab=summary`);
        await page.getByRole('button', { name: 'Columns' }).click();
        await page.getByRole('checkbox', { name: 'MAD' }).waitFor();
        await check('columns');
        await page.keyboard.press('Escape');
        await page
          .getByRole('button', { name: /^What .* is$/ })
          .first()
          .click();
        await page.getByRole('dialog').first().waitFor();
        await check('definition of a column');

        await at('/data');
        await page.getByRole('button', { name: 'Paste text' }).click();
        await page.getByRole('dialog').getByLabel('Text').waitFor();
        await check('paste data');
        for (const kind of ['event', 'callback', 'relation']) {
          await at(`/${kind}s`);
          await page.getByRole('button', { name: `New ${kind}` }).click();
          await page.getByRole('form', { name: `New ${kind}` }).waitFor();
          await check(`new ${kind}`);
        }
        await at('/experiments/new');
        await page.getByRole('button', { name: /^Advanced/ }).click();
        await page.getByRole('combobox', { name: 'Model' }).click();
        await page.getByRole('option').first().waitFor();
        await check('launch, a picker');
        await at('/models');
        await page.getByRole('checkbox', { name: 'Select all' }).check();
        await page.getByRole('toolbar').waitFor();
        await check('rows selected');
        await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
        await page.getByRole('button', { name: 'Undo' }).waitFor();
        await check('toast');
        await page.getByRole('button', { name: 'Undo' }).click();
        await page.getByRole('link', { name: 'Eight schools' }).first().waitFor();
        expect(found).toEqual([]);
        await leave(visitor);
      },
      longTest,
    );
  });

  describe('at the ends of what windows there are', () => {
    it(
      'nothing is wider than a phone',
      async () => {
        const visitor = await stage.person('dark', { width: 360, height: 740 });
        const { page } = visitor;
        const wide: string[] = [];
        for (const path of routes) {
          await page.goto(stage.served.origin + path);
          await settle(page);
          await expectNoSidewaysScroll(page).catch((error: Error) =>
            wide.push(`${path}: ${error.message}`),
          );
        }
        expect(wide).toEqual([]);
        await leave(visitor);
      },
      longTest,
    );

    it(
      'nothing is torn apart on a screen of 3840 pixels',
      async () => {
        const visitor = await stage.person('light', { width: 3840, height: 2160 });
        const { page } = visitor;
        const wide: string[] = [];
        for (const path of routes) {
          await page.goto(stage.served.origin + path);
          await settle(page);
          await expectNoSidewaysScroll(page).catch((error: Error) =>
            wide.push(`${path}: ${error.message}`),
          );
          const { width, left, right } = await page.evaluate(() => {
            const box = document.querySelector('h1')?.getBoundingClientRect();
            const main = document.querySelector('main') ?? document.body;
            const inner = Array.from(main.querySelectorAll('p, li, td, label, input')).map(
              (element) => element.getBoundingClientRect(),
            );
            const lefts = inner.filter(({ width: w }) => w > 0).map(({ left: x }) => x);
            const rights = inner.filter(({ width: w }) => w > 0).map(({ right: x }) => x);
            return {
              width: box?.width ?? 0,
              left: Math.min(...lefts),
              right: Math.max(...rights),
            };
          });
          if (width === 0) wide.push(`${path}: no heading is seen`);
          if (right - left > 2600) wide.push(`${path}: what is read spans ${right - left} pixels`);
        }
        expect(wide).toEqual([]);
        await leave(visitor);
      },
      longTest,
    );
  });
});
