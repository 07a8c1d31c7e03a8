/**
 * Every page and every dialog, by two tables: axe finds nothing in either theme, and all of it fits a phone and a wall.
 * A new page or dialog is one row.
 */
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { visit } from './browser.ts';
import {
  goInside,
  misfitsOf,
  resize,
  settle,
  violationsOf,
  watch,
  windows,
} from './inspect-page.ts';
import { runGalleryModel } from './runs.ts';
import { leave, pickSegment, setStage, tinyRun } from './story.ts';

/** Milliseconds: each test opens some fifty things, each in two themes and three windows. */
const longTest = 300_000;

const stage = setStage();

const ids = {
  experiment: '',
  second: '',
  model: '',
  workflow: '',
  data: '',
  called: '',
  event: '',
  callback: '',
  relation: '',
};
let publicLink = '';
let lockedLink = '';
let modelLink = '';
const password = 'a long password';

/** Pages that are there before anything else is: address and heading. */
const lists: readonly (readonly [string, string])[] = [
  ['/', 'Overview'],
  ['/models', 'Models'],
  ['/models/new', 'New model'],
  ['/data', 'Data'],
  ['/workflows', 'Workflows'],
  ['/functions', 'Functions'],
  ['/experiments', 'Experiments'],
  ['/experiments/new', 'New experiment'],
  ['/experiments/new?way=import', 'New experiment'],
  ['/shares', 'Shares'],
  ['/shares?whose=with-me', 'Shares'],
  ['/events', 'Events'],
  ['/callbacks', 'Callbacks'],
  ['/relations', 'Relations'],
  ['/notifications', 'Notifications'],
  ['/account', 'Account'],
  ['/no-such-page', 'No page here'],
];
const withTabs = (path: string, tabs: string) =>
  tabs.split(' ').map((tab) => [`${path}?tab=${tab}`, 'Eight schools'] as const);
const pages = () => [
  ...lists,
  ...withTabs(`/models/${ids.model}`, 'files experiments versions share info'),
  ...withTabs(`/data/${ids.data}`, 'content versions uses'),
  [`/workflows/${ids.workflow}`, 'Eight schools'] as const,
  [`/functions/${ids.called}`, 'Twice'] as const,
  [`/experiments/compare?ids=${ids.experiment},${ids.second}`, 'Compare 2 experiments'] as const,
  ...withTabs(
    `/experiments/${ids.experiment}`,
    'traces summary summary&selected=tau posterior posterior&view=density diagnostics pairs logs&stream=platform run files share',
  ),
  [`/events?id=${ids.event}`, 'Events'] as const,
  [`/callbacks?id=${ids.callback}`, 'Callbacks'] as const,
  [`/relations?id=${ids.relation}`, 'Relations'] as const,
];

/** What opens over or within a page. */
interface Opening {
  readonly path: () => string;
  readonly title: string;
  /** What it is, and how one comes there from what was open before. */
  readonly steps: Readonly<Record<string, (page: Page) => Promise<unknown>>>;
}

const hanging = '[role="menu"], [role="listbox"], [role="dialog"]:not([aria-modal])';
const button = (page: Page | Locator, name: string | RegExp) =>
  page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name }).first();
const press = (name: string | RegExp) => (page: Page) => button(page, name).click();
const pick = (name: string) => async (page: Page) => {
  await page.getByRole('combobox', { name, exact: true }).first().click();
  await page.getByRole('option').first().waitFor();
};
const menu = (name: string | RegExp) => async (page: Page) => {
  await button(page, name).click();
  await page.getByRole('menuitem').first().waitFor();
};
const filter = (name: string) => async (page: Page) => {
  await button(page, name).click();
  await page.getByRole('combobox', { name }).or(page.getByRole('textbox', { name })).waitFor();
};
const close = async (page: Page) => {
  const layer = page.locator('[role="dialog"], [role="menu"], [role="listbox"]').first();
  for (let i = 0; i < 3 && (await layer.isVisible()); i++) {
    await page.keyboard.press('Escape');
    await settle(page);
  }
};

/** A file at the top of a model. */
const mainFile = (name: string) => ({ name, type: 'file', encoding: 'text', content: '' }) as const;

const openings: readonly Opening[] = [
  {
    path: () => `/experiments/${ids.experiment}`,
    title: 'Eight schools',
    steps: {
      palette: async (page) => {
        await page.keyboard.press('Control+k');
        await page.getByRole('dialog').getByRole('option').first().waitFor();
      },
      'palette, with words': async (page) => {
        await page.keyboard.type('eight');
        await page.getByRole('dialog').getByRole('option').first().waitFor();
      },
      help: async (page) => {
        await close(page);
        await page.locator('body').press('?');
        await page.getByRole('dialog').getByText('Models').first().waitFor();
      },
      'share dialog': async (page) => {
        await close(page);
        await button(page, 'Share').click();
        await page.getByRole('dialog').getByText('They will not see').waitFor();
      },
      'share dialog, one person': (page) =>
        page.getByRole('dialog').getByText('One person').click(),
      'share dialog, its end': pick('Ends'),
      'share dialog, with the link': async (page) => {
        await page.getByRole('option').first().click();
        await page.getByRole('dialog').getByText('Anyone with the link').first().click();
        await button(page.getByRole('dialog'), 'Create link').click();
        await page.getByRole('dialog').getByLabel('Link', { exact: true }).waitFor();
      },
      'more draws': async (page) => {
        await close(page);
        await button(page, 'More draws').click();
        await page.getByRole('dialog').waitFor();
      },
      'menu of a plot': async (page) => {
        await close(page);
        await menu('Menu of Trace of mu')(page);
      },
      'table twin': async (page) => {
        await page.getByRole('menuitem', { name: 'Show as table' }).click();
        await page.getByRole('article', { name: 'Trace of mu' }).getByRole('table').waitFor();
      },
      'a plot enlarged': async (page) => {
        await menu('Menu of Trace of mu')(page);
        await page.getByRole('menuitem', { name: 'Enlarge' }).click();
        await page.getByRole('dialog').locator('.js-plotly-plot').first().waitFor();
      },
      'account menu': async (page) => {
        await close(page);
        await menu(/^(Account of|Your account)/)(page);
      },
    },
  },
  {
    path: () => `/experiments/${ids.experiment}?tab=summary`,
    title: 'Eight schools',
    steps: {
      columns: async (page) => {
        await button(page, 'Columns').click();
        await page.getByRole('checkbox', { name: 'MAD' }).waitFor();
      },
      'definition of a column': async (page) => {
        await close(page);
        await button(page, /^What .* is$/).click();
        await page.getByRole('dialog').first().waitFor();
      },
      'ways to take it away': async (page) => {
        await close(page);
        await menu('Export')(page);
      },
      'kinds of interval': async (page) => {
        await close(page);
        await pick('Interval')(page);
      },
    },
  },
  {
    path: () => `/experiments/${ids.experiment}?tab=pairs`,
    title: 'Eight schools',
    steps: { 'variables of the pairs': pick('Variables of the pairs plot') },
  },
  {
    path: () => `/experiments/${ids.experiment}?tab=diagnostics`,
    title: 'Eight schools',
    steps: { 'variable to diagnose': pick('Variable') },
  },
  {
    path: () => `/experiments/${ids.experiment}?tab=logs`,
    title: 'Eight schools',
    steps: { 'lines of a log': pick('Which lines') },
  },
  {
    path: () => `/experiments/compare?ids=${ids.experiment},${ids.second}`,
    title: 'Compare 2 experiments',
    steps: { 'one more to compare': press(/^Swap$/), 'variables compared': pick('Variables') },
  },
  {
    path: () => `/models/${ids.model}`,
    title: 'Eight schools',
    steps: {
      'menu of a model': menu('More actions'),
      'menu of a file': async (page) => {
        await close(page);
        await menu('Actions for the selected file')(page);
      },
      'a name for a file': async (page) => {
        await close(page);
        await button(page, 'New file').click();
      },
      'data to run on': async (page) => {
        await page.keyboard.press('Escape');
        await pick('Data')(page);
      },
      'settings of a run': async (page) => {
        await close(page);
        await button(page, /^Metric, thin/).click();
      },
      'an error in the program': async (page) => {
        await page.locator('.monaco-editor .view-lines').first().click();
        await page.keyboard.press('Control+End');
        await page.keyboard.type('\nparam');
        await page.locator('.squiggly-error').first().waitFor();
      },
      'problems folded': press(/^Problems/),
      'a conflict': async (page) => {
        const tree = [{ ...mainFile('eight-schools.stan'), content: 'parameters { real x; }' }];
        await stage.served.call('POST', `/api/object/${ids.model}`, {
          payload: { object_type: 'model', content: { tree } },
        });
        await page.keyboard.press('Control+s');
        await button(page, 'Take theirs').waitFor();
      },
    },
  },
  {
    path: () => '/models/new',
    title: 'New model',
    steps: {
      'runtime and tags': (page) => page.getByText('Runtime, tags and entrance').click(),
      runtimes: pick('Runtime'),
      'from a repository': async (page) => {
        await close(page);
        await pickSegment(page, 'Fetch from', 'Repository');
      },
    },
  },
  {
    path: () => '/models',
    title: 'Models',
    steps: {
      'rows selected': async (page) => {
        await page.getByRole('checkbox', { name: 'Select all' }).check();
        await page.getByRole('toolbar').waitFor();
      },
      toast: async (page) => {
        await button(page.getByRole('toolbar'), 'Delete').click();
        await button(page, 'Undo').waitFor();
      },
      'a filter': async (page) => {
        await button(page, 'Undo').click();
        await page.getByRole('link', { name: 'Eight schools' }).first().waitFor();
        await filter('Tag')(page);
      },
    },
  },
  {
    path: () => '/experiments',
    title: 'Experiments',
    steps: { 'a filter by model': filter('Model') },
  },
  {
    path: () => `/data/${ids.data}`,
    title: 'Eight schools',
    steps: {
      'facts of data': press('Edit'),
      'new version of data': async (page) => {
        await button(page, 'New version').click();
        await page.getByRole('dialog').waitFor();
      },
    },
  },
  {
    path: () => '/data',
    title: 'Data',
    steps: {
      'paste data': async (page) => {
        await button(page, 'Paste text').click();
        await page.getByRole('dialog').getByLabel('Text').waitFor();
      },
      'data from an address': async (page) => {
        await close(page);
        await button(page, 'From an address').click();
        await page.getByRole('dialog').waitFor();
      },
    },
  },
  {
    path: () => `/workflows/${ids.workflow}`,
    title: 'Eight schools',
    steps: {
      'menu of a workflow': menu('More actions'),
      'data of a workflow': async (page) => {
        await close(page);
        await button(page, /^Data/).click();
        await pick('Data')(page);
      },
      'settings as text': async (page) => {
        await close(page);
        await button(page, /^Sampling/).click();
        await page.getByText('YAML', { exact: true }).click();
      },
      analyzer: press(/^Analyzer/),
    },
  },
  {
    path: () => '/experiments/new',
    title: 'New experiment',
    steps: {
      'launch, all settings': press(/^Advanced/),
      'launch, its models': pick('Model'),
      'launch, pasted data': async (page) => {
        await close(page);
        await button(page, 'paste JSON').click();
      },
    },
  },
  ...['event', 'callback', 'relation'].map((kind) => ({
    path: () => `/${kind}s`,
    title: `${kind[0].toUpperCase()}${kind.slice(1)}s`,
    steps: {
      [`new ${kind}`]: async (page: Page) => {
        await button(page, `New ${kind}`).click();
        await page.getByRole('form', { name: `New ${kind}` }).waitFor();
      },
    },
  })),
  {
    path: () => '/shares',
    title: 'Shares',
    steps: {
      'change a share': async (page) => {
        await button(page, 'Change').click();
        await page.getByRole('dialog').waitFor();
      },
    },
  },
  {
    path: () => '/notifications',
    title: 'Notifications',
    steps: {
      'the rail on a phone': async (page) => {
        await resize(page, 'phone');
        await button(page, 'Open the menu').click();
      },
    },
  },
  {
    path: () => '/account',
    title: 'Account',
    steps: {
      'space to be freed': async (page) => {
        await button(page, 'Free space').click();
        await button(page, 'Remove for good').waitFor();
      },
      'a token, shown once': async (page) => {
        await page.getByRole('textbox', { name: 'Name' }).fill('laptop');
        await button(page, 'Make token').click();
        await page
          .getByText(/^erg_/)
          .or(page.getByRole('textbox', { name: 'Token' }))
          .waitFor();
      },
      'a token renamed': press('Rename script'),
    },
  },
];

async function fill(): Promise<void> {
  const { served, create } = stage;
  ids.experiment = await runGalleryModel(served, 'eight-schools', tinyRun);
  ids.second = await runGalleryModel(served, 'eight-schools', { ...tinyRun, seed: 4 });
  const view = await served.call('GET', `/api/object/${ids.experiment}`);
  const parts = view.data as { model_id: string; workflow_id: string; input: string };
  ids.model = parts.model_id;
  ids.workflow = parts.workflow_id;
  ids.data = parts.input;
  const content = 'export default ({ a }) => ({ twice: 2 * a });';
  ids.called = await create({
    object_type: 'model',
    name: 'Twice',
    env: 'javascript',
    tags: ['code'],
    content: {
      meta: { entrance_file: 'main.js' },
      tree: [{ ...mainFile('main.js'), content }],
    },
  });
  ids.event = await create({ object_type: 'event', name: 'flood' });
  ids.callback = await create({
    object_type: 'callback',
    lang: 'javascript',
    code: 'export default () => 1;',
  });
  ids.relation = await create({
    object_type: 'relation',
    object1_id: ids.event,
    object2_id: ids.callback,
  });
  await served.call('POST', '/base/user/tokens', { name: 'script' });
  await served.call(
    'DELETE',
    `/api/object/${await create({ object_type: 'event', name: 'gone' })}`,
  );
  const share = async (objid: string, word: string) =>
    `/s/${objid}/${await create({ object_type: 'share', objid, password: word, target_user: '' })}`;
  publicLink = await share(ids.experiment, '');
  lockedLink = await share(ids.experiment, password);
  modelLink = await share(ids.model, '');
}

/** What is wrong with the page as it stands, in both themes and in windows of these sizes. */
async function inspect(
  page: Page,
  what: string,
  sizes: readonly (keyof typeof windows)[],
): Promise<string[]> {
  const wrong = [...(await violationsOf(page)), ...(await misfitsOf(page))];
  for (const size of sizes) {
    await resize(page, size);
    for (const words of await misfitsOf(page)) wrong.push(`${size}: ${words}`);
  }
  await page.setViewportSize(windows.desktop);
  return wrong.map((words) => `${what}: ${words}`);
}

async function walk(page: Page, rows: readonly (readonly [string, string])[]): Promise<string[]> {
  const found: string[] = [];
  for (const [path, title] of rows) {
    await goInside(page, path, title);
    found.push(...(await inspect(page, path, ['phone', 'wall'])));
  }
  return found;
}

async function signedIn() {
  const visitor = await stage.person('light', windows.desktop);
  await watch(visitor.page);
  return visitor;
}

describe('before there is anything', () => {
  it(
    'empty pages have no violation and fit',
    async () => {
      const visitor = await signedIn();
      expect(await walk(visitor.page, lists)).toEqual([]);
      await leave(visitor);
    },
    longTest,
  );
});

describe('with things there', () => {
  beforeAll(fill);

  it(
    'no page has a violation, and all fit',
    async () => {
      const visitor = await signedIn();
      expect(await walk(visitor.page, pages())).toEqual([]);
      await leave(visitor);
    },
    longTest,
  );

  it(
    'nothing that opens has a violation, and all fits',
    async () => {
      const visitor = await signedIn();
      const { page } = visitor;
      const found: string[] = [];
      for (const { path, title, steps } of openings) {
        await goInside(page, path(), title);
        for (const [what, open] of Object.entries(steps)) {
          await open(page);
          await settle(page);
          // What hangs on a place of the page goes when the page changes under it.
          const hangs = await page.locator(hanging).count();
          found.push(...(await inspect(page, what, hangs > 0 ? [] : ['phone'])));
          await settle(page);
        }
      }
      expect(found).toEqual([]);
      await leave(visitor);
    },
    longTest,
  );

  it(
    'what strangers see has no violation and fits',
    async () => {
      const visitor = await visit(stage.browser, { scheme: 'dark', ...windows.desktop });
      const { page } = visitor;
      await watch(page);
      await page.goto(`${stage.served.origin}/sign-in`);
      const found = await walk(page, [
        ['/sign-in', 'Sign in to Ergodic'],
        [publicLink, 'Eight schools'],
        [modelLink, 'Eight schools'],
        ['/s/Xnothing/Snothing', 'This snapshot is not here'],
        [lockedLink, 'This snapshot has a password'],
      ]);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await button(page, 'Open snapshot').click();
      await page.getByRole('heading', { level: 1, name: 'Eight schools' }).waitFor();
      await settle(page);
      found.push(...(await inspect(page, 'a snapshot unlocked', ['phone', 'wall'])));
      expect(found).toEqual([]);
      await leave(visitor);
    },
    longTest,
  );
});
