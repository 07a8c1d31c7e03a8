/** Data, workflows with their report, and functions that answer. */
import { describe, expect, it } from 'vitest';
import { runGalleryModel } from './runs.ts';
import {
  choose,
  downloadBy,
  leave,
  pickSegment,
  schemes,
  setStage,
  tinyRun,
  undo,
} from './story.ts';

let experimentId = '';
let workflowId = '';
const stage = setStage(async ({ served }) => {
  experimentId = await runGalleryModel(served, 'eight-schools', tinyRun);
  const view = await served.call('GET', `/api/object/${experimentId}`);
  workflowId = (view.data as { workflow_id: string }).workflow_id;
});

describe.each(schemes)('in %s', (scheme) => {
  it('data are uploaded and pasted, viewed, downloaded, deleted and restored', async () => {
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(`${stage.served.origin}/data`);
    const name = `rain-${scheme}.json`;
    await page.getByLabel('Files to upload').setInputFiles([
      {
        name,
        mimeType: 'application/json',
        buffer: Buffer.from('{"N": 3, "y": [1.5, 2.5, 9]}'),
      },
    ]);
    await page.waitForURL(/\/data\/D/);
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.getByText('N', { exact: true }).first().waitFor();
    await page.getByText('y', { exact: true }).first().waitFor();
    const saved = await downloadBy(page, () =>
      page.getByRole('button', { name: 'Download', exact: true }).click(),
    );
    expect(saved.name).toBe(name);
    expect(JSON.parse(saved.bytes.toString('utf8'))).toEqual({ N: 3, y: [1.5, 2.5, 9] });
    await page.getByRole('button', { name: 'New version' }).click();
    const renewal = page.getByRole('dialog', { name: `New version of ${name}` });
    await pickSegment(page, 'From', 'Paste text');
    await renewal.getByLabel('Text', { exact: true }).last().fill('{"N": 1, "y": [7]}');
    await renewal.getByRole('button', { name: 'Save as new version' }).click();
    await renewal.waitFor({ state: 'detached' });
    await page.getByText('v2', { exact: true }).first().waitFor();
    await page.getByRole('tab', { name: 'Versions' }).click();
    await page.getByRole('button', { name: 'View v1' }).click();
    await page.getByText('This is v1, an earlier version.').waitFor();
    await page.getByRole('tab', { name: 'Used by' }).click();
    await page.getByText('Nothing uses these data').waitFor();

    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.waitForURL(/\/data(\?|$)/);
    await undo(page, `Deleted ${name}.`);
    await page.getByRole('link', { name }).waitFor();

    await page.getByRole('button', { name: 'Paste text' }).click();
    const dialog = page.getByRole('dialog', { name: 'Paste data' });
    await dialog.getByLabel('Name').fill(`pasted-${scheme}.csv`);
    await dialog.getByLabel('Text').fill('a,b\n1,2\n3,4\n');
    await dialog.getByRole('button', { name: 'Save data' }).click();
    await page.waitForURL(/\/data\/D/);
    await page.getByRole('heading', { name: `pasted-${scheme}.csv`, level: 1 }).waitFor();
    await page.getByText(/csv/i).first().waitFor();

    const view = await stage.served.call('GET', `/api/object/${experimentId}`);
    const { input } = view.data as { input: string };
    await page.goto(`${stage.served.origin}/data/${input}?tab=uses`);
    const users = page.getByRole('table', { name: 'Experiments that use these data' });
    await users.getByRole('link', { name: 'Eight schools' }).first().waitFor();
    await leave(visitor);
  });

  it('a workflow shows its parts, is edited, runs, and makes a report that is shown separately', async () => {
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(`${stage.served.origin}/workflows`);
    await page
      .getByRole('table', { name: 'Workflows' })
      .getByRole('link', { name: 'Eight schools' })
      .first()
      .click();
    await page.waitForURL(/\/workflows\/F/);
    const parts = page.getByRole('region', { name: 'Parts' });
    for (const part of ['Model', 'Data', 'Sampling', 'Experiment', 'Analyzer', 'Report'])
      await parts
        .getByText(new RegExp(`^${part}`))
        .first()
        .waitFor();
    // Arrows end in heads, and the report comes after the analyzer that makes it.
    const heads = parts.locator('svg path[data-head]').filter({ visible: true });
    await expect.poll(() => heads.count()).toBe(4);
    for (const head of await heads.all()) {
      const box = await head.boundingBox();
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThan(2);
    }
    const tops = ['Analyzer', 'Report'].map((part) =>
      parts
        .getByText(new RegExp(`^${part}`))
        .first()
        .boundingBox(),
    );
    const [analyzer, made] = await Promise.all(tops);
    expect(analyzer?.y ?? 0).toBeLessThan(made?.y ?? 0);
    await pickSegment(page, 'Settings as', 'YAML');
    const yaml = page.getByRole('textbox', { name: 'Settings', exact: true });
    await yaml.fill('sampling: {num_chains: many}\n');
    await page.getByRole('list', { name: 'Problems in the settings' }).waitFor();
    // the other theme's test has saved its own
    const seed = scheme === 'dark' ? 9 : 8;
    await yaml.fill(`sampling:\n  num_warmup: 100\n  num_samples: 120\n  seed: ${seed}\n`);
    await page.getByText(/^Valid\./).waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Saved', exact: true }).waitFor();

    await page.getByRole('button', { name: 'Run sampling' }).click();
    await page.waitForURL(/\/experiments\/X/);
    // leaves the workflow, which lists finished runs, once the experiment is open
    await page.getByRole('tab', { name: 'Traces' }).waitFor();
    await page.getByText('Finished', { exact: true }).waitFor({ timeout: 60_000 });
    await page.getByText(/4 chains × 120 draws/).waitFor();
    await page.goto(`${stage.served.origin}/workflows/${workflowId}`);
    await page.getByRole('button', { name: 'Run analysis' }).click();
    const report = page.getByTitle('Report of Eight schools');
    await report.waitFor({ timeout: 90_000 });
    expect(await report.getAttribute('sandbox')).toBe('allow-scripts');
    await page.frameLocator('iframe').getByText('mu').first().waitFor();
    await page.getByRole('heading', { name: /^Past experiments/ }).waitFor();

    await page.getByRole('button', { name: 'More actions' }).click();
    const zip = await downloadBy(page, () =>
      page.getByRole('menuitem', { name: 'Download .zip' }).click(),
    );
    expect(zip.bytes.subarray(0, 2).toString()).toBe('PK');
    await leave(visitor);
  });

  it('a new workflow is created from a model, data, settings and an analysis, and runs', async () => {
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(`${stage.served.origin}/workflows`);
    await page.getByRole('button', { name: 'New workflow' }).click();
    const dialog = page.getByRole('dialog', { name: 'New workflow' });
    const create = dialog.getByRole('button', { name: 'Create workflow' });
    expect(await create.isDisabled()).toBe(true);
    await choose(page, dialog.getByRole('combobox', { name: 'Model' }), 'Eight schools');
    await dialog.getByRole('textbox', { name: 'Name' }).fill(`Nightly ${scheme}`);
    await choose(page, dialog.getByRole('combobox', { name: 'Data' }), /Eight schools/);
    await dialog.getByRole('textbox', { name: 'Chains' }).fill('2');
    await dialog.getByRole('textbox', { name: 'Samples' }).fill('110');
    await dialog.getByText('The standard report').waitFor({ state: 'attached' });
    await create.click();
    await page.waitForURL(/\/workflows\/F/);
    await page.getByRole('heading', { name: `Nightly ${scheme}`, level: 1 }).waitFor();
    const parts = page.getByRole('region', { name: 'Parts' });
    await parts.getByText(/^2 chains × \(1\s?000 \+ 110\)/).waitFor();
    await page.getByRole('button', { name: 'Run sampling' }).click();
    await page.waitForURL(/\/experiments\/X/);
    await page.getByText('Finished', { exact: true }).waitFor({ timeout: 90_000 });
    await page.getByText(/2 chains × 110 draws/).waitFor();
    await leave(visitor);
  });

  it('the plotting function asks for its parameters by name, and shows its plot', async () => {
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(`${stage.served.origin}/functions`);
    await page.getByRole('link', { name: 'Plots', exact: true }).click();
    const call = page.getByRole('button', { name: 'Call', exact: true });
    expect(await call.isDisabled()).toBe(true);
    await choose(
      page,
      page.getByRole('combobox', { name: 'Experiment' }),
      new RegExp(`\\(${experimentId}\\)`),
    );
    await choose(page, page.getByRole('combobox', { name: 'Plot' }), 'density');
    await page.getByRole('textbox', { name: 'Variables' }).fill('mu, tau');
    await pickSegment(page, 'Parameters as', 'JSON');
    expect(
      JSON.parse(await page.getByRole('textbox', { name: 'Parameters' }).inputValue()),
    ).toEqual({
      experiment_id: experimentId,
      plot_func: 'density',
      plot_var: 'mu, tau',
      ...(scheme === 'dark' ? { theme: 'dark' } : {}),
    });
    await pickSegment(page, 'Parameters as', 'Form');
    await call.click();
    const answer = page.getByRole('region', { name: 'Result' });
    await expect.poll(() => answer.locator('.js-plotly-plot').count()).toBe(2);
    await choose(page, page.getByRole('combobox', { name: 'Result as' }), 'svg');
    await call.click();
    await answer.getByRole('img', { name: 'Result of the function' }).waitFor();
    await leave(visitor);
  });

  it('a function returns a result, is called without waiting, and shows why it failed', async () => {
    const source =
      'export default ({ a, b }) => { if (a === 0) throw new Error("a is 0"); return { sum: a + b }; };';
    const id = await stage.create({
      object_type: 'model',
      name: `Adds ${scheme}`,
      env: 'javascript',
      tags: ['code'],
      content: {
        meta: { entrance_file: 'main.js' },
        tree: [{ name: 'main.js', type: 'file', content: source, encoding: 'text' }],
      },
    });
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(`${stage.served.origin}/functions`);
    await page.getByRole('link', { name: `Adds ${scheme}` }).click();
    await page.waitForURL(new RegExp(`/functions/${id}`));
    const call = page.getByRole('button', { name: 'Call', exact: true });
    await page.getByRole('textbox', { name: 'Parameters' }).fill('{"a": 1,');
    expect(await call.isDisabled()).toBe(true);
    await page.getByRole('textbox', { name: 'Parameters' }).fill('{"a": 1, "b": 41}');
    await call.click();
    const answer = page.getByRole('region', { name: 'Result' });
    await answer.getByText('sum').first().waitFor();
    await answer.getByText('42').first().waitFor();
    await page.getByRole('textbox', { name: 'Parameters' }).fill('{"a": 0, "b": 1}');
    await call.click();
    await answer.getByRole('alert').filter({ hasText: 'a is 0' }).waitFor();
    await page.getByRole('switch', { name: 'Wait for the result' }).uncheck();
    await page.getByRole('textbox', { name: 'Parameters' }).fill('{"a": 2, "b": 1}');
    await call.click();
    await answer.getByText('this page does not wait for its result').waitFor();
    const calls = page.getByRole('region', { name: 'Calls in this tab' });
    expect(await calls.getByRole('listitem').count()).toBe(3);
    await leave(visitor);
  });
});
