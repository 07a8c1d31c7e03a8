/** What others see, and what calls what: shares of each kind, snapshots on a phone, events with callbacks. */
import { describe, expect, it } from 'vitest';
import { expectNoSidewaysScroll, visit } from './browser.ts';
import { runGalleryModel } from './runs.ts';
import {
  choose,
  leave,
  pickSegment,
  type Scheme,
  schemes,
  setStage,
  tinyRun,
  undo,
} from './story.ts';

let experimentId = '';
let modelId = '';
const stage = setStage(async ({ served }) => {
  experimentId = await runGalleryModel(served, 'eight-schools', tinyRun);
  const view = await served.call('GET', `/api/object/${experimentId}`);
  modelId = (view.data as { model_id: string }).model_id;
});
const phone = { width: 360, height: 740 };

/** Shares the experiment in the dialog with anyone who has the link; returns the link. */
async function sharePublicly(scheme: Scheme): Promise<string> {
  const visitor = await stage.arrive(scheme);
  const { page } = visitor;
  await page.goto(`${stage.served.origin}/experiments/${experimentId}`);
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Share this experiment' });
  await dialog.getByText('Anyone with the link').first().click();
  await dialog.getByRole('checkbox', { name: 'Include program and data' }).check();
  await choose(page, dialog.getByRole('combobox', { name: 'Expires' }), 'In a week');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const link = await dialog.getByLabel('Link', { exact: true }).inputValue();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('tab', { name: 'Share' }).click();
  await page
    .getByRole('table', { name: 'Shares', exact: true })
    .getByText('Anyone with the link')
    .first()
    .waitFor();
  await leave(visitor);
  return link;
}

describe.each(schemes)('in %s', (scheme) => {
  it('a public link opens on a phone without an account, and shows that object only', async () => {
    const link = await sharePublicly(scheme);
    const visitor = await visit(stage.browser, { scheme, ...phone });
    const { page } = visitor;
    await page.goto(link);
    await page.getByRole('heading', { name: 'Eight schools' }).waitFor();
    await page.getByRole('button', { name: /^mu\b/ }).waitFor();
    await expectNoSidewaysScroll(page);
    for (const tab of ['Traces', 'Posterior', 'Diagnostics', 'Pairs']) {
      await page.getByRole('tab', { name: tab }).click();
      // below the fold of a phone a plot is drawn only once it is scrolled into view
      await page.getByRole('tabpanel', { name: tab }).scrollIntoViewIfNeeded();
      await page.mouse.wheel(0, 500);
      await page.locator('.js-plotly-plot').first().waitFor();
      await expectNoSidewaysScroll(page);
    }
    expect(await page.getByRole('tab', { name: 'Logs' }).count()).toBe(0);
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(await page.getByRole('button', { name: /Share|Delete|More actions/ }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Run again' }).count()).toBe(0);
    await leave(visitor);

    const owner = await stage.person(scheme);
    await owner.page.goto(`${stage.served.origin}/shares`);
    const table = owner.page.getByRole('table', { name: 'Shared by me' });
    const row = table.getByRole('row').filter({ hasText: 'Anyone with the link' }).first();
    await row.waitFor();
    const before = await table.getByRole('row').count();
    await row.getByRole('button', { name: 'Revoke' }).click();
    await owner.page.getByText('Share revoked.').waitFor();
    const stranger = await visit(stage.browser, { scheme, ...phone });
    await stranger.page.goto(link);
    await stranger.page.getByRole('heading', { name: 'Snapshot not found' }).waitFor();
    await undo(owner.page, 'Share revoked.');
    await expect.poll(() => table.getByRole('row').count()).toBe(before);
    await stranger.page.reload();
    await stranger.page.getByRole('heading', { name: 'Eight schools' }).waitFor();
    await stranger.context.close();
    await leave(owner);
  });

  it('an experiment is shared with one person, who finds it among what is shared with them', async () => {
    const name = `mei-${scheme}`;
    const password = 'a password for mei';
    const address = await stage.addUser(name, password);
    const owner = await stage.person(scheme);
    const { page } = owner;
    await page.goto(`${stage.served.origin}/experiments/${experimentId}`);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Share this experiment' });
    await dialog.getByText('One person').click();
    await dialog.getByLabel('User name').fill('nobody(@99)');
    await dialog.getByRole('button', { name: 'Share', exact: true }).click();
    await dialog.getByRole('alert').filter({ hasText: 'Not shared' }).waitFor();
    await dialog.getByLabel('User name').fill(address);
    await dialog.getByRole('button', { name: 'Share', exact: true }).click();
    await dialog.getByText(`${address} sees it now`).waitFor();
    await leave(owner);

    const mei = await visit(stage.browser, { scheme });
    await mei.page.goto(`${stage.served.origin}/sign-in`);
    await mei.page.getByLabel('User name').fill(name);
    await mei.page.getByLabel('Password', { exact: true }).last().fill(password);
    await mei.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await mei.page.getByRole('heading', { name: 'Overview' }).waitFor();
    await mei.page.goto(`${stage.served.origin}/shares`);
    await pickSegment(mei.page, 'Whose', 'Shared with me');
    await mei.page
      .getByRole('table', { name: 'Experiments shared with me' })
      .getByRole('link', { name: 'Eight schools' })
      .click();
    await mei.page.getByRole('rowheader', { name: 'mu', exact: true }).waitFor();
    expect(await mei.page.getByRole('button', { name: /Delete|More actions/ }).count()).toBe(0);
    expect(await mei.page.getByRole('link', { name: 'Run again' }).count()).toBe(0);
    await leave(mei);
  });

  it('a model is shared with its files, and a pasted link opens it', async () => {
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(`${stage.served.origin}/models/${modelId}`);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Share this model' });
    await dialog.getByText('Anyone with the link').first().click();
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const link = await dialog.getByLabel('Link', { exact: true }).inputValue();
    await page.goto(`${stage.served.origin}/shares`);
    await page.getByRole('textbox', { name: 'Link to open' }).fill('not a link');
    await page.getByText(/^A link ends in/).waitFor();
    await page.getByRole('textbox', { name: 'Link to open' }).fill(link);
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByRole('heading', { name: 'Eight schools' }).waitFor();
    await page.getByText('parameters').first().waitFor();
    await leave(visitor);
  });

  it('an event is linked to a callback and fired, and the call is shown', async () => {
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(`${stage.served.origin}/callbacks`);
    await page.getByRole('button', { name: 'New callback' }).click();
    await page
      .getByRole('textbox', { name: 'Code' })
      .fill('export default ({ depth }) => ({ depth });');
    await page.getByRole('button', { name: 'Create callback' }).click();
    await page.waitForURL(/id=C/);
    const callback = new URL(page.url()).searchParams.get('id') ?? '';
    await page.goto(`${stage.served.origin}/events`);
    await page.getByRole('button', { name: 'New event' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill(`flood ${scheme}`);
    await page.getByRole('button', { name: 'Create event' }).click();
    await page.waitForURL(/id=E/);
    const event = new URL(page.url()).searchParams.get('id') ?? '';
    await page.getByText('It calls nothing yet.').waitFor();

    await page.goto(`${stage.served.origin}/relations`);
    await page.getByRole('button', { name: 'New relation' }).click();
    await choose(page, page.getByRole('combobox', { name: 'Event' }), new RegExp(event));
    await choose(page, page.getByRole('combobox', { name: 'Calls' }), new RegExp(callback));
    await page.getByRole('button', { name: 'Create relation' }).click();
    await page.waitForURL(/id=R/);
    await page
      .getByRole('region', { name: /^relation / })
      .getByRole('link', { name: `flood ${scheme}` })
      .click();

    const panel = page.getByRole('region', { name: `event ${event}` });
    await panel.getByRole('list', { name: 'Relations' }).getByTitle(callback).waitFor();
    await panel.getByRole('textbox', { name: 'Parameters' }).fill('{"depth": 3');
    await panel.getByText(/^Line 1, column/).waitFor();
    await panel.getByRole('textbox', { name: 'Parameters' }).fill('{"depth": 3}');
    await panel.getByRole('button', { name: 'Fire event' }).click();
    const calls = panel.getByRole('region', { name: 'Recent calls' });
    await calls.getByTitle(callback).waitFor();
    await calls.getByText('Done', { exact: true }).waitFor();

    const table = page.getByRole('table', { name: 'Events' });
    await table.getByRole('checkbox', { name: `Select flood ${scheme}` }).check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    await undo(page, /deleted/i);
    await table.getByRole('link', { name: `flood ${scheme}` }).waitFor();
    await leave(visitor);
  });
});
