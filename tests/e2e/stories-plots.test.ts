/** What plots show: curves that end at bounds, long traces, pairs on their scales, legible diagnostics. */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { makeModel, untilEnded } from './runs.ts';
import { leave, type Stage, schemes, setStage } from './story.ts';

/** A funnel, whose neck diverges, with one variable at each kind of bound. */
const source = `parameters {
  real<lower=0> tau;
  real<lower=-1, upper=1> r;
  real x;
}
model {
  tau ~ exponential(1);
  x ~ normal(0, tau ^ 2);
}
`;

/** Cheap, so that many draws are quickly available. */
const plainSource = `parameters { real<lower=-1, upper=1> r; }
model { }
`;

let short = '';
let other = '';
let shared = '';
const stage = setStage(async ({ served, create }) => {
  const model = await makeModel(served, 'Funnel', source);
  short = await sample(stage, model, 'num_samples: 400, max_treedepth: 6');
  other = await sample(stage, model, 'num_samples: 100, max_treedepth: 6');
  shared = await create({ object_type: 'share', objid: short, password: '', target_user: '' });
});

/** So narrow that its starting points are far away. */
const narrowSource = `parameters { real x; }
model { x ~ normal(0, 0.02); }
`;

let longRun: Promise<string> | null = null;
/** A run with enough draws for the server to thin them; created on first use. */
function longTrace(): Promise<string> {
  longRun ??= makeModel(stage.served, 'Plain', plainSource).then((model) =>
    sample(stage, model, 'num_samples: 51000, max_treedepth: 2'),
  );
  return longRun;
}

/** Runs four chains of a model to their end. */
async function sample({ served, create }: Stage, model: string, settings: string): Promise<string> {
  const workflow = await create({ object_type: 'workflow', name: 'Plots', model_id: model });
  await served.call('POST', `/api/object/${workflow}`, {
    payload: {
      object_type: 'workflow',
      settings: `sampling: {num_chains: 4, num_warmup: 200, seed: 8, ${settings}}\n`,
    },
  });
  const made = await served.call('POST', '/invoke', {
    target: workflow,
    action: 'run_sample',
    get_response: true,
  });
  const { experiment_id } = made.data as { experiment_id: string };
  await untilEnded(served, experiment_id);
  return experiment_id;
}

/** The card of one plot, drawn. */
async function card(page: Page, name: string | RegExp): Promise<Locator> {
  const article = page.getByRole('article', { name }).first();
  const numPlots = async () => {
    await article.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    return article.locator('.js-plotly-plot .main-svg').count();
  };
  await expect.poll(numPlots, { timeout: 60_000 }).toBeGreaterThan(0);
  return article;
}

interface DrawnTrace {
  readonly name: string;
  readonly fill: string | undefined;
  readonly low: number;
  readonly high: number;
}

/** What Plotly has drawn in a card: the range of each trace along x. */
function drawnTraces(article: Locator): Promise<DrawnTrace[]> {
  return article
    .locator('.js-plotly-plot')
    .first()
    .evaluate((element) => {
      const { data } = element as unknown as {
        data: { name: string; fill?: string; x: ArrayLike<number | null> }[];
      };
      return data.map(({ name, fill, x }) => {
        const numbers = Array.from(x).filter((value): value is number => value !== null);
        return { name, fill, low: Math.min(...numbers), high: Math.max(...numbers) };
      });
    });
}

describe.each(schemes)('in %s', (scheme) => {
  it('densities end at the bounds that the program declares: posterior, inspector, comparison, share', async () => {
    const visitor = await stage.person(scheme);
    const { page } = visitor;
    const { origin } = stage.served;
    const expectBounds = async (name: string, lower: number, upper: number) => {
      const traces = await drawnTraces(await card(page, name));
      expect(traces.length).toBeGreaterThan(0);
      for (const { low, high } of traces) {
        expect(low).toBeGreaterThanOrEqual(lower);
        expect(high).toBeLessThanOrEqual(upper);
      }
      return traces;
    };
    await page.goto(`${origin}/experiments/${short}?tab=posterior&view=density&vars=%5B%5D`);
    const curves = await expectBounds('Density of tau', 0, Number.POSITIVE_INFINITY);
    // Exactly at the bound, where an exponential is highest, not somewhere above it.
    expect(Math.min(...curves.map(({ low }) => low))).toBe(0);
    await expectBounds('Density of r', -1, 1);
    const free = await drawnTraces(await card(page, 'Density of x'));
    expect(Math.min(...free.map(({ low }) => low))).toBeLessThan(0);

    await page.goto(`${origin}/experiments/${short}?tab=summary&selected=tau`);
    await expectBounds('Density of tau', 0, Number.POSITIVE_INFINITY);
    await page.goto(`${origin}/experiments/compare?ids=${short},${other}`);
    await expectBounds('Density of tau', 0, Number.POSITIVE_INFINITY);
    await page.goto(`${origin}/s/${short}/${shared}?tab=posterior&view=density&vars=%5B%5D`);
    await expectBounds('Density of tau', 0, Number.POSITIVE_INFINITY);
    await leave(visitor);
  });

  it('long traces are shown as one band per chain, and as single draws when zoomed in', async () => {
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    await page.goto(
      `${stage.served.origin}/experiments/${await longTrace()}?tab=traces&vars=%5B%5D`,
    );
    const article = await card(page, 'Trace of r');
    await article.getByText(/^Bands: lowest to highest draw/).waitFor();
    const traces = await drawnTraces(article);
    const bands = traces.filter(({ fill }) => fill === 'toself');
    expect(bands.map(({ name }) => name)).toEqual(['Chain 1', 'Chain 2', 'Chain 3', 'Chain 4']);
    // A person who zooms in far enough sees single draws again.
    await article.focus();
    for (let i = 0; i < 14; i++) await page.keyboard.press('+');
    await article.getByText(/^Bands:/).waitFor({ state: 'detached' });
    expect((await drawnTraces(article)).filter(({ fill }) => fill !== undefined)).toEqual([]);
    await leave(visitor);
  });

  it('a trace without its warmup is as high as its draws, and with it as high as they settle', async () => {
    const visitor = await stage.arrive(scheme);
    const { page } = visitor;
    const model = await makeModel(stage.served, 'Narrow', narrowSource);
    const run = await sample(stage, model, 'num_samples: 300, save_warmup: true');
    await page.goto(`${stage.served.origin}/experiments/${run}?tab=traces&vars=%5B%5D`);
    const article = await card(page, 'Trace of x');
    const height = () =>
      article
        .locator('.js-plotly-plot')
        .first()
        .evaluate((element) => {
          const { _fullLayout: drawn } = element as unknown as {
            _fullLayout: { yaxis: { range: [number, number] } };
          };
          return drawn.yaxis.range[1] - drawn.yaxis.range[0];
        });
    const warmup = page.getByRole('checkbox', { name: 'Warmup' });
    await article.getByText('Part of warmup is outside the plot').waitFor();
    await expect.poll(height).toBeLessThan(0.5);
    await warmup.uncheck();
    await article.getByText('Part of warmup is outside the plot').waitFor({ state: 'detached' });
    await expect.poll(height).toBeLessThan(0.25);
    await warmup.check();
    await article.getByText('Part of warmup is outside the plot').waitFor();
    await expect.poll(height).toBeLessThan(0.5);
    await leave(visitor);
  });

  it('pairs show a variable on its scale, which the address keeps, and label the point at the pointer', async () => {
    const visitor = await stage.person(scheme);
    const { page } = visitor;
    const pairs = encodeURIComponent(JSON.stringify(['tau', 'x']));
    await page.goto(`${stage.served.origin}/experiments/${short}?tab=pairs&pairs=${pairs}`);
    const article = await card(page, 'Pairs of tau, x');
    await page.getByRole('button', { name: 'Scale of tau' }).click();
    await page.getByRole('menuitemradio', { name: 'Unconstrained: log(tau)' }).click();
    await page.waitForURL(/scales=/);
    await article.getByText('log(tau)', { exact: true }).first().waitFor();
    await page.reload();
    await card(page, 'Pairs of tau, x');
    await article.getByText('log(tau)', { exact: true }).first().waitFor();
    // The correlation is in the panel above the diagonal.
    await article
      .getByText(/^[−-]?[01]\.\d\d$/)
      .first()
      .waitFor();
    const points = article.locator('.js-plotly-plot .scatterlayer .points path');
    const at = async () => {
      const box = await points.nth(100).boundingBox();
      if (box !== null) await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      return article.locator('.hoverlayer').first().textContent();
    };
    await expect.poll(at).toMatch(/Chain \d, draw \d+.*log\(tau\).*x/);

    // Traces take the same scale, from their menu or from the address.
    await page.getByRole('tab', { name: 'Traces' }).click();
    const trace = await card(page, 'Trace of tau');
    await trace.getByText('log(tau)').waitFor();
    await trace.getByRole('button', { name: 'Menu of Trace of tau' }).click();
    await page.getByRole('menuitemradio', { name: 'As it is' }).click();
    await trace.getByText('log(tau)').waitFor({ state: 'detached' });
    await leave(visitor);
  });

  it.each([360, 1280, 1440])(
    'diagnostics at %i px have titles, uncut text, and labels clear of marks',
    async (width) => {
      const visitor = await stage.arrive(scheme, { width, height: 900 });
      const { page } = visitor;
      await page.goto(`${stage.served.origin}/experiments/${short}?tab=diagnostics&selected=tau`);
      const titles: readonly [string | RegExp, string][] = [
        ['Energy and E-BFMI', 'E-BFMI by chain'],
        ['Tree depth', 'Depth'],
        ['Autocorrelation of tau', 'Lag'],
        [/^ESS by number of draws/, 'Draws per chain'],
        [/^ESS of quantiles/, 'Quantile'],
      ];
      for (const [name, title] of titles)
        await (await card(page, name)).getByText(title, { exact: true }).first().waitFor();
      const growth = await card(page, /^ESS by number of draws/);
      for (const curve of ['Bulk', 'Tail'])
        await growth.locator('.legendtext', { hasText: curve }).waitFor();
      for (const name of [/^ESS by number of draws/, 'Energy and E-BFMI'])
        expect(await labelsUnderMarks(await card(page, name))).toEqual([]);
      // No text of a card is cut off, and no card is alone in its row unless all are.
      expect(
        await page
          .locator('article header > div, article p')
          .evaluateAll((elements) =>
            elements
              .filter((element) => element.scrollWidth > element.clientWidth + 1)
              .map((element) => element.textContent),
          ),
      ).toEqual([]);
      for (const section of ['Sampler', 'One variable'])
        expect(await orphans(page.getByRole('region', { name: section }))).toEqual([]);
      await leave(visitor);
    },
  );
});

/** Texts of a plot's annotations that overlap a mark of the plot. */
function labelsUnderMarks(article: Locator): Promise<(string | null)[]> {
  return article
    .locator('.js-plotly-plot')
    .first()
    .evaluate((plot) => {
      const boxes = (selector: string) =>
        Array.from(plot.querySelectorAll(selector), (element) => ({
          text: element.textContent,
          ...element.getBoundingClientRect().toJSON(),
        })) as { text: string | null; left: number; right: number; top: number; bottom: number }[];
      const marks = boxes('.scatterlayer .points path');
      return boxes('.annotation-text')
        .filter((label) =>
          marks.some(
            (mark) =>
              mark.left < label.right &&
              mark.right > label.left &&
              mark.top < label.bottom &&
              mark.bottom > label.top,
          ),
        )
        .map(({ text }) => text);
    });
}

/** Cards that are alone in their row and narrower than it. */
function orphans(section: Locator): Promise<(string | null)[]> {
  return section.evaluate((element) => {
    const cards = Array.from(element.querySelectorAll('article'), (article) => ({
      name: article.getAttribute('aria-label'),
      box: article.getBoundingClientRect(),
    }));
    const widest = element.getBoundingClientRect().width;
    return cards
      .filter(({ box }) => cards.filter((other) => other.box.top === box.top).length === 1)
      .filter(({ box }) => box.width < 0.9 * widest)
      .map(({ name }) => name);
  });
}
