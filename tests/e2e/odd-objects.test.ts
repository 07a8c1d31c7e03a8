/** Objects at the extremes: the longest names, meta of every shape, draws at the limits of floating point. */
import { describe, expect, it } from 'vitest';
import { expectNoSidewaysScroll } from './browser.ts';
import { leave, setStage } from './story.ts';

const longest = 'W'.repeat(255);
const odd = [longest, [longest], { [longest]: longest }, 1e300, -1, true, null, ''];

const stage = setStage(async ({ create, served }) => {
  await create({ object_type: 'model', name: longest });
  for (const value of odd) {
    const id = await create({ object_type: 'experiment', name: longest, run_on: longest });
    const names = ['progress', 'verdict', 'tags', 'note', 'queue_place', 'settings', 'error'];
    const meta = Object.fromEntries([...names, longest].map((name) => [name, value]));
    await served.call('POST', `/api/object/${id}`, {
      payload: { object_type: 'experiment', n_chains: 2 ** 31 - 1, n_samples: 2 ** 53 - 1 },
    });
    await served.call('POST', `/api/object/${id}`, {
      payload: { object_type: 'experiment', meta },
    });
  }
  for (const status of ['FIN', 'ERR', longest]) {
    const id = await create({ object_type: 'experiment', name: status, meta: { tags: [longest] } });
    await served.call('POST', `/api/object/${id}`, {
      payload: { object_type: 'experiment', status, action: longest },
    });
  }
  await served.call('POST', '/base/user/tokens', { name: longest });
});

describe.each([360, 1280])('%s pixels wide', (width) => {
  it.each([
    ['/account', 'Account'],
    ['/experiments', 'Experiments'],
    ['/models', 'Models'],
  ])('%s does not scroll sideways, whatever objects are called', async (path, heading) => {
    const visitor = await stage.arrive('light', { width, height: 800 });
    const { page } = visitor;
    await page.goto(`${stage.served.origin}${path}`);
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor({ state: 'attached' });
    await page.getByText(longest).first().waitFor();
    await expectNoSidewaysScroll(page);
    const wide = await page.evaluate(() =>
      [...document.querySelectorAll('main *')]
        .filter((part) => part.scrollWidth > part.clientWidth + 1)
        // on a phone the row of filters scrolls on its own, whatever the names are
        .filter((part) => part.getAttribute('data-scrolls') === null)
        .filter((part) => /auto|scroll/.test(getComputedStyle(part).overflowX))
        .map((part) => part.className),
    );
    expect(wide).toEqual([]);
    await leave(visitor);
  });
});

it('draws near the smallest number are not plotted, and a message explains it', async () => {
  const id = await stage.create({ object_type: 'experiment', name: 'near nothing' });
  const values = [5e-324, 1e-323, 0, 5e-324, 1.5e-323, 0];
  const logs = { vars: { 'chain#1': { tiny: values } }, iteration: { 'chain#1': [1, 6] } };
  const message = { object_type: 'experiment.protobuf_message', batch_id: 'b', run_id: 'r', logs };
  const sent = await stage.served.call('POST', `/api/object/${id}`, { payload: message });
  expect(sent).toMatchObject({ status: 'ok' });
  await stage.served.call('POST', `/api/object/${id}`, {
    payload: { object_type: 'experiment', status: 'FIN' },
  });
  const visitor = await stage.arrive('light');
  const { page } = visitor;
  await page.goto(`${stage.served.origin}/experiments/${id}`);
  await page.getByText('too close together to be drawn').first().waitFor();
  expect(await page.getByText('The plot could not be drawn').count()).toBe(0);
  await leave(visitor);
});
