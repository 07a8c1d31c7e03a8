/**
 * Every page: axe finds nothing in either theme, and all of it fits a phone and a wall. A new page needs one row here;
 * what opens over pages is in `openings.test.ts`.
 */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { visit } from './browser.ts';
import { furnish, inspect, links, longTest, password, signedIn, things } from './furnished.ts';
import { goInside, settle, watch, windows } from './inspect-page.ts';
import { leave, setStage } from './story.ts';

const stage = setStage();

type Row = readonly [path: string, title: string];

/** Pages that are the same with and without objects on the server. */
const fixed: readonly Row[] = [
  ['/help/diagnostics', 'Diagnostics'],
  ['/help/language', 'Stan functions'],
  ['/help/news', 'What is new'],
  ['/no-such-page', 'Page not found'],
];
/** Pages that exist before there are any objects. */
const lists: readonly Row[] = [
  ['/', 'Overview'],
  ['/projects', 'Projects'],
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
  [`/projects/${things.project}`, 'Coaching'],
  [`/events?id=${things.event}`, 'Events'],
  [`/callbacks?id=${things.callback}`, 'Callbacks'],
  [`/relations?id=${things.relation}`, 'Relations'],
];

async function walk(page: Page, rows: readonly Row[]): Promise<string[]> {
  const found: string[] = [];
  for (const [path, title] of rows) {
    await goInside(page, path, title);
    found.push(...(await inspect(page, path)));
  }
  return found;
}

describe('without any objects', () => {
  it('pages have no accessibility violation and fit the screen', {
    timeout: longTest,
  }, async () => {
    const visitor = await signedIn(stage);
    expect(await walk(visitor.page, [...lists, ...fixed])).toEqual([]);
    await leave(visitor);
  });
});

describe('with objects', () => {
  beforeAll(() => furnish(stage));

  it('pages have no accessibility violation and fit the screen', {
    timeout: longTest,
  }, async () => {
    const visitor = await signedIn(stage);
    expect(await walk(visitor.page, pages())).toEqual([]);
    await leave(visitor);
  });

  it('pages that need no sign-in have no accessibility violation and fit the screen', {
    timeout: longTest,
  }, async () => {
    const visitor = await visit(stage.browser, { scheme: 'dark', ...windows.desktop });
    const { page } = visitor;
    await watch(page);
    await page.goto(`${stage.served.origin}/sign-in`);
    const found = await walk(page, [
      ['/sign-in', 'Sign in to Ergodic'],
      ['/help/plots', 'Plots'],
      ['/no-such-page', 'Page not found'],
      ['/s/half-a-link', 'Page not found'],
      [links.open, 'Eight schools'],
      [links.model, 'Eight schools'],
      [links.project, 'Coaching'],
      ['/s/Xnothing/Snothing', 'Snapshot not found'],
      [links.locked, 'This snapshot is protected by a password'],
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
