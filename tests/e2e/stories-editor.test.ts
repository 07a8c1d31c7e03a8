/** The Stan editor by keyboard: signatures while a call is typed, renaming, fixes in one place and everywhere. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { makeModel } from './runs.ts';
import { leave, schemes, setStage } from './story.ts';

const stage = setStage();

const program = `functions {
  // Log density of a wave.
  real wave_lpdf(real y, real phase) { return -square(y - phase); }
}
parameters { real mu; real<lower=0> sigma; }
model {
  mu ~ wave(0);
  sigma ~ normal(mu, 1);
}
`;

const old = `# of old
data { int N; real y[N]; }
parameters { real mu; }
model {
  real s;
  s <- fabs(mu);
  increment_log_prob(normal_log(y, mu, s));
}
`;

/** Opens a model with this program, with the cursor at its end. */
async function open(page: Page, name: string, text: string): Promise<void> {
  const id = await makeModel(stage.served, name, text);
  await page.goto(`${stage.served.origin}/models/${id}`);
  await page.locator('.monaco-editor .view-lines').first().click();
  await page.keyboard.press('Control+End');
}

const lines = (page: Page) => page.locator('.monaco-editor .view-lines').first();

/** With spaces in place of the editor's non-breaking ones. */
async function textOf(page: Page): Promise<string> {
  return (await lines(page).innerText()).replaceAll('\u00a0', ' ');
}

/** Moves the cursor to the first match of the words, using the editor's own search. */
async function goTo(page: Page, words: string): Promise<void> {
  await page.keyboard.press('Control+f');
  const find = page.getByRole('textbox', { name: 'Find', exact: true });
  await find.fill(words);
  await find.press('Enter');
  await find.press('Escape');
}

async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.ERGODIC_PICTURES;
  if (folder !== undefined) await page.screenshot({ path: `${folder}/editor-${name}.png` });
}

describe.each(schemes)('in %s', (scheme) => {
  it('the signature of a call is shown while it is typed', async () => {
    const visitor = await stage.person(scheme);
    const { page } = visitor;
    await open(page, `Hints ${scheme}`, program);
    await goTo(page, 'sigma ~');
    await page.keyboard.press('Home');
    await page.keyboard.type('mu ~ student_t(');
    const hints = page.locator('.parameter-hints-widget');
    await hints.getByText('student_t(').waitFor();
    expect(await hints.locator('.parameter.active').innerText()).toBe('reals nu');
    expect(await hints.innerText()).toContain('nu degrees of freedom');
    await page.keyboard.type('3, mu');
    await hints.locator('.parameter.active', { hasText: 'reals mu' }).waitFor();
    await picture(page, `signature-${scheme}`);
    await page.keyboard.type(', sigma); target += wave_lpdf(mu | ');
    await hints.locator('.parameter.active', { hasText: 'real phase' }).waitFor();
    expect(await hints.innerText()).toContain('Log density of a wave.');
    await page.keyboard.type('1); // normal(');
    await hints.locator('.parameter.active').waitFor({ state: 'hidden' });
    await leave(visitor);
  });

  it('a density is renamed everywhere, and an existing name is rejected', async () => {
    const visitor = await stage.person(scheme);
    const { page } = visitor;
    await open(page, `Names ${scheme}`, program);
    await goTo(page, 'wave(0');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('F2');
    const field = page.locator('.rename-box input');
    await field.waitFor();
    expect(await field.inputValue()).toBe('wave');
    await picture(page, `rename-${scheme}`);
    await field.fill('normal');
    await page.keyboard.press('Enter');
    await page.getByText('Stan already has a function normal_lpdf.').first().waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('F2');
    await field.waitFor();
    await field.fill('ripple');
    await page.keyboard.press('Enter');
    await lines(page).getByText('ripple_lpdf').waitFor();
    expect(await textOf(page)).toContain('mu ~ ripple(0);');
    expect(await textOf(page)).not.toContain('wave_lpdf');
    await leave(visitor);
  });

  it('removed syntax is fixed at one place, and everywhere at once', async () => {
    const visitor = await stage.person(scheme);
    const { page } = visitor;
    await open(page, `Old ${scheme}`, old);
    await page.locator('.squiggly-error').first().waitFor();
    await goTo(page, '<-');
    // After a slow search there is no light bulb: the editor shows it when the cursor moves while the text is focused.
    await page.keyboard.press('ArrowLeft');
    // In the line, or in the gutter if the line has no room: the other is hidden.
    const lamp = page.locator('.lightBulbWidget, [class*="gutter-lightbulb"]');
    await lamp.filter({ visible: true }).first().waitFor();
    await page.keyboard.press('Control+.');
    const menu = page.locator('.action-widget:not(.action-list-submenu-panel)');
    await menu.getByText('Change to =', { exact: true }).waitFor();
    await menu.getByText(/^Fix all removed syntax \(\d+ places\)$/).waitFor();
    const frame = await menu.boundingBox();
    for (const row of await menu.locator('.monaco-list-row').all()) {
      const box = await row.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(
        (frame?.x ?? 0) + (frame?.width ?? 0),
      );
    }
    await picture(page, `fixes-${scheme}`);
    await page.keyboard.press('Enter');
    await lines(page).getByText('s = ').waitFor();
    expect(await textOf(page)).toContain('# of old');

    await page.keyboard.press('F1');
    await page.keyboard.type('Fix all removed');
    await page.getByRole('option', { name: /^Fix all removed syntax/ }).waitFor();
    await page.keyboard.press('Enter');
    await lines(page).getByText('// of old').waitFor();
    const fixed = await textOf(page);
    expect(fixed).toContain('array[N] real y;');
    expect(fixed).toContain('target += normal_lpdf(y | mu, s);');
    expect(fixed).toContain('s = abs(mu);');
    await page.locator('.squiggly-error').first().waitFor({ state: 'detached' });
    await leave(visitor);
  });
});

it('the signature fits on a phone', async () => {
  const visitor = await stage.person('light', { width: 360, height: 740 });
  const { page } = visitor;
  await open(
    page,
    'Hints on a phone',
    'parameters { real mu; }\nmodel {\n  mu ~ normal(0, 1);\n}\n',
  );
  await goTo(page, '0, 1');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Control+Shift+Space');
  const hints = page.locator('.parameter-hints-widget');
  await hints.locator('.parameter.active').waitFor();
  const box = await hints.boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360);
  await picture(page, 'signature-phone');
  await leave(visitor);
});
