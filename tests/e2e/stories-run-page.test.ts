/** The page of a run in trouble, what its owner writes about it, and how it looks on a small screen. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { makeModel, runGalleryModel, startSlowRun, untilEnded } from './runs.ts';
import { downloadBy, leave, pickSegment, schemes, setStage, tinyRun } from './story.ts';

/** Enough for divergences in the funnel, every time: the seed decides. */
const centred = { adaptation: 'stan', num_warmup: 300, num_samples: 500, seed: 3 };

let troubled = '';
let calm = '';
const stage = setStage(async ({ served }) => {
  troubled = await runGalleryModel(served, 'eight-schools-centred', centred);
  const careful = { num_warmup: 500, num_samples: 1000, seed: 3, adapt_delta: 0.95 };
  calm = await runGalleryModel(served, 'eight-schools', careful);
});

/** None of it may take effect. */
const hostile = [
  '|a|b|\n|-|-|\n|1|2|',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '[x](javascript:alert(1)) [y](data:text/html,<script>alert(1)</script>)',
  '<a href="https://example.org" onclick="alert(1)">x</a>',
  '<iframe src="https://example.org"></iframe><style>body{display:none}</style>',
  '<form action="https://example.org"><input name=a></form>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<p style="position:fixed">x</p>',
  '![x](https://example.org/x.png)',
].join('\n\n');

const pageOf = (id: string, search = '') => `${stage.served.origin}/experiments/${id}${search}`;

async function verdictOf(id: string) {
  const view = await stage.served.call('GET', `/api/object/${id}`);
  const { meta, model_id } = view.data as {
    meta: { verdict: { divergences: number }; note?: string };
    model_id: string;
  };
  return { divergences: meta.verdict.divergences, modelId: model_id, note: meta.note };
}

it('divergences are shown in percent, with a program change that is previewed, applied and run', async () => {
  const before = await verdictOf(troubled);
  expect(before.divergences).toBeGreaterThan(5);
  const visitor = await stage.arrive('light');
  const { page } = visitor;
  await page.goto(pageOf(troubled));
  const verdict = page.getByRole('region', { name: 'Verdict' });
  const percent = ((100 * before.divergences) / 2000).toFixed(1);
  await verdict.getByText(new RegExp(`draws diverged \\(${percent}.%\\)`)).waitFor();
  await verdict.getByRole('button', { name: 'Write theta non-centred' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('depends on tau').waitFor();
  await expect
    .poll(() => dialog.locator('.editor.modified .view-lines:not(.line-delete)').innerText())
    .toContain('offset');
  await dialog.getByRole('link', { name: 'Apply in the editor' }).click();
  await page.waitForURL(/\/models\/M/);
  await page.getByText('Applied: Write theta non-centred.').waitFor();
  await expect
    .poll(() => page.locator('.monaco-editor .view-lines').first().innerText())
    .toContain('vector<offset');
  await page.getByRole('button', { name: 'Save and run' }).click();
  await page.waitForURL(/\/experiments\/X/);
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await untilEnded(stage.served, id);
  const after = await verdictOf(id);
  expect(after.divergences).toBeLessThan(before.divergences / 2);
  expect(after.modelId).toBe(before.modelId);
  const model = await stage.served.call('GET', `/api/object/${after.modelId}`);
  expect(JSON.stringify(model.data)).toContain('vector<offset=mu, multiplier=tau>[J] theta');
  await leave(visitor);
});

it('a run is renamed in place, tagged and annotated; a share includes the notes on request', async () => {
  const visitor = await stage.person('dark');
  const { page } = visitor;
  const menu = async (name: string) => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await page.goto(pageOf(calm));
  await menu('Rename');
  await page.getByRole('textbox', { name: 'Name of the experiment' }).fill('Schools, final');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Schools, final', level: 1 }).waitFor();
  await menu('Tags');
  await page.getByRole('dialog').locator('input:visible').fill('paper');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Save tags' }).click();
  await page.getByRole('link', { name: '#paper' }).waitFor();
  await menu('Add notes');
  const notes = page.getByRole('region', { name: 'Notes' });
  await notes
    .getByRole('textbox')
    .fill(`**Reported** in [the paper](https://example.org)\n\n${hostile}`);
  await notes.getByRole('button', { name: 'Save notes' }).click();
  await notes.locator('strong', { hasText: 'Reported' }).waitFor();
  const paper = notes.getByRole('link', { name: 'the paper' });
  expect(await paper.getAttribute('rel')).toBe('noopener noreferrer nofollow');
  const html = await notes.locator('div').first().innerHTML();
  expect(html).toContain('<td>1</td>');
  expect(html).not.toMatch(/<(script|img|iframe|style|form|input|svg)/i);
  expect(html).not.toMatch(/\son\w+=|style=|javascript:|data:/i);
  const share = async (include: readonly string[]) => {
    const made = await stage.served.call('POST', '/api/object', {
      payload: { object_type: 'share', objid: calm, password: '', include },
    });
    const { short_id: id } = made.data as { short_id: string };
    const seen = await stage.served.call('GET', `/api/object/${calm}?share_id=${id}`);
    return (seen.data as { meta: { note?: string } }).meta.note;
  };
  expect(await share([])).toBeUndefined();
  expect(await share(['note'])).toContain('**Reported**');
  // the looks below are those of a run without a note
  await stage.served.call('POST', `/api/object/${calm}`, {
    payload: { object_type: 'experiment', meta: { note: '' } },
  });
  await leave(visitor);
});

/** Correlated slopes by group: the pattern that offset and multiplier cannot express. */
const correlated = `data { int J; vector[J] y; }
parameters {
  array[J] vector[2] slope;
  vector<lower=0>[2] tau;
  corr_matrix[2] Omega;
}
model {
  tau ~ normal(0, 1);
  Omega ~ lkj_corr(2);
  slope ~ multi_normal(rep_vector(0, 2), quad_form_diag(Omega, tau));
  for (j in 1:J) y[j] ~ normal(sum(slope[j]), 1);
}
`;

it('a hierarchy with a covariance is offered in non-centred form, and the changed program runs', async () => {
  const { served, create } = stage;
  const model_id = await makeModel(served, 'Slopes', correlated);
  const content = JSON.stringify({ J: 6, y: [1, -1, 0.5, 2, -2, 0] });
  const input = await create({ object_type: 'data', name: 'Slopes', fmt: 'json', data: content });
  const workflow = await create({
    object_type: 'workflow',
    name: 'Slopes',
    model_id,
    data_id: input,
  });
  await served.call('POST', `/api/object/${workflow}`, {
    payload: { object_type: 'workflow', settings: `sampling: ${JSON.stringify(tinyRun)}\n` },
  });
  const target = { target: workflow, action: 'run_sample', get_response: true };
  const started = await served.call('POST', '/invoke', target);
  const { experiment_id } = started.data as { experiment_id: string };
  await untilEnded(served, experiment_id);
  const visitor = await stage.arrive('light');
  const { page } = visitor;
  await page.goto(pageOf(experiment_id));
  await page.getByRole('button', { name: 'Write slope non-centred' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('depends on Omega and tau').waitFor();
  await dialog.getByRole('link', { name: 'Apply in the editor' }).click();
  await page.waitForURL(/\/models\/M/);
  await expect
    .poll(() => page.locator('.monaco-editor .view-lines').first().innerText())
    .toContain('slope_raw');
  await page.getByRole('button', { name: 'Save and run' }).click();
  await page.waitForURL(/\/experiments\/X/);
  await untilEnded(served, new URL(page.url()).pathname.split('/').at(-1) ?? '');
  await leave(visitor);
});

it('a running run shows and exports running means of selected chains; the palette controls it', async () => {
  const id = await startSlowRun(stage.served, 2, 60_000);
  const visitor = await stage.arrive('light');
  const { page } = visitor;
  await page.goto(pageOf(id));
  const card = page.getByRole('article', { name: 'Running mean of x[1]' });
  await page.getByRole('radiogroup', { name: 'What is plotted' }).waitFor();
  await pickSegment(page, 'What is plotted', 'Running mean');
  await card.locator('.js-plotly-plot').waitFor();
  expect(page.url()).toContain('trace=mean');
  await page.getByRole('button', { name: 'All chains' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Chain 2' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: '1 of 2 chains' }).waitFor();
  await expect.poll(() => card.locator('.scatterlayer .trace').count()).toBe(1);
  for (const [item, kind] of [
    ['Save its data as CSV', 'csv'],
    ['Save as SVG', 'svg'],
    ['Save as PNG', 'png'],
  ] as const) {
    await card.getByRole('button', { name: /^Menu of/ }).click();
    const saved = await downloadBy(page, () => page.getByRole('menuitem', { name: item }).click());
    expect(saved.name).toBe(`Running mean of x[1].${kind}`);
    if (kind === 'csv') expect(saved.bytes.toString()).toMatch(/^chain,iteration,mean of x\[1\]/);
  }
  const act = async (name: string) => {
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Search or jump to' });
    await palette.locator('input').fill(name);
    await palette.getByRole('option', { name: new RegExp(`^${name}`), selected: true }).waitFor();
    await page.keyboard.press('Enter');
  };
  const status = page.getByRole('heading', { level: 1 }).locator('..').getByRole('status');
  expect(await status.innerText()).toContain('Running');
  await act('Pause');
  await status.getByText('Paused').waitFor();
  await act('Resume');
  await status.getByText('Running').waitFor();
  await act('Stop');
  await untilEnded(stage.served, id);
  await page
    .getByRole('button', { name: 'Run again' })
    .or(page.getByRole('link', { name: 'Run again' }))
    .waitFor();
  await act('Rename');
  await page.getByRole('textbox', { name: 'Name of the experiment' }).fill('Slow, stopped');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Slow, stopped', level: 1 }).waitFor();
  await act('Compare');
  await page.waitForURL(/\/experiments\/compare/);
  await page.goBack();
  await act('Share');
  await page.getByRole('dialog').getByText('They will not see').waitFor();
  await leave(visitor);
});

it('stepping through the variables next to the table skips folded ones', async () => {
  const visitor = await stage.arrive('light');
  const { page } = visitor;
  await page.goto(pageOf(calm, '?tab=summary&selected=theta_tilde%5B8%5D'));
  await page.getByRole('button', { name: /^Transformed parameters/ }).click();
  await page.getByRole('complementary', { name: 'Plots of theta_tilde[8]' }).waitFor();
  await page.getByRole('button', { name: 'Next variable' }).press('Enter');
  await page.getByRole('complementary', { name: 'Plots of lp__' }).waitFor();
  await page.getByRole('button', { name: 'Previous variable' }).press('Enter');
  await page.getByRole('complementary', { name: 'Plots of theta_tilde[8]' }).waitFor();
  await leave(visitor);
});

it('the printed page has settings, every row and every plot in light colours, unlike the screen', async () => {
  const visitor = await stage.person('dark', { width: 1280, height: 720 });
  const { page } = visitor;
  const scheme = () =>
    page.evaluate(() => document.documentElement.getAttribute('data-mantine-color-scheme'));
  await page.goto(pageOf(calm));
  await page.locator('article .js-plotly-plot').first().waitFor();
  // Records what would be printed when the browser's dialog opens.
  await page.evaluate(() => {
    window.print = () => {
      const cards = [...document.querySelectorAll('article')];
      document.title = [
        document.querySelector('[aria-label="Settings as run"]')?.textContent ?? '',
        `${cards.filter((card) => card.querySelector('.js-plotly-plot')).length} of ${cards.length}`,
        document.documentElement.getAttribute('data-mantine-color-scheme'),
        document.querySelector('footer')?.textContent ?? '',
      ].join('|');
    };
  });
  await page.keyboard.press('Control+p');
  await expect.poll(() => page.title()).toContain('|');
  const [settings, drawn, colours, foot] = (await page.title()).split('|');
  expect(settings).toContain('adapt_delta0.95');
  expect(settings).toContain('num_samples1000');
  const [, numDrawn, numCards] = /(\d+) of (\d+)/.exec(drawn) ?? [];
  expect(numDrawn).toBe(numCards);
  expect(Number(numCards)).toBeGreaterThan(9);
  expect(colours).toBe('light');
  expect(foot).toContain(calm);
  await expect.poll(scheme).toBe('dark');
  expect(await page.getByRole('region', { name: 'Settings as run' }).count()).toBe(0);
  await leave(visitor);
});

it('at 4K plots are larger, and tables have a limited width', async () => {
  const visitor = await stage.arrive('light', { width: 3840, height: 2160 });
  const { page } = visitor;
  await page.goto(pageOf(calm));
  const plot = page.getByRole('article', { name: 'Trace of tau' }).locator('.js-plotly-plot');
  await plot.waitFor();
  expect((await plot.boundingBox())?.height).toBeGreaterThan(170);
  await page.getByRole('tab', { name: 'Run info' }).click();
  const table = page.getByRole('region', { name: 'Chains as run' }).getByRole('table');
  expect((await table.boundingBox())?.width).toBeLessThanOrEqual(1440);
  await leave(visitor);
});

it('the editor on a phone shows the full name of the open file, with its tools next to it', async () => {
  const { modelId } = await verdictOf(calm);
  const visitor = await stage.arrive('light', { width: 360, height: 740 });
  const { page } = visitor;
  await page.goto(`${stage.served.origin}/models/${modelId}`);
  const name = page.getByRole('tab', { name: /\.stan/ }).getByText('eight-schools.stan');
  await name.waitFor();
  const { clipped, right } = await name.evaluate((element) => ({
    clipped: element.scrollWidth - element.clientWidth,
    right: element.getBoundingClientRect().right,
  }));
  expect(clipped).toBeLessThanOrEqual(0);
  for (const tool of ['Find', 'Wrap', 'Outline', 'Format']) {
    const box = await page.getByRole('button', { name: tool, exact: true }).boundingBox();
    expect(box?.x, tool).toBeGreaterThanOrEqual(right);
    expect((box?.x ?? 0) + (box?.width ?? 0), tool).toBeLessThanOrEqual(360);
  }
  await leave(visitor);
});

/** Top of an element, in pixels of the page. */
const topOf = async (page: Page, selector: string) =>
  (await page.locator(selector).first().boundingBox())?.y ?? Number.POSITIVE_INFINITY;

describe.each(schemes)('in %s', (scheme) => {
  it('a finished run at 1280 × 720 starts its table in the upper half', async () => {
    const visitor = await stage.arrive(scheme, { width: 1280, height: 720 });
    const { page } = visitor;
    await page.goto(pageOf(calm, '?tab=summary'));
    await page.getByRole('rowheader', { name: 'mu', exact: true }).waitFor();
    expect(await topOf(page, 'table[aria-rowcount]')).toBeLessThan(360);
    const chains = page.getByRole('list', { name: 'Chains' });
    expect(await chains.innerText()).not.toContain('1\u202f000');
    await leave(visitor);
  });

  it('a finished run at 360 px is shown as cards of mean, sd and interval', async () => {
    const visitor = await stage.arrive(scheme, { width: 360, height: 740 });
    const { page } = visitor;
    await page.goto(pageOf(calm, '?tab=summary'));
    const mu = page.getByRole('button', { name: /^mu/ });
    await mu.waitFor();
    expect(await mu.innerText()).toMatch(/\d\.\d+ ± \d\.\d+[\s\S]*−?\d+\.\d to \d+\.\d/);
    expect(await page.locator('table[aria-rowcount]').count()).toBe(0);
    await leave(visitor);
  });

  it('a run with failed checks at 1280 × 720 has its table in the upper half, and its remedies visible', async () => {
    const visitor = await stage.arrive(scheme, { width: 1280, height: 720 });
    const { page } = visitor;
    await page.goto(pageOf(troubled, '?tab=summary'));
    await page.getByRole('rowheader', { name: 'mu', exact: true }).waitFor();
    const verdict = page.getByRole('region', { name: 'Verdict' });
    // its program was changed above, so that its remedy is no longer offered
    expect(await topOf(page, 'table[aria-rowcount]')).toBeLessThan(360);
    for (const name of [/^Run again with adapt_delta/, /diverged/])
      expect(await verdict.getByRole('button', { name }).isVisible()).toBe(true);
    const links = verdict.getByRole('button', { name: /diverged|R-hat|E-BFMI|ESS/ });
    const numFirst = await links.count();
    const more = verdict.getByRole('button', { name: /^\d more$/ });
    const numMore = Number.parseInt(await more.innerText(), 10);
    await more.click();
    expect(await links.count()).toBe(numFirst + numMore);
    await verdict.getByRole('button', { name: /Tail ESS/ }).click();
    await verdict.getByRole('button', { name: 'Show fewer' }).click();
    expect(await links.count()).toBe(numFirst);
    await leave(visitor);
  });

  it('a shared run at 360 px is shown as cards with a filter icon, and is printed completely', async () => {
    const made = await stage.served.call('POST', '/api/object', {
      payload: { object_type: 'share', objid: calm, password: '' },
    });
    const { short_id } = made.data as { short_id: string };
    const visitor = await stage.arrive(scheme, { width: 360, height: 740 });
    const { page } = visitor;
    await page.goto(`${stage.served.origin}/s/${calm}/${short_id}?tab=summary`);
    const mu = page.getByRole('button', { name: /^mu/ });
    await mu.waitFor();
    expect((await mu.boundingBox())?.y).toBeLessThan(740);
    await page.getByRole('button', { name: 'Filter variables' }).click();
    await page.keyboard.type('theta_tilde');
    await mu.waitFor({ state: 'detached' });
    await page.getByRole('textbox', { name: 'Filter variables' }).fill('');
    await mu.waitFor();
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print' });
    const cards = page.getByRole('listitem').filter({ has: page.locator('code') });
    const boxes = await Promise.all((await cards.all()).map((one) => one.boundingBox()));
    expect(boxes.length).toBeGreaterThan(18);
    const tops = boxes.map((box) => box?.y ?? 0);
    expect(tops).toEqual(tops.toSorted((a, b) => a - b));
    await leave(visitor);
  });
});
