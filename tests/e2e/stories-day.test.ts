/**
 * The tasks of a day, each done with real clicks and keys, which are counted: a path that grows longer fails. A group
 * of keys is one text typed, or one shortcut. Seconds are printed but not asserted.
 */
import type { Locator, Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { visit } from './browser.ts';
import { makeModel, untilEnded } from './runs.ts';
import { leave, setStage } from './story.ts';

const normal = 'parameters { real x; }\nmodel { x ~ normal(0, 1); }\n';
const schools = `data { int N; vector[N] y; vector<lower=0>[N] sigma; }
parameters { real mu; }
model { mu ~ normal(0, 10); y ~ normal(mu, sigma); }
`;
const rejects = 'parameters { real x; }\nmodel { reject("never: ", x); }\n';
const slow = `parameters { vector[4] x; }
model { for (i in 1:4) for (j in 1:4000) target += normal_lpdf(x[i] | 0, 1 + 0.0001 * j); }
`;

const models = { normal: '', schools: '', rejects: '', slow: '' };
const stage = setStage(async ({ served }) => {
  models.normal = await makeModel(served, 'Normal', normal);
  models.schools = await makeModel(served, 'Schools', schools);
  models.rejects = await makeModel(served, 'Rejects', rejects);
  models.slow = await makeModel(served, 'Slow', slow);
});

const lines: string[] = [];
afterAll(() => process.stdout.write(`${lines.join('\n')}\n`));

/** A person who does one task of the day. */
class Task {
  clicks = 0;
  keys = 0;
  private readonly begun = performance.now();
  constructor(readonly page: Page) {}

  async click(target: Locator): Promise<void> {
    this.clicks += 1;
    await target.click();
  }

  async press(shortcut: string): Promise<void> {
    this.keys += 1;
    await this.page.keyboard.press(shortcut);
  }

  /** Types into the focused element; a field without the focus costs a click. */
  async type(text: string, field?: Locator): Promise<void> {
    if (field !== undefined) {
      this.clicks += 1;
      await field.click();
      await this.page.keyboard.press('Control+a');
    }
    this.keys += 1;
    await this.page.keyboard.insertText(text);
  }

  async expectAtMost(name: string, clicks: number, keys: number): Promise<void> {
    const seconds = ((performance.now() - this.begun) / 1000).toFixed(1);
    lines.push(`${name}: ${this.clicks} clicks, ${this.keys} groups of keys, ${seconds} s`);
    expect(this.clicks, `clicks of “${name}”`).toBeLessThanOrEqual(clicks);
    expect(this.keys, `groups of keys of “${name}”`).toBeLessThanOrEqual(keys);
  }
}

const at = (path: string) => `${stage.served.origin}${path}`;
const idOf = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) ?? '';
const verdictOf = (page: Page) => page.getByRole('region', { name: 'Verdict' });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function openModel(page: Page, id: string): Promise<void> {
  await page.goto(at(`/models/${id}`));
  await page.locator('.monaco-editor .view-lines').first().waitFor();
}

/** On the page of a run that has ended. */
async function toRun(page: Page): Promise<string> {
  await page.waitForURL(/\/experiments\/X/);
  return idOf(page);
}

let example = '';
let mine = '';

it('an example of the gallery is run and judged', async () => {
  const visitor = await stage.person('light');
  const { page } = visitor;
  const task = new Task(page);
  await task.click(page.getByRole('link', { name: 'New model' }));
  await task.click(button(page, 'Run Eight schools now'));
  example = await toRun(page);
  await verdictOf(page)
    .getByText(/Looks converged|Needs a look/)
    .waitFor();
  await task.expectAtMost('gallery', 2, 0);
  await leave(visitor);
});

it('a model is written from scratch and run', async () => {
  const visitor = await stage.person('light');
  const { page } = visitor;
  const task = new Task(page);
  await task.click(page.getByRole('link', { name: 'New model' }));
  await task.type('From nothing', page.getByLabel('Name of the model'));
  await task.press('Enter');
  await page.waitForURL(/\/models\/M/);
  const editor = page.locator('.monaco-editor .view-lines').first();
  await editor.waitFor();
  await task.click(editor);
  await task.press('Control+a');
  await task.type('parameters { real<lower=0> s; }\nmodel { s ~ exponential(1); }\n');
  // the previous program needed data
  await expect.poll(() => button(page, 'Save and run').isEnabled()).toBe(true);
  await task.press('Control+Enter');
  mine = await toRun(page);
  await verdictOf(page)
    .getByText(/Looks converged|Needs a look|Not converged/)
    .waitFor({ timeout: 60_000 });
  await task.expectAtMost('own model', 3, 5);
  await leave(visitor);
});

it('a spreadsheet table becomes data and is run', async () => {
  const visitor = await stage.person('light');
  const { page } = visitor;
  await openModel(page, models.schools);
  const task = new Task(page);
  const panel = page.getByRole('region', { name: 'Run', exact: true });
  const picking = page.waitForEvent('filechooser');
  await task.click(panel.getByRole('button', { name: 'upload a file' }));
  await (await picking).setFiles({
    name: 'schools.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('school,y,sigma\nA,28,15\nB,8,10\nC,-3,16\n'),
  });
  const mapper = page.getByRole('dialog', { name: 'Map the columns of schools.csv' });
  const save = mapper.getByRole('button', { name: 'Save as data' });
  await expect.poll(() => save.isEnabled()).toBe(true);
  await task.click(save);
  await panel.getByText(/Fits the data block/).waitFor();
  await task.click(panel.getByRole('button', { name: 'Run', exact: true }));
  await untilEnded(stage.served, await toRun(page));
  await task.expectAtMost('table as data', 3, 0);
  await leave(visitor);
});

it('a run that fails shows why, and its log is one click away', async () => {
  const visitor = await stage.person('light');
  const { page } = visitor;
  await openModel(page, models.rejects);
  const task = new Task(page);
  await task.press('Control+Enter');
  await toRun(page);
  await verdictOf(page)
    .getByText(/No starting point found/)
    .waitFor();
  await task.click(page.getByRole('link', { name: 'See the log' }));
  await page.getByRole('tab', { name: 'Logs', selected: true }).waitFor();
  await task.expectAtMost('failing model', 1, 1);
  await leave(visitor);
});

it('a slow run is watched and stopped, and keeps its draws', async () => {
  const visitor = await stage.person('light');
  const { page } = visitor;
  await openModel(page, models.slow);
  const task = new Task(page);
  const panel = page.getByRole('region', { name: 'Run', exact: true });
  await task.type('20', panel.getByRole('textbox', { name: 'Warmup' }));
  await task.press('Control+Enter');
  await toRun(page);
  await verdictOf(page)
    .getByText(/draws so far/)
    .waitFor();
  await task.click(button(page, 'Stop and keep draws'));
  await page.getByText('Stopped', { exact: true }).waitFor();
  await task.expectAtMost('slow model', 2, 2);
  await leave(visitor);
});

it('100 000 draws per chain are sampled, plotted and summarised', async () => {
  const visitor = await stage.person('light');
  const { page } = visitor;
  await openModel(page, models.normal);
  const task = new Task(page);
  const panel = page.getByRole('region', { name: 'Run', exact: true });
  await task.type('100000', panel.getByRole('textbox', { name: 'Samples' }));
  await task.press('Control+Enter');
  await untilEnded(stage.served, await toRun(page));
  await page.getByText('Finished', { exact: true }).waitFor();
  const trace = page.getByRole('article', { name: 'Trace of x' });
  await trace.locator('.js-plotly-plot').waitFor();
  await trace.getByText(/Bands: lowest to highest draw/).waitFor();
  await task.click(page.getByRole('tab', { name: /^Summary/ }));
  await page.getByRole('rowheader', { name: 'x', exact: true }).waitFor();
  await task.expectAtMost('100 000 draws', 2, 2);
  await leave(visitor);
});

it('two runs are compared, starting from the page of one', async () => {
  const visitor = await stage.arrive('light');
  const { page } = visitor;
  await page.goto(at(`/experiments/${example}`));
  const task = new Task(page);
  await task.click(page.getByRole('link', { name: 'Compare' }));
  await task.click(page.getByRole('combobox', { name: 'Add an experiment' }));
  await task.click(page.getByRole('option', { name: new RegExp(mine) }));
  await page.getByRole('heading', { level: 1, name: 'Compare 2 experiments' }).waitFor();
  await page.getByRole('region', { name: 'Checks and cost by experiment' }).waitFor();
  await task.expectAtMost('compare', 3, 0);
  await leave(visitor);
});

it('a run is shared with a password, and read on a phone', async () => {
  const visitor = await stage.arrive('light');
  const { page } = visitor;
  await page.goto(at(`/experiments/${example}`));
  const task = new Task(page);
  await task.click(button(page, 'Share'));
  const dialog = page.getByRole('dialog');
  await task.click(dialog.getByRole('button', { name: 'Create link' }));
  const link = await dialog.getByLabel('Link', { exact: true }).inputValue();
  const password = await dialog.getByLabel(/^Password, shown here only/).inputValue();
  await task.expectAtMost('share', 2, 0);
  await leave(visitor);

  const phone = await visit(stage.browser, { scheme: 'dark', width: 360, height: 780 });
  const reader = new Task(phone.page);
  await phone.page.goto(link);
  await phone.page.getByLabel('Password', { exact: true }).waitFor();
  await reader.type(password);
  await reader.press('Enter');
  const mu = phone.page.getByRole('button', { name: /^mu\b/ });
  await mu.waitFor();
  expect((await mu.boundingBox())?.y).toBeLessThan(780);
  await reader.expectAtMost('phone', 0, 2);
  await leave(phone);
});

it('the newest run is found and its table opened by keyboard alone', async () => {
  const visitor = await stage.person('dark');
  const { page } = visitor;
  const task = new Task(page);
  await task.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Search or jump to' });
  await palette.waitFor();
  await task.type('from nothing');
  await palette.getByRole('option', { name: /From nothing/, selected: true }).waitFor();
  await task.press('Enter');
  await page.getByRole('heading', { name: 'From nothing', level: 1 }).waitFor();
  await task.expectAtMost('keyboard', 0, 3);
  await leave(visitor);
});

it('at 4K every trace of a run is in view at once', async () => {
  const visitor = await stage.person('light', { width: 3840, height: 2160 });
  const { page } = visitor;
  const task = new Task(page);
  await page.goto(at(`/experiments/${example}`));
  const cards = page.getByRole('article', { name: /^Trace of/ });
  await cards.first().waitFor();
  await expect
    .poll(async () => (await cards.locator('.js-plotly-plot').count()) === (await cards.count()))
    .toBe(true);
  expect(await cards.count()).toBeGreaterThan(9);
  const boxes = await Promise.all((await cards.all()).map((card) => card.boundingBox()));
  expect(Math.max(...boxes.map((box) => (box?.y ?? 0) + (box?.height ?? 0)))).toBeLessThan(2160);
  await task.expectAtMost('4K', 0, 0);
  await leave(visitor);
});
