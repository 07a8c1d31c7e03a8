/** Work on a question: collected in a project, with notes between runs, shared as one, unaffected by later edits. */
import { describe, expect, it } from 'vitest';
import { expectNoSidewaysScroll, visit } from './browser.ts';
import { misfitsOf, resize, settle, violationsOf } from './inspect-page.ts';
import { runGalleryModel } from './runs.ts';
import { downloadBy, leave, schemes, setStage, tinyRun } from './story.ts';

const ids = { first: '', second: '', model: '' };

const stage = setStage(async ({ served }) => {
  ids.first = await runGalleryModel(served, 'eight-schools', tinyRun);
  const settings = { ...tinyRun, seed: 4, adapt_delta: 0.95 };
  ids.second = await runGalleryModel(served, 'eight-schools', settings);
  const view = await served.call('GET', `/api/object/${ids.first}`);
  ids.model = (view.data as { model_id: string }).model_id;
  const name = 'A second, stricter run';
  await served.call('POST', `/api/object/${ids.second}`, {
    payload: { object_type: 'experiment', name },
  });
});

const at = (path: string) => `${stage.served.origin}${path}`;
/** The folder for screenshots of the pages; absent: none are taken. */
const pictures = process.env.PICTURES;

describe('a project', () => {
  it('is created, filled from lists and pages, written in, shared, and stays as it was shared', async () => {
    const visitor = await stage.person('light');
    const { page } = visitor;
    const region = (name: string) => page.getByRole('region', { name, exact: true });

    // created from the empty state, which says what a project is for
    await page.getByRole('link', { name: 'Projects', exact: true }).click();
    await page.getByRole('heading', { name: 'No projects yet' }).waitFor();
    await page.getByRole('button', { name: 'New project' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Does coaching help?');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Does coaching help?' }).waitFor();
    const address = page.url();

    // filled: by search, from a run's menu, from a selection in a list
    await page.getByRole('combobox', { name: 'Add a model, data or a run' }).fill('eight');
    await page.getByRole('option', { name: new RegExp(ids.model) }).click();
    await region('Models').getByRole('link').waitFor();
    await page.goto(at(`/experiments/${ids.first}`));
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Add to project…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Does coaching help?' }).click();
    await page.getByText(/^Added .* to Does coaching help/).waitFor();
    await page.goto(at('/experiments'));
    await page.getByRole('checkbox', { name: 'Select A second, stricter run' }).click();
    await page.getByRole('toolbar', { name: 'Selection' }).getByText('Add to project').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Does coaching help?' }).click();
    await page.getByText(/^Added A second/).waitFor();

    // the notebook: verdicts, what the second run changed, notes and text
    await page.goto(address);
    const notebook = region('Notebook');
    const runs = notebook.getByRole('listitem').filter({ has: page.getByRole('heading') });
    await notebook.getByText('adapt_delta 0.8 → 0.95').waitFor();
    expect(await runs.count()).toBe(2);
    await runs.last().getByRole('button', { name: 'Write a note' }).click();
    await page
      .getByLabel('Note on A second, stricter run in Markdown')
      .fill('Fewer **divergences**.');
    await page.getByRole('button', { name: 'Save note' }).click();
    await notebook.locator('strong', { hasText: 'divergences' }).waitFor();
    await page.getByRole('button', { name: 'Write an entry' }).click();
    await page.getByLabel('New entry in Markdown').fill('Decided to use the *non-centred* form.');
    await page.keyboard.press('Control+Enter');
    await notebook.locator('em', { hasText: 'non-centred' }).waitFor();
    await notebook.getByRole('button', { name: 'Delete' }).click();
    await notebook.locator('em').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+z');
    await notebook.locator('em', { hasText: 'non-centred' }).waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Add a note' }).click();
    await page.getByLabel('Note in Markdown').fill('Rubin (1981), eight experiments.');
    await page.getByRole('button', { name: 'Save note' }).click();
    await region('Note').getByText('Rubin (1981)').waitFor();
    expect(await violationsOf(page)).toEqual([]);

    // as a file
    const { name, bytes } = await downloadBy(page, () =>
      page.getByRole('button', { name: 'Export' }).click(),
    );
    expect(name).toBe('Does coaching help_.md');
    const text = bytes.toString('utf8');
    for (const line of ['# Does coaching help?', 'Fewer **divergences**.', '0.8 → 0.95'])
      expect(text).toContain(line);

    // shared
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Its note and notebook').waitFor();
    await dialog.getByLabel('Include notes on runs').check();
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const link = await dialog.getByLabel('Link', { exact: true }).inputValue();
    const password = await dialog.getByLabel(/^Password, shown here only/).inputValue();
    await dialog.getByRole('button', { name: 'Done' }).click();

    // changed afterwards
    await notebook.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Entry in Markdown').fill('Decided otherwise.');
    await page.getByRole('button', { name: 'Save entry' }).click();
    await notebook.getByText('Decided otherwise.').waitFor();
    await region('Models')
      .getByRole('button', { name: /^Remove .* from the project$/ })
      .click();
    await page.getByText(/is no longer in this project/).waitFor();

    // a stranger: refused with a wrong password, then sees what was shared, members too, and nothing later
    const stranger = await visit(stage.browser, { width: 1280, height: 720 });
    const other = stranger.page;
    await other.goto(link);
    await other.getByLabel('Password', { exact: true }).fill('not the password');
    await other.getByRole('button', { name: 'Open snapshot' }).click();
    await other.getByText('Wrong password. Try again.').waitFor();
    expect(await other.getByText('Does coaching help?').count()).toBe(0);
    await other.getByLabel('Password', { exact: true }).fill(password);
    await other.getByRole('button', { name: 'Open snapshot' }).click();
    await other.getByRole('heading', { name: 'Does coaching help?' }).waitFor();
    await other.locator('em', { hasText: 'non-centred' }).waitFor();
    await other.locator('strong', { hasText: 'divergences' }).waitFor();
    expect(await other.getByText('Decided otherwise.').count()).toBe(0);
    for (const button of ['Share', 'More actions', 'Edit', 'Delete', 'Write an entry'])
      expect(await other.getByRole('button', { name: button, exact: true }).count()).toBe(0);
    expect(await violationsOf(other)).toEqual([]);
    await other
      .getByRole('region', { name: 'Models', exact: true })
      .getByRole('link')
      .first()
      .click();
    await other
      .getByRole('region', { name: /\.stan$/ })
      .first()
      .waitFor();
    await other.goBack();
    await other
      .getByRole('region', { name: 'Notebook' })
      .getByRole('link', { name: 'A second, stricter run' })
      .click();
    await other.getByRole('heading', { name: 'A second, stricter run' }).waitFor();
    await other.getByRole('tab', { name: 'Traces' }).click();
    await other.locator('.js-plotly-plot').first().waitFor();
    expect(other.url()).not.toContain(encodeURIComponent(password));

    // revoked
    await page.goto(at('/shares'));
    await page
      .getByRole('button', { name: /Revoke/ })
      .first()
      .click();
    await page
      .getByText(/revoked/i)
      .first()
      .waitFor();
    await other.goto(link);
    await other.getByRole('heading', { name: 'Snapshot not found' }).waitFor();
    await leave(stranger);
    await leave(visitor);
  });

  it('edited by two people at once keeps the text of both', async () => {
    const objid = await stage.create({ object_type: 'project', name: 'Two windows' });
    const write = (payload: object) =>
      stage.served.call('POST', `/api/object/${objid}`, { payload });
    await write({ object_type: 'project.entry', text: 'As it began.' });
    const [one, two] = [await stage.person('light'), await stage.person('dark')];
    for (const { page } of [one, two]) {
      await page.goto(at(`/projects/${objid}`));
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
    }
    await one.page.getByLabel('Entry in Markdown').fill('Words of the first.');
    await one.page.getByRole('button', { name: 'Save entry' }).click();
    await one.page.getByText('Words of the first.').waitFor();
    await two.page.getByLabel('Entry in Markdown').fill('Words of the second.');
    await two.page.getByRole('button', { name: 'Save entry' }).click();
    await two.page.getByText('This text was changed elsewhere while you wrote.').waitFor();
    await two.page
      .getByRole('region', { name: 'The other text' })
      .getByText('Words of the first.')
      .waitFor();
    await two.page.getByRole('button', { name: 'Put it before mine' }).click();
    await two.page.getByRole('button', { name: 'Save mine' }).click();
    const entry = two.page.getByRole('region', { name: 'Notebook' }).getByRole('listitem');
    await entry.getByText('Words of the second.').waitFor();
    expect(await entry.textContent()).toContain('Words of the first.');
    await leave(one);
    // the refused save is a 409 response, which browsers log
    await two.context.close();
  });

  it.each(schemes)(
    'fits a phone and a small window, empty and with long names, in the %s theme',
    async (scheme) => {
      const long = `A hierarchical regression of ${'admissions by department and year, '.repeat(5)}`;
      const empty = await stage.create({ object_type: 'project', name: 'Nothing here yet' });
      const data = await stage.create({ object_type: 'data', name: long, data: '{"N": 1}' });
      const members = [ids.first, ids.second, ids.model, data];
      const full = await stage.create({
        object_type: 'project',
        name: long,
        note: `A note with ${'a_word_that_nobody_should_write_'.repeat(6)} and a\n\n| table | of |\n|--|--|\n| 1 | 2 |`,
        tags: ['schools'],
        members,
      });
      await stage.served.call('POST', `/api/object/${full}`, {
        payload: {
          object_type: 'project.entry',
          text: 'Decided:\n\n- one\n- two\n\n```\ny ~ normal(mu, sigma);\n```',
        },
      });
      const share = await stage.create({ object_type: 'share', objid: full, password: '' });
      const visitor = await stage.person(scheme, { width: 1280, height: 720 });
      const { page } = visitor;
      const pages = [
        ['list', '/projects'],
        ['empty', `/projects/${empty}`],
        ['full', `/projects/${full}`],
        ['shared', `/s/${full}/${share}`],
      ] as const;
      for (const [what, path] of pages) {
        await page.goto(at(path));
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page
          .getByText(what === 'empty' ? 'Nothing here yet' : 'A hierarchical')
          .first()
          .waitFor();
        for (const size of ['desktop', 'phone'] as const) {
          await resize(page, size);
          await settle(page);
          expect([what, size, ...(await misfitsOf(page))]).toEqual([what, size]);
          if (pictures !== undefined)
            await page.screenshot({
              path: `${pictures}/${what}-${size}-${scheme}.png`,
              fullPage: true,
            });
          await expectNoSidewaysScroll(page);
        }
        await page.setViewportSize({ width: 1280, height: 720 });
        if (pictures !== undefined)
          await page.screenshot({ path: `${pictures}/${what}-small-${scheme}.png` });
      }
      await leave(visitor);
    },
  );
});
