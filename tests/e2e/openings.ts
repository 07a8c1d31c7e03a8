/** What opens over or within a page: dialogs, menus, pickers and forms, each opened as a person opens it. */
import type { Locator, Page } from 'playwright-core';
import type { Served } from '../support/served.ts';
import { resize } from './inspect-page.ts';
import { pickSegment } from './story.ts';

/** Ids of the objects that the openings need. */
export interface Things {
  readonly experiment: string;
  readonly second: string;
  readonly model: string;
  readonly workflow: string;
  readonly data: string;
  readonly project: string;
}

type Step = (page: Page) => Promise<unknown>;

export interface Opening {
  readonly path: string;
  readonly title: string;
  /** What opens, and how. A name with a comma continues from what is open; other steps close that first. */
  readonly steps: Readonly<Record<string, Step>>;
}

/** Layers that are anchored to the page, and close when the page under them changes. */
export const hanging = '[role="menu"], [role="listbox"], [role="dialog"]:not([aria-modal])';

/** A file at the top of a model. */
export const fileOf = (name: string, content: string) =>
  ({ name, type: 'file', encoding: 'text', content }) as const;

const button = (page: Page | Locator, name: string | RegExp) =>
  page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name }).first();

/** Presses a button, and waits for what it opens. */
function press(name: string | RegExp, opened?: (page: Page) => Locator): Step {
  return async (page) => {
    await button(page, name).click();
    await opened?.(page).first().waitFor();
  };
}
const dialog = (name: string | RegExp) => press(name, (page) => page.getByRole('dialog'));
const menu = (name: string | RegExp) => press(name, (page) => page.getByRole('menuitem'));
const filter =
  (name: string): Step =>
  async (page) => {
    await button(page, 'Filter').click();
    await page.getByRole('menuitem', { name, exact: true }).click();
    const field = page.getByRole('combobox', { name }).or(page.getByRole('textbox', { name }));
    await field.first().waitFor();
  };
const pick =
  (name: string): Step =>
  async (page) => {
    await page.getByRole('combobox', { name, exact: true }).first().click();
    await page.getByRole('option').first().waitFor();
  };

/** Closes what is open over the page. */
export async function closeAll(page: Page): Promise<void> {
  const layers = page.locator(`${hanging}, [role="dialog"]`);
  const layer = layers.filter({ visible: true }).first();
  for (let i = 0; i < 3 && (await layer.isVisible()); i++) {
    await page.keyboard.press('Escape');
    await layer.waitFor({ state: 'hidden', timeout: 1000 }).catch(() => {});
  }
}

const ofExperiment: Opening['steps'] = {
  palette: async (page) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('option').first().waitFor();
  },
  'palette, with words': (page) => page.keyboard.type('eight'),
  help: async (page) => {
    await page.locator('body').press('?');
    await page.getByRole('dialog').getByText('Models').first().waitFor();
  },
  'share dialog': press('Share', (page) => page.getByText('They will not see')),
  'share dialog, one person': (page) => page.getByRole('dialog').getByText('One person').click(),
  'share dialog, its end': pick('Expires'),
  'share dialog, with the link': async (page) => {
    await page.getByRole('option').first().click();
    await page.getByRole('dialog').getByText('Anyone with the link').first().click();
    await button(page, 'Create link').click();
    await page.getByRole('dialog').getByLabel('Link', { exact: true }).waitFor();
  },
  'more draws': dialog('More draws'),
  'menu of a plot': menu(/^Menu of Trace of/),
  'menu of a plot, its table': async (page) => {
    await page.getByRole('menuitem', { name: 'Show as table' }).click();
    await page
      .getByRole('article', { name: /^Trace of/ })
      .getByRole('table')
      .first()
      .waitFor();
  },
  'a plot enlarged': async (page) => {
    await menu(/^Menu of Trace of/)(page);
    await page.getByRole('menuitem', { name: 'Enlarge' }).click();
    await page.getByRole('dialog').locator('.js-plotly-plot').first().waitFor();
  },
  'account menu': menu(/^(Account of|Your account)/),
};

const ofModel = (things: Things, served: Served): Opening['steps'] => ({
  'menu of a model': menu('More actions'),
  'menu of a file': menu('Actions for the selected file'),
  'a name for a file': press('New file'),
  'data to run on': async (page) => {
    await page.keyboard.press('Escape');
    await pick('Data')(page);
  },
  'settings of a run': press(/^Metric, sampler/),
  'an error in the program': async (page) => {
    await page.locator('.monaco-editor .view-lines').first().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\nparam');
    await page.locator('.squiggly-error').first().waitFor();
  },
  'problems folded': press(/^Problems/),
  'a conflict': async (page) => {
    const tree = [fileOf('eight-schools.stan', 'parameters { real x; }')];
    await served.call('POST', `/api/object/${things.model}`, {
      payload: { object_type: 'model', content: { tree } },
    });
    await page.keyboard.press('Control+s');
    await button(page, 'Take theirs').waitFor();
  },
});

const ofLists: readonly Opening[] = [
  {
    path: '/models/new',
    title: 'New model',
    steps: {
      'runtime and tags': (page) => page.getByText('Runtime, tags and entrance').click(),
      runtimes: pick('Runtime'),
      'from a repository': (page) => pickSegment(page, 'Fetch from', 'Repository'),
    },
  },
  {
    path: '/models',
    title: 'Models',
    steps: {
      'rows selected': async (page) => {
        await page.getByRole('checkbox', { name: 'Select all' }).check();
        await page.getByRole('toolbar').waitFor();
      },
      toast: press('Delete', (page) => page.getByRole('button', { name: 'Undo' })),
      'a filter': async (page) => {
        await button(page, 'Undo').click();
        await page.getByRole('link', { name: 'Eight schools' }).first().waitFor();
        await filter('Tag')(page);
      },
    },
  },
  {
    path: '/experiments',
    title: 'Experiments',
    steps: { 'a filter by model': filter('Model') },
  },
  {
    path: '/data',
    title: 'Data',
    steps: { 'paste data': dialog('Paste text'), 'data by address': dialog('From an address') },
  },
  {
    path: '/experiments/new',
    title: 'New experiment',
    steps: {
      'settings of a launch': press(/^Advanced/),
      'models to launch': pick('Model'),
      'pasted data': press('paste data'),
    },
  },
  ...['event', 'callback', 'relation'].map((kind) => ({
    path: `/${kind}s`,
    title: `${kind[0].toUpperCase()}${kind.slice(1)}s`,
    steps: {
      [`new ${kind}`]: press(`New ${kind}`, (page) =>
        page.getByRole('form', { name: `New ${kind}` }),
      ),
    },
  })),
  { path: '/projects', title: 'Projects', steps: { 'new project': dialog('New project') } },
  { path: '/shares', title: 'Shares', steps: { 'change a share': dialog('Change') } },
  {
    path: '/notifications',
    title: 'Notifications',
    steps: {
      'the rail on a phone': async (page) => {
        await resize(page, 'phone');
        await button(page, 'Open the menu').click();
      },
    },
  },
  {
    path: '/account',
    title: 'Account',
    steps: {
      'space to be freed': press('Delete for good', (page) =>
        page.getByRole('button', { name: 'Yes, delete for good' }),
      ),
      'a token, shown once': async (page) => {
        await page.getByRole('textbox', { name: 'Name', exact: true }).fill('laptop');
        await button(page, 'Create token').click();
        await page
          .getByText(/^erg_/)
          .or(page.getByRole('textbox', { name: 'Token' }))
          // the list of tokens shows its beginning a moment later
          .first()
          .waitFor();
      },
      'a token renamed': press('Rename script'),
    },
  },
];

/** All that opens, page by page. */
export function openingsOf(things: Things, served: Served): readonly Opening[] {
  const title = 'Eight schools';
  const experiment = `/experiments/${things.experiment}`;
  const tab = (name: string, steps: Opening['steps']) => ({
    path: `${experiment}?tab=${name}`,
    title,
    steps,
  });
  return [
    { path: experiment, title, steps: ofExperiment },
    tab('summary', {
      columns: dialog('Columns'),
      'definition of a column': dialog(/^What .* is$/),
      'ways to take it away': menu('Export'),
      'kinds of interval': pick('Interval'),
    }),
    tab('pairs', { 'variables of the pairs': pick('Variables of the pairs plot') }),
    tab('diagnostics', { 'variable to diagnose': pick('Variable') }),
    tab('logs', { 'lines of a log': pick('Which lines') }),
    {
      path: `/experiments/compare?ids=${things.experiment},${things.second}`,
      title: 'Compare 2 experiments',
      steps: { 'the other way round': press('Swap'), 'variables compared': pick('Variables') },
    },
    {
      path: `/data/${things.data}`,
      title,
      steps: { 'facts of data': press('Edit'), 'new version of data': dialog('New version') },
    },
    {
      path: `/workflows/${things.workflow}`,
      title,
      steps: {
        'menu of a workflow': menu('More actions'),
        'data of a workflow': press(/^Data/),
        'data of a workflow, to pick': pick('Data'),
        'settings as text': async (page) => {
          await button(page, /^Sampling/).click();
          await page.getByText('YAML', { exact: true }).click();
        },
        analyzer: press(/^Analyzer/),
      },
    },
    {
      path: `/projects/${things.project}`,
      title: 'Coaching',
      steps: {
        'members to add': pick('Add a model, data or a run'),
        'menu of a project': menu('More actions'),
        'share dialog of a project': press('Share', (page) =>
          page.getByText('Its note and notebook'),
        ),
        'an entry to write': async (page) => {
          await button(page, 'Write an entry').click();
          await page.getByLabel('New entry in Markdown').waitFor();
        },
        'a note on a run': async (page) => {
          await button(page, 'Write a note').click();
          await page.getByLabel(/^Note on .* in Markdown$/).waitFor();
        },
      },
    },
    {
      path: `/data/${things.data}`,
      title,
      steps: { 'a project to add to': dialog('Add to project') },
    },
    { path: `/models/${things.model}`, title, steps: ofModel(things, served) },
    ...ofLists,
  ];
}
