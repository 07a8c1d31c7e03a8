/** The page of one experiment: what each tab shows, and everything that can be downloaded from it. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { readZip } from '../../src/formats/archive.ts';
import { runGalleryModel } from './runs.ts';
import { choose, downloadBy, leave, pickSegment, schemes, setStage, tinyRun } from './story.ts';

let experimentId = '';
const stage = setStage(async ({ served }) => {
  experimentId = await runGalleryModel(served, 'eight-schools', { ...tinyRun, save_warmup: true });
});

const address = (search = '') => `${stage.served.origin}/experiments/${experimentId}${search}`;

/** The card of one plot, drawn. */
async function card(page: Page, name: string | RegExp) {
  const article = page.getByRole('article', { name }).first();
  // a card out of view contains no plot; the element is replaced once it comes into view
  const numPlots = async () => {
    await article.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    return article.locator('.js-plotly-plot').count();
  };
  await expect.poll(numPlots, { timeout: 20_000 }).toBeGreaterThan(0);
  return article;
}

describe.each(schemes)('in %s', (scheme) => {
  it('the header and the verdict show what was run and how it went', async () => {
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(address());
    await page.getByRole('heading', { name: 'Eight schools', level: 1 }).waitFor();
    await page.getByText('Finished', { exact: true }).waitFor();
    await page
      .getByRole('status')
      .getByText(/Looks converged|Needs a look|Not converged|No verdict/i)
      .first()
      .waitFor();
    await page.getByText(/4 chains × 100 draws/).waitFor();
    await page.getByText('seed 3').waitFor();
    const chains = page.getByRole('list', { name: 'Chains' });
    for (const n of [1, 2, 3, 4]) await chains.getByText(`Chain ${n}`).waitFor();
    await leave(visitor);
  });

  it('traces are filtered by name, selected, and shown without their warmup', async () => {
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(address('?tab=traces&vars=%5B%5D'));
    await card(page, 'Trace of tau');
    const tree = page.getByRole('complementary', { name: 'Variables' });
    await tree.getByLabel('Filter variables').fill('/^theta/');
    await tree.getByText(/^16 of \d+$/).waitFor();
    await page
      .getByRole('article', { name: 'Trace of tau' })
      .first()
      .waitFor({ state: 'detached' });
    await card(page, 'Trace of theta[1]');
    await tree.getByRole('checkbox', { name: 'theta[1]', exact: true }).uncheck();
    await page.waitForURL(/vars=/);
    await page.getByRole('article', { name: 'Trace of theta[1]' }).waitFor({ state: 'detached' });
    await page.getByRole('checkbox', { name: 'Warmup' }).uncheck();
    await page.getByRole('checkbox', { name: 'Divergences' }).uncheck();
    await page.reload();
    await card(page, 'Trace of theta[2]');
    expect(await page.getByRole('article', { name: 'Trace of theta[1]' }).count()).toBe(0);
    await leave(visitor);
  });

  it('a plot is shown as a table, enlarged, and saved as PNG, SVG and CSV', async () => {
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(address('?tab=traces'));
    const article = await card(page, 'Trace of mu');
    const pick = async (item: string) => {
      await article.getByRole('button', { name: 'Menu of Trace of mu' }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    const png = await downloadBy(page, () => pick('Save as PNG'));
    expect(png.bytes.subarray(1, 4).toString()).toBe('PNG');
    const svg = await downloadBy(page, () => pick('Save as SVG'));
    expect(svg.bytes.toString('utf8')).toContain('<svg');
    const csv = await downloadBy(page, () => pick('Save its data as CSV'));
    expect(csv.name).toMatch(/\.csv$/);
    expect(csv.bytes.toString('utf8').split('\n').length).toBeGreaterThan(100);
    await pick('Show as table');
    await article.getByRole('table').waitFor();
    await pick('Show the plot');
    await article.locator('.js-plotly-plot').first().waitFor();
    await pick('Enlarge');
    const dialog = page.getByRole('dialog', { name: 'Trace of mu' });
    await dialog.locator('.js-plotly-plot').first().waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await leave(visitor);
  });

  it('the summary is sorted, filtered, limited to selected columns, and saved as CSV and LaTeX', async () => {
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(address('?tab=summary'));
    await page.getByRole('rowheader', { name: 'mu', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Worst first' }).click();
    await page.waitForURL(/sort=worst/);
    await choose(page, page.getByRole('combobox', { name: 'Interval' }), /HDI|highest/i);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'MAD' }).click();
    await page.keyboard.press('Escape');
    const save = async (item: string | RegExp) => {
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      return downloadBy(page, () => page.getByRole('menuitem', { name: item }).click());
    };
    const csv = (await save(/^CSV/)).bytes.toString('utf8');
    expect(csv).toMatch(/mu/);
    expect((await save(/^LaTeX/)).bytes.toString('utf8')).toContain('\\begin{tabular}');
    await page.getByRole('rowheader', { name: 'tau', exact: true }).click();
    const inspector = page.getByRole('complementary', { name: 'Plots of tau' });
    await inspector.locator('.js-plotly-plot').first().waitFor();
    await page.getByRole('textbox', { name: 'Filter variables' }).fill('nothing');
    await page.getByText('No variable matches “nothing”.').waitFor();
    await leave(visitor);
  });

  it('the posterior, the diagnostics and the pairs are drawn', async () => {
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(address('?tab=posterior&q=mu'));
    await card(page, /^Intervals of/);
    for (const [kind, name] of [
      ['Density', 'Density of mu'],
      ['Histogram', 'Histogram of mu'],
      ['ECDF', 'Distribution function of mu'],
    ]) {
      await pickSegment(page, 'Kind of plot', kind);
      await card(page, name);
    }
    await pickSegment(page, 'Chains', 'All together');
    await page.waitForURL(/chains=together/);

    await page.getByRole('tab', { name: 'Diagnostics' }).click();
    for (const name of [
      'Energy and E-BFMI',
      'Divergent draws across variables',
      'Tree depth',
      'Acceptance and step size by chain',
      /^Ranks, ECDF difference of/,
      /^Ranks, counts of/,
      /^Autocorrelation of/,
      /^ESS by number of draws of/,
      /^ESS of quantiles of/,
    ])
      await card(page, name);
    await page.getByRole('button', { name: 'Next variable' }).click();
    await page.waitForURL(/selected=/);

    await page.getByRole('tab', { name: 'Pairs' }).click();
    await card(page, /^Pairs of/);
    await leave(visitor);
  });

  it('the logs are searched, filtered and linked to; the run info shows how the run was made', async () => {
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(address('?tab=logs'));
    await pickSegment(page, 'Which log', 'Platform');
    const log = page.getByRole('log', { name: 'Log text' });
    await log
      .getByText(/seed \d+/)
      .first()
      .waitFor();
    await page.getByRole('textbox', { name: 'Search the log' }).fill('seed');
    await page
      .getByRole('status')
      .getByText(/^1 of \d+$/)
      .waitFor();
    await page.getByRole('textbox', { name: 'Search the log' }).fill('');
    await choose(page, page.getByRole('combobox', { name: 'Which lines' }), 'Errors');
    await page.getByText(/lines? hidden/).waitFor();
    await choose(page, page.getByRole('combobox', { name: 'Which lines' }), 'All lines');
    await log.getByRole('link', { name: 'Link to line 1', exact: true }).click();
    await page.waitForURL(/line=1/);
    const saved = await downloadBy(page, () =>
      page.getByRole('button', { name: 'Download', exact: true }).click(),
    );
    expect(saved.bytes.toString('utf8')).toMatch(/seed/);

    await page.getByRole('tab', { name: 'Run info' }).click();
    await page.getByRole('region', { name: 'Run', exact: true }).waitFor();
    expect(await page.getByRole('region', { name: 'Settings as run' }).innerText()).toMatch(/100/);
    const chains = page.getByRole('region', { name: 'Chains as run' });
    expect(await chains.getByRole('row').count()).toBe(5);
    await leave(visitor);
  });

  it('the files are draws as CSV, for ArviZ and for Grist, the program and a folder', async () => {
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(address('?tab=files'));
    const get = (title: string) =>
      downloadBy(page, () => page.getByRole('button', { name: `Download: ${title}` }).click());
    const csv = (await get('Draws as CSV')).bytes.toString('utf8').trimEnd().split('\n');
    expect(csv.filter((line) => line.startsWith('chain#1,mu,'))).toHaveLength(100);
    const arviz = (await get('Draws for ArviZ')).bytes;
    expect(arviz.subarray(257, 262).toString()).toBe('ustar');
    expect(arviz.includes('\x89HDF', 0, 'latin1')).toBe(true);
    const grist = (await get('Draws for Grist')).bytes;
    expect(grist.subarray(0, 15).toString()).toBe('SQLite format 3');
    const plots = readZip((await get('All plots')).bytes);
    if (!plots.ok) throw new Error(plots.error.message);
    const files = new Map(plots.value.files.map(({ path, bytes }) => [path, bytes]));
    const textOf = (path: string) => new TextDecoder().decode(files.get(path));
    for (const folder of ['traces', 'densities', 'ranks', 'autocorrelation']) {
      expect(textOf(`${folder}/theta[8].svg`)).toMatch(/^<svg[^>]*>[\s\S]*<\/svg>\s*$/);
      expect(textOf(`${folder}/tau.csv`).split('\n').length, folder).toBeGreaterThan(10);
    }
    const numbers = textOf('traces/mu.csv').trimEnd().split('\n');
    expect(numbers).toHaveLength(1 + 4 * 100);
    for (const title of ['The program', 'Take it with you'])
      expect((await get(title)).bytes.subarray(0, 2).toString(), title).toBe('PK');
    await leave(visitor);
  });

  it('the printed page has the summary but no navigation', async () => {
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(address('?tab=summary'));
    await page.getByRole('rowheader', { name: 'mu', exact: true }).waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(await page.getByRole('tab').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Share', exact: true }).count()).toBe(0);
    await page.getByRole('heading', { name: 'Eight schools', level: 1 }).waitFor();
    await page.getByRole('rowheader', { name: 'mu', exact: true }).waitFor();
    await leave(visitor);
  });
});
