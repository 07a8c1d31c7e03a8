/**
 * Every page, and everything that opens: axe finds nothing in either theme, and all of it fits a phone and a wall.
 * A new page is one row here, a new dialog one step in `openings.ts`.
 */
import type { Page } from 'playwright-core';
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
import { closeAll, fileOf, hanging, openingsOf } from './openings.ts';
import { runGalleryModel } from './runs.ts';
import { leave, setStage, tinyRun } from './story.ts';

/** Milliseconds: each test opens some fifty things, each in two themes and up to three windows. */
const longTest = 300_000;

const stage = setStage();

const things = {
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
const links = { open: '', locked: '', model: '' };
const password = 'a long password';

type Row = readonly [path: string, title: string];

/** Pages that are there before anything else is. */
const lists: readonly Row[] = [
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
  ['/shares?tab=with-me', 'Shares'],
  ['/events', 'Events'],
  ['/callbacks', 'Callbacks'],
  ['/relations', 'Relations'],
  ['/notifications', 'Notifications'],
  ['/account', 'Account'],
  ['/no-such-page', 'No page here'],
];
const withTabs = (path: string, tabs: string): Row[] =>
  tabs.split(' ').map((tab) => [`${path}?tab=${tab}`, 'Eight schools']);
const pages = (): Row[] => [
  ...lists,
  ...withTabs(`/models/${things.model}`, 'files experiments versions share info'),
  ...withTabs(`/data/${things.data}`, 'content versions uses'),
  [`/workflows/${things.workflow}`, 'Eight schools'],
  [`/functions/${things.called}`, 'Twice'],
  [`/experiments/compare?ids=${things.experiment},${things.second}`, 'Compare 2 experiments'],
  ...withTabs(
    `/experiments/${things.experiment}`,
    'traces summary summary&selected=tau posterior posterior&view=density diagnostics pairs logs&stream=platform run files share',
  ),
  [`/events?id=${things.event}`, 'Events'],
  [`/callbacks?id=${things.callback}`, 'Callbacks'],
  [`/relations?id=${things.relation}`, 'Relations'],
];

async function fill(): Promise<void> {
  const { served, create } = stage;
  things.experiment = await runGalleryModel(served, 'eight-schools', tinyRun);
  things.second = await runGalleryModel(served, 'eight-schools', { ...tinyRun, seed: 4 });
  const view = await served.call('GET', `/api/object/${things.experiment}`);
  const parts = view.data as { model_id: string; workflow_id: string; input: string };
  things.model = parts.model_id;
  things.workflow = parts.workflow_id;
  things.data = parts.input;
  things.called = await create({
    object_type: 'model',
    name: 'Twice',
    env: 'javascript',
    tags: ['code'],
    content: {
      meta: { entrance_file: 'main.js' },
      tree: [fileOf('main.js', 'export default ({ a }) => ({ twice: 2 * a });')],
    },
  });
  things.event = await create({ object_type: 'event', name: 'flood' });
  const code = 'export default () => 1;';
  things.callback = await create({ object_type: 'callback', lang: 'javascript', code });
  const [object1_id, object2_id] = [things.event, things.callback];
  things.relation = await create({ object_type: 'relation', object1_id, object2_id });
  await served.call('POST', '/base/user/tokens', { name: 'script' });
  const gone = await create({ object_type: 'event', name: 'gone' });
  await served.call('DELETE', `/api/object/${gone}`);
  const share = async (objid: string, word: string) =>
    `/s/${objid}/${await create({ object_type: 'share', objid, password: word, target_user: '' })}`;
  links.open = await share(things.experiment, '');
  links.locked = await share(things.experiment, password);
  links.model = await share(things.model, '');
}

/** What is wrong with the page as it stands, in both themes and in windows of these sizes. */
async function inspect(
  page: Page,
  what: string,
  sizes: readonly (keyof typeof windows)[] = ['phone', 'wall'],
): Promise<string[]> {
  const wrong = [...(await violationsOf(page)), ...(await misfitsOf(page))];
  for (const size of sizes) {
    await resize(page, size);
    for (const words of await misfitsOf(page)) wrong.push(`${size}: ${words}`);
  }
  await page.setViewportSize(windows.desktop);
  return wrong.map((words) => `${what}: ${words}`);
}

async function walk(page: Page, rows: readonly Row[]): Promise<string[]> {
  const found: string[] = [];
  for (const [path, title] of rows) {
    await goInside(page, path, title);
    found.push(...(await inspect(page, path)));
  }
  return found;
}

async function signedIn() {
  const visitor = await stage.person('light', windows.desktop);
  await watch(visitor.page);
  return visitor;
}

describe('before there is anything', () => {
  it('empty pages have no violation and fit', { timeout: longTest }, async () => {
    const visitor = await signedIn();
    expect(await walk(visitor.page, lists)).toEqual([]);
    await leave(visitor);
  });
});

describe('with things there', () => {
  beforeAll(fill);

  it('no page has a violation, and all fit', { timeout: longTest }, async () => {
    const visitor = await signedIn();
    expect(await walk(visitor.page, pages())).toEqual([]);
    await leave(visitor);
  });

  it('nothing that opens has a violation, and all fits', { timeout: longTest }, async () => {
    const visitor = await signedIn();
    const { page } = visitor;
    const found: string[] = [];
    for (const { path, title, steps } of openingsOf(things, stage.served)) {
      await goInside(page, path, title);
      for (const [what, open] of Object.entries(steps)) {
        if (!what.includes(',')) await closeAll(page);
        await open(page);
        await settle(page);
        const hangs = await page.locator(hanging).filter({ visible: true }).count();
        found.push(...(await inspect(page, what, hangs > 0 ? [] : ['phone'])));
        await settle(page);
      }
    }
    expect(found).toEqual([]);
    await leave(visitor);
  });

  it('what strangers see has no violation and fits', { timeout: longTest }, async () => {
    const visitor = await visit(stage.browser, { scheme: 'dark', ...windows.desktop });
    const { page } = visitor;
    await watch(page);
    await page.goto(`${stage.served.origin}/sign-in`);
    const found = await walk(page, [
      ['/sign-in', 'Sign in to Ergodic'],
      [links.open, 'Eight schools'],
      [links.model, 'Eight schools'],
      ['/s/Xnothing/Snothing', 'This snapshot is not here'],
      [links.locked, 'This snapshot has a password'],
    ]);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Open snapshot' }).click();
    await page.getByRole('heading', { level: 1, name: 'Eight schools' }).waitFor();
    await settle(page);
    found.push(...(await inspect(page, 'a snapshot unlocked')));
    expect(found).toEqual([]);
    await leave(visitor);
  });
});
