/** A server with one object of each kind, and a check of a page, for the test files that visit every page. */
import type { Page } from 'playwright-core';
import { misfitsOf, resize, violationsOf, watch, windows } from './inspect-page.ts';
import { fileOf } from './openings.ts';
import { runGalleryModel } from './runs.ts';
import { type Stage, tinyRun } from './story.ts';

/** Milliseconds: each test opens about fifty things, each in two themes and up to three window sizes. */
export const longTest = 600_000;

/** Ids of the server's objects, which include two runs of the gallery's eight schools. */
export const things = {
  experiment: '',
  second: '',
  model: '',
  workflow: '',
  data: '',
  called: '',
  event: '',
  callback: '',
  relation: '',
  project: '',
};
/** Addresses of shares. */
export const links = { open: '', locked: '', model: '', project: '' };
export const password = 'a long password';

/** Creates the objects and shares. */
export async function furnish({ served, create }: Stage): Promise<void> {
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
  const members = [things.experiment, things.second, things.model, things.data];
  things.project = await create({
    object_type: 'project',
    name: 'Coaching',
    note: '*Why*',
    members,
  });
  await served.call('POST', `/api/object/${things.project}`, {
    payload: { object_type: 'project.entry', text: 'Decided.' },
  });
  await served.call('POST', '/base/user/tokens', { name: 'script' });
  const gone = await create({ object_type: 'event', name: 'gone' });
  await served.call('DELETE', `/api/object/${gone}`);
  const share = async (objid: string, word: string) =>
    `/s/${objid}/${await create({ object_type: 'share', objid, password: word, target_user: '' })}`;
  links.open = await share(things.experiment, '');
  links.locked = await share(things.experiment, password);
  links.model = await share(things.model, '');
  links.project = await share(things.project, '');
}

/** What is wrong with the page in its current state, in both themes and at these window sizes. */
export async function inspect(
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

/** A person on the overview whose page is watched. */
export async function signedIn(stage: Stage) {
  const visitor = await stage.person('light', windows.desktop);
  await watch(visitor.page);
  return visitor;
}
