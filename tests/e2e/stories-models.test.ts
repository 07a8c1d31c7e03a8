/** Models: the list, each way of creating one, and what its tabs show. */
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { makeModel, runGalleryModel } from './runs.ts';
import { choose, downloadBy, leave, schemes, setStage, tinyRun, undo } from './story.ts';

const stage = setStage();
const bytes = (text: string) => Buffer.from(text);

describe.each(schemes)('in %s', (scheme) => {
  it('the list is searched, filtered by a tag, and a deleted model is restored', async () => {
    const names = [`Tides ${scheme}`, `Rain ${scheme}`];
    for (const name of names) await makeModel(stage.served, name, 'parameters { real x; }\n');
    const tag = `sea-${scheme}`;
    const list = await stage.served.call('GET', `/api/object?object_type=model&q=Tides`);
    const tides = (list.data as { objects: { short_id: string; name: string }[] }).objects;
    const id = tides.find(({ name }) => name === names[0])?.short_id;
    await stage.served.call('POST', `/api/object/${id}`, {
      payload: { object_type: 'model', tags: ['model', tag] },
    });

    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(`${stage.served.origin}/models`);
    const table = page.getByRole('table', { name: 'Models' });
    await table.getByRole('link', { name: names[1] }).waitFor();
    await page.getByRole('searchbox', { name: 'Name or id' }).fill(`tides ${scheme}`);
    await page.waitForURL(/q=tides/);
    await table.getByRole('link', { name: names[1] }).waitFor({ state: 'detached' });
    await table.getByRole('link', { name: names[0] }).waitFor();
    await page.getByRole('searchbox', { name: 'Name or id' }).fill('no such model');
    await page.getByText('There is no model called “no such model”.').waitFor();
    await page.getByRole('searchbox', { name: 'Name or id' }).fill('');
    await table.getByRole('button', { name: tag }).click();
    await page.waitForURL(new RegExp(`tag=${tag}`));
    await table.getByRole('link', { name: names[1] }).waitFor({ state: 'detached' });
    expect(await table.getByRole('link').allInnerTexts()).toEqual([names[0]]);

    await table.getByRole('checkbox', { name: `Select ${names[0]}` }).check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    await table.waitFor({ state: 'detached' });
    await undo(page, `Deleted ${names[0]}.`);
    await table.getByRole('link', { name: names[0] }).waitFor();
    await leave(visitor);
  });

  it('a new model is created from scratch, from files, from a zip and from a folder', async () => {
    const visitor = await stage.person(scheme);
    const { page } = visitor;
    const toNew = async () => {
      await page.goto(`${stage.served.origin}/models/new`);
      await page.getByRole('heading', { name: 'New model' }).waitFor();
    };
    await toNew();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('Type a name first.').waitFor();
    await page.getByLabel('Name of the model').fill(`Blank ${scheme}`);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.waitForURL(/\/models\/M/);
    await page.getByRole('heading', { name: `Blank ${scheme}`, level: 1 }).waitFor();

    await toNew();
    const program = bytes('parameters { real x; }\nmodel { x ~ normal(0, 1); }\n');
    await page.getByLabel('Files or a zip').setInputFiles([
      { name: `waves-${scheme}.stan`, mimeType: 'text/plain', buffer: program },
      { name: 'notes.md', mimeType: 'text/markdown', buffer: bytes('# Notes\n') },
    ]);
    await page.waitForURL(/\/models\/M/);
    await page.getByRole('treeitem', { name: `waves-${scheme}.stan` }).waitFor();
    await page.getByRole('treeitem', { name: 'notes.md' }).waitFor();

    await toNew();
    const zip = zipSync({ 'main.stan': program, 'src/helper.stan': program });
    await page
      .getByLabel('Files or a zip')
      .setInputFiles([
        { name: `packed-${scheme}.zip`, mimeType: 'application/zip', buffer: Buffer.from(zip) },
      ]);
    await page.waitForURL(/\/models\/M/);
    await page.getByRole('treeitem', { name: 'src' }).waitFor();
    await page.getByRole('heading', { name: `packed-${scheme}`, level: 1 }).waitFor();

    await toNew();
    await page
      .getByLabel('Files or a zip')
      .setInputFiles([
        { name: 'bad.zip', mimeType: 'application/zip', buffer: bytes('PK not a zip') },
      ]);
    await page.getByRole('alert').first().waitFor();
    expect(page.url()).toContain('/models/new');
    await leave(visitor);
  });

  it('a gallery model has a run panel, and tabs for its experiments and its information', async () => {
    const experimentId = await runGalleryModel(stage.served, 'eight-schools', tinyRun);
    const view = await stage.served.call('GET', `/api/object/${experimentId}`);
    const { model_id } = view.data as { model_id: string };
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(`${stage.served.origin}/models/${model_id}`);
    await page.locator('.monaco-editor .view-lines').first().waitFor();
    await page.getByRole('region', { name: 'Run', exact: true }).waitFor();

    await page.getByRole('tab', { name: /^Experiments/ }).click();
    await page
      .getByRole('table', { name: 'Experiments of this model' })
      .getByRole('link', { name: 'Eight schools' })
      // Nothing covers it: the header of the table stays where it is.
      .click({ trial: true, timeout: 10_000 });
    await page.getByRole('tab', { name: 'Info' }).click();
    await page.getByRole('textbox', { name: 'Description' }).fill(`Of ${scheme}`);
    await page.getByRole('combobox', { name: 'Tags' }).fill('schools');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save name, description and tags' }).click();
    await page.getByText('Name, description and tags saved.').waitFor();

    await page.getByRole('button', { name: 'More actions' }).click();
    const zip = await downloadBy(page, () =>
      page.getByRole('menuitem', { name: 'Download zip' }).click(),
    );
    expect(zip.bytes.subarray(0, 2).toString()).toBe('PK');
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByLabel('Name of the model').fill(`Schools ${scheme}`);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: `Schools ${scheme}`, level: 1 }).waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.waitForURL(/\/models(\?|$)/);
    await undo(page, /deleted/i);
    await page.getByRole('link', { name: `Schools ${scheme}` }).waitFor();
    await leave(visitor);
  });

  it('a version is viewed and compared with the current files, and the entrance file is chosen', async () => {
    const id = await makeModel(stage.served, `Versions ${scheme}`, 'parameters { real x; }\n');
    const tree = [
      { name: 'main.stan', type: 'file', content: 'parameters { real y; }\n', encoding: 'text' },
      { name: 'other.stan', type: 'file', content: 'parameters { real z; }\n', encoding: 'text' },
    ];
    await stage.served.call('POST', `/api/object/${id}`, {
      payload: { object_type: 'model', content: { tree } },
    });
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(`${stage.served.origin}/models/${id}`);
    await page.getByRole('tab', { name: 'Versions' }).click();
    const versions = page.getByRole('navigation', { name: 'Versions' });
    await versions.getByText('v2, the newest').waitFor();
    await versions.getByText(/^v1/).first().click();
    await page.getByRole('navigation', { name: 'Files of this version' }).waitFor();
    await page.getByText('real x').first().waitFor();
    await page.getByRole('tab', { name: 'Info' }).click();
    await choose(page, page.getByRole('combobox', { name: 'Entrance file' }), 'other.stan');
    await page
      .getByText(/entrance file changed/)
      .first()
      .waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText('v3', { exact: true }).waitFor();
    await leave(visitor);
  });

  it('any version is compared with the first by one button, and edits with the saved files', async () => {
    const id = await makeModel(stage.served, `Diffs ${scheme}`, 'parameters { real first; }\n');
    for (const word of ['second', 'third'])
      await stage.served.call('POST', `/api/object/${id}`, {
        payload: {
          object_type: 'model',
          content: {
            tree: [
              {
                name: 'main.stan',
                type: 'file',
                content: `parameters { real ${word}; }\n`,
                encoding: 'text',
              },
            ],
          },
        },
      });
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(`${stage.served.origin}/models/${id}?tab=versions`);
    const against = page.getByRole('combobox', { name: 'Compare with' });
    // By default a version is compared with the one before it.
    await expect.poll(() => against.inputValue()).toBe('2');
    await page.getByText('real third').first().waitFor();
    await page.getByRole('button', { name: 'Diff with v1' }).click();
    await page.getByText('real first').first().waitFor();
    await page.getByText('real third').first().waitFor();
    expect(await against.inputValue()).toBe('1');
    expect(await page.getByText('real second').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Diff with v1' }).count()).toBe(0);
    await page.getByRole('navigation', { name: 'Versions' }).getByText(/^v2/).first().click();
    await against.selectOption({ label: 'Compare with v3' });
    await page.getByText('real third').first().waitFor();

    await page.getByRole('tab', { name: 'Files' }).click();
    await page.locator('.monaco-editor .view-line').first().waitFor();
    expect(await page.getByRole('button', { name: /^Diff with/ }).count()).toBe(0);
    await page.locator('.monaco-editor .view-line').first().click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('// mine\n');
    await page.getByRole('button', { name: 'Diff with v3' }).click();
    await page.getByText('// mine').first().waitFor();
    expect(await against.inputValue()).toBe('draft');
    await leave(visitor);
  });
});
