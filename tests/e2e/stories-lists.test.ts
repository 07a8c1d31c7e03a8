/** What a person does with lists and a model's files, in a real browser: sorting, columns, views, tags, search. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectNoSidewaysScroll } from './browser.ts';
import { fileOf } from './openings.ts';
import { runGalleryModel } from './runs.ts';
import { leave, schemes, setStage, tinyRun, undo } from './story.ts';

let modelId = '';
const stage = setStage(async ({ served, create }) => {
  await runGalleryModel(served, 'eight-schools', tinyRun);
  for (const name of ['Ash', 'Birch', 'Cedar']) await create({ object_type: 'experiment', name });
  modelId = await create({
    object_type: 'model',
    name: 'Two files',
    env: 'stan',
    content: {
      meta: { entrance_file: 'main.stan' },
      tree: [
        fileOf('main.stan', '#include rate.stan\nparameters { real rate; }\n'),
        fileOf('rate.stan', '// the rate of decay\n'),
      ],
    },
  });
});

const names = (page: Page) => page.locator('tbody tr td[data-phone="title"]').allTextContents();
const widths = [
  { width: 1280, height: 720 },
  { width: 1440, height: 900 },
];

describe.each(schemes)('in %s', (scheme) => {
  it('a list is sorted by its column heads, and shows the selected columns and view', async () => {
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(`${stage.served.origin}/experiments`);
    await page.getByRole('link', { name: 'Ash' }).waitFor();
    await page.getByRole('button', { name: 'R-hat max' }).click();
    await page.waitForURL(/sort=-rhat/);
    await expect.poll(async () => (await names(page))[0]).toBe('Eight schools');
    await page.getByRole('button', { name: 'Name', exact: true }).click();
    await expect.poll(async () => (await names(page))[0]).toBe('Ash');

    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Created' }).check();
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: 'Created' }).waitFor();

    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save this view' }).click();
    await page.getByRole('textbox', { name: 'Name of the view' }).fill('By name');
    await page.keyboard.press('Enter');
    // wait until it is saved: leaving the page cancels its open requests
    await page.getByRole('button', { name: 'By name', exact: true }).waitFor();
    await page.goto(`${stage.served.origin}/experiments?cols=status,name`);
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'By name', exact: true }).click();
    await page.waitForURL(/sort=name/);
    await page.getByRole('columnheader', { name: 'Created' }).waitFor();
    await page.reload();
    await expect.poll(async () => (await names(page))[0]).toBe('Ash');
    await leave(visitor);

    // signed in elsewhere, the same person finds the view
    const elsewhere = await stage.person(scheme);
    await elsewhere.page.goto(`${stage.served.origin}/experiments?cols=status,name`);
    await elsewhere.page.getByRole('button', { name: 'Views' }).click();
    await elsewhere.page.getByRole('menuitem', { name: 'By name', exact: true }).click();
    await elsewhere.page.waitForURL(/sort=name/);
    await elsewhere.page.getByRole('columnheader', { name: 'Created' }).waitFor();
    await elsewhere.page.getByRole('button', { name: 'By name', exact: true }).click();
    await elsewhere.page.getByRole('button', { name: 'Delete By name' }).click();
    await elsewhere.page.getByText('Deleted the view By name.').waitFor();
    await leave(elsewhere);
  });

  it('rows are tagged, found by their tag, renamed and deleted, and Ctrl+Z undoes it all', async () => {
    const visitor = await stage.person(scheme);
    const { page } = visitor;
    // one per theme: the other theme's test has left its own
    const tag = `wood-${scheme}`;
    await page.goto(`${stage.served.origin}/experiments`);
    await page.getByLabel('Select Ash').check();
    await page.getByLabel('Select Birch').check();
    await page.getByRole('button', { name: 'Tag', exact: true }).click();
    await page.getByRole('combobox', { name: 'Add tags' }).fill(tag);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Change tags' }).click();
    await page.getByText('Changed the tags of 2 objects.').waitFor();
    await page.goto(`${stage.served.origin}/experiments?tag=${tag}&created=today`);
    await expect.poll(() => names(page)).toEqual(['Birch', 'Ash']);

    await page.getByRole('button', { name: 'Actions on Ash' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Oak');
    await page.keyboard.press('Enter');
    await expect.poll(() => names(page)).toEqual(['Birch', 'Oak']);
    await page.getByLabel('Select Birch').check();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.poll(() => names(page)).toEqual(['Oak']);
    await page.keyboard.press('Control+z');
    await expect.poll(() => names(page)).toEqual(['Birch', 'Oak']);
    await page.keyboard.press('Control+z');
    await expect.poll(() => names(page)).toEqual(['Birch', 'Ash']);
    await page.getByRole('radiogroup', { name: 'Status' }).getByText('New 2').waitFor();
    await leave(visitor);
  });

  it('several rows are shared at once, with one link each and one password, and then revoked', async () => {
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(`${stage.served.origin}/experiments`);
    for (const name of ['Birch', 'Cedar']) await page.getByLabel(`Select ${name}`).check();
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Share 2 experiments' });
    await dialog.getByText(/Birch/).waitFor();
    await dialog.getByRole('button', { name: 'Create 2 links' }).click();
    await dialog.getByText('The links are ready. What they show is frozen as of now.').waitFor();
    const password = await dialog.getByLabel('Password for all, shown here only').inputValue();
    const links = await Promise.all(
      ['Birch', 'Cedar'].map((name) => dialog.getByLabel(name, { exact: true }).inputValue()),
    );
    expect(new Set(links).size).toBe(2);
    await dialog.getByRole('button', { name: 'Copy all links' }).waitFor();
    const reader = await page.context().newPage();
    await reader.goto(links[1] ?? '');
    await reader.getByRole('textbox', { name: 'Password' }).fill(password);
    await reader.keyboard.press('Enter');
    await reader.getByRole('heading', { name: 'Cedar' }).waitFor();
    await reader.close();
    await undo(page, 'Shared 2 experiments.');
    // The revoked links can no longer be copied.
    await dialog.waitFor({ state: 'detached' });
    await page.goto(`${stage.served.origin}/shares`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect
      .poll(() =>
        page
          .getByRole('row')
          .filter({ hasText: /Birch|Cedar/ })
          .count(),
      )
      .toBe(0);

    await page.goto(`${stage.served.origin}/models`);
    await page.getByLabel('Select Two files').check();
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByRole('dialog', { name: 'Share this model' }).waitFor();
    await leave(visitor);
  });

  it('the toolbar of a list fits on one row, and nothing scrolls sideways', async () => {
    for (const size of [...widths, { width: 360, height: 740 }]) {
      const visitor = await stage.arrive(scheme, size);
      const { page } = visitor;
      await page.goto(`${stage.served.origin}/experiments`);
      await page.getByText('All 4').waitFor();
      const tools = page.getByRole('searchbox', { name: 'Name or id' });
      const search = await tools.boundingBox();
      const filter = await page.getByRole('button', { name: 'Filter' }).boundingBox();
      const views = await page.getByRole('button', { name: 'Views' }).boundingBox();
      const middle = (box: typeof search) => (box === null ? -1 : box.y + box.height / 2);
      expect(Math.abs(middle(search) - middle(filter))).toBeLessThan(4);
      expect(Math.abs(middle(search) - middle(views))).toBeLessThan(4);
      await expectNoSidewaysScroll(page);
      if (size.width >= 1280) {
        const verdict = page
          .getByRole('row', { name: /Eight schools/ })
          .locator('td')
          .nth(4);
        expect(await verdict.evaluate((cell) => cell.scrollWidth <= cell.clientWidth)).toBe(true);
      }
      await leave(visitor);
    }
  });

  it('a word is found in all files of a model and replaced, and the replacement is undone', async () => {
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(`${stage.served.origin}/models/${modelId}`);
    await page.locator('.monaco-editor .view-line').first().waitFor();
    // the rail is collapsed to give the code its space
    await page.getByRole('button', { name: 'Expand the menu' }).waitFor();
    await page.keyboard.press('Control+Shift+F');
    await page.getByRole('textbox', { name: 'Find', exact: true }).fill('rate');
    await page.getByRole('button', { name: 'Whole words' }).click();
    const status = page.getByRole('search', { name: 'Find in all files' }).getByRole('status');
    await expect.poll(() => status.textContent()).toBe('3 matches in 2 files');
    await page.getByRole('button', { name: /the rate of decay/ }).click();
    await page.getByRole('tab', { name: /rate\.stan/ }).waitFor();
    await page.getByRole('textbox', { name: 'Replace with' }).fill('speed');
    await page.getByRole('button', { name: 'Replace all' }).click();
    const line = page.locator('.monaco-editor .view-line').first();
    await expect.poll(() => line.textContent()).toContain('speed');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => line.textContent()).toContain('rate');
    await leave(visitor);
  });
});
