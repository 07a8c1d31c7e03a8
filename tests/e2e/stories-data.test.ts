/** Data from tables, pasted cells, R dumps and a model's files: mapped to the program, and again with the next file. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { makeWorkbook } from '../support/workbook.ts';
import { makeModel } from './runs.ts';
import { choose, leave, pickSegment, setStage } from './story.ts';

const program = `data {
  int<lower=1> N; int<lower=1> J;
  array[N] int<lower=1, upper=J> school; vector[N] score;
}
parameters { vector[J] theta; real<lower=0> sigma; }
model { theta ~ normal(0, 5); sigma ~ normal(0, 5); score ~ normal(theta[school], sigma); }
`;
let model = '';

const stage = setStage(async ({ served, create }) => {
  model = await makeModel(served, 'Schools', program);
  await create({ object_type: 'data', name: 'Twice', data: '{"N": 1}' });
  await create({ object_type: 'data', name: 'Twice', data: '{"N": 1, "J": 1}' });
});

const growth = `data { int N; vector[N] day; vector[N] share; vector[N] price; }
parameters { real mu; } model { mu ~ normal(0, 1); share ~ normal(mu * day, 1); }
`;

const workbook = makeWorkbook({
  Readme: [['Trial of 2024']],
  'Trial 1': [
    ['Table 1: growth'],
    [],
    ['day', 'share', 'price'],
    [new Date('2024-05-02T00:00:00Z'), '12 %', '1,200.50 €'],
    [new Date('2024-05-01T00:00:00Z'), '20 %', '3 €'],
    [new Date('2024-05-31T00:00:00Z'), '50 %', '(2 €)'],
  ],
});

const file = (name: string, text: string) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(text),
});

/** What a spreadsheet with decimal commas exports, saved as Windows-1252. */
const exported = Buffer.from(
  'Schule;score\r\nChoaté;1,5\r\nDeerfield;2,5\r\nChoaté;0,5\r\nDeerfield;\r\nDeerfield;3,25\r\n;\r\n',
  'latin1',
);

interface Mapped {
  readonly [name: string]: unknown;
  readonly meta__: {
    readonly labels: Readonly<Record<string, readonly string[]>>;
    readonly mapping: { readonly missing: string };
  };
}

/** Id of the newest data object of a name. */
async function contentIdOf(name: string): Promise<string> {
  const list = await stage.served.call(
    'GET',
    `/api/object?object_type=data&q=${encodeURIComponent(name)}`,
  );
  const { objects } = list.data as { objects: { short_id: string; name: string }[] };
  const found = objects.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no data are called ${name}`);
  return found.short_id;
}

async function contentOf(name: string): Promise<{ id: string; values: Mapped }> {
  const { served } = stage;
  const { origin, token } = served;
  const id = await contentIdOf(name);
  const view = await served.call('GET', `/api/object/${id}`);
  const path = new URL((view.data as { path: string }).path, origin);
  const answer = await fetch(path, { headers: { authorization: `Bearer ${token}` } });
  return { id, values: (await answer.json()) as Mapped };
}

const openModel = async (page: Page) => {
  await page.goto(`${stage.served.origin}/models/${model}`);
  const panel = page.getByRole('region', { name: 'Run', exact: true });
  await panel.getByText(/Cannot run: choose data first|Fits the data block/).waitFor();
  return panel;
};

describe('data', () => {
  it('of a spreadsheet are mapped in the run panel, run, and mapped again from the next file', async () => {
    const visitor = await stage.person('light');
    const { page } = visitor;
    const panel = await openModel(page);
    await panel
      .getByLabel('Data file')
      .setInputFiles({ name: 'Prüfung.csv', mimeType: 'text/csv', buffer: exported });
    const mapper = page.getByRole('dialog', { name: 'Map the columns of Prüfung.csv' });
    await mapper.getByText('Column “score” has 1 missing value, in row 5.').waitFor();
    const save = mapper.getByRole('button', { name: 'Save as data' });
    expect(await save.isDisabled()).toBe(true);
    await pickSegment(page, 'Rows with missing values', 'Leave out');
    const row = (name: string) =>
      mapper.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });
    await row('score').last().getByText('4 numbers, 0.5 to 3.25').waitFor();
    await row('J').last().getByText('2, labelled').waitFor();
    await mapper.getByLabel('Name of the data').fill('Exam');
    await save.click();
    await panel.getByText(/Fits the data block/).waitFor();
    const first = await contentOf('Exam');
    expect(first.values).toMatchObject({
      N: 4,
      J: 2,
      school: [1, 2, 1, 2],
      score: [1.5, 2.5, 0.5, 3.25],
      meta__: { labels: { J: ['Choaté', 'Deerfield'] }, mapping: { missing: 'drop' } },
    });

    await panel.getByRole('textbox', { name: 'Warmup' }).fill('100');
    await panel.getByRole('textbox', { name: 'Samples' }).fill('100');
    await panel.getByRole('button', { name: 'Run', exact: true }).click();
    await page.waitForURL(/\/experiments\/X/);
    await page.getByText('Finished', { exact: true }).waitFor({ timeout: 120_000 });

    await page.goto(`${stage.served.origin}/data/${first.id}`);
    await page.getByRole('button', { name: 'New version' }).click();
    const dialog = page.getByRole('dialog', { name: 'New version of Exam' });
    await dialog.getByText(/mapped from a table/).waitFor();
    await dialog
      .getByLabel('Data file')
      .setInputFiles(file('next.csv', 'score,Schule\n7,Exeter\n8,Deerfield\nNA,Deerfield\n'));
    await dialog.getByRole('button', { name: 'Save as new version' }).click();
    const again = page.getByRole('dialog', { name: 'Map the columns of next.csv' });
    await again.getByText('New levels of “Schule”: Exeter.').waitFor();
    await again.getByText(/without a row here keep their numbers: Choaté/).waitFor();
    await again.getByRole('button', { name: 'Save as new version' }).click();
    await page.getByText('Saved as v2.').waitFor();
    const second = await contentOf('Exam');
    expect(second.values).toMatchObject({
      N: 2,
      J: 3,
      school: [3, 2],
      score: [7, 8],
      meta__: { labels: { J: ['Choaté', 'Deerfield', 'Exeter'] } },
    });
    await leave(visitor);
  });

  it('of a workbook come from a selected sheet, with a choice of how to read dates', async () => {
    const visitor = await stage.person('light');
    const { page } = visitor;
    await page.setViewportSize({ width: 1280, height: 720 });
    const id = await makeModel(stage.served, 'Growth', growth);
    await page.goto(`${stage.served.origin}/models/${id}`);
    const panel = page.getByRole('region', { name: 'Run', exact: true });
    await panel.getByLabel('Data file').setInputFiles({
      name: 'trial.xlsx',
      mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      buffer: Buffer.from(workbook),
    });
    const mapper = page.getByRole('dialog', { name: 'Map the columns of trial.xlsx' });
    await mapper.getByText('dates, 2024-05-01 to 2024-05-31').waitFor();
    const sheet = mapper.getByRole('combobox', { name: 'Sheet' });
    await choose(page, sheet, 'Readme');
    await mapper.getByText('The sheet “Readme” has no rows of data.').waitFor();
    await choose(page, sheet, 'Trial 1');
    const row = (name: string) =>
      mapper.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });
    await row('day').last().getByText('3 numbers, 0 to 30').waitFor();
    await row('share').last().getByText('3 numbers, 0.12 to 0.5').waitFor();
    await mapper.getByText('The currency sign is dropped.').waitFor();
    await choose(
      page,
      mapper.getByRole('combobox', { name: 'day is read as' }),
      'Days since 1970-01-01',
    );
    await row('day')
      .last()
      .getByText(/3 numbers, 19844 to 19874/)
      .waitFor();
    await mapper.getByLabel('Day 0 of day').fill('2024-04-30');
    await row('day').last().getByText('3 numbers, 1 to 31').waitFor();
    await choose(
      page,
      mapper.getByRole('combobox', { name: 'share is read as' }),
      'As written: 12 % is 12',
    );
    await row('share').last().getByText('3 numbers, 12 to 50').waitFor();
    await mapper.getByLabel('Name of the data').fill('Trial');
    await mapper.getByRole('button', { name: 'Save as data' }).click();
    await panel.getByText(/Fits the data block/).waitFor();
    const made = await contentOf('Trial');
    expect(made.values).toMatchObject({
      N: 3,
      day: [2, 1, 31],
      share: [12, 20, 50],
      price: [1200.5, 3, -2],
      meta__: {
        mapping: {
          reading: {
            sheet: 'Trial 1',
            columns: {
              day: { as: 'date', origin: '2024-04-30' },
              share: { as: 'percent', unit: 'percent' },
              price: { as: 'currency', symbol: '€' },
            },
          },
        },
      },
    });
    // The same mapping for the next file, a CSV with other numbers.
    await page.goto(`${stage.served.origin}/data/${made.id}`);
    await page.getByRole('button', { name: 'New version' }).click();
    const dialog = page.getByRole('dialog', { name: 'New version of Trial' });
    await dialog.getByText(/mapped from a table/).waitFor();
    await dialog
      .getByLabel('Data file')
      .setInputFiles(file('next.csv', 'day;share;price\n1.6.2024;4 %;7 €\n'));
    await dialog.getByRole('button', { name: 'Save as new version' }).click();
    const again = page.getByRole('dialog', { name: 'Map the columns of next.csv' });
    await again.getByText('1 row').waitFor();
    await again.getByRole('button', { name: 'Save as new version' }).click();
    await page.getByText('Saved as v2.').waitFor();
    const next = await contentOf('Trial');
    expect(next.values).toMatchObject({ N: 1, day: [32], share: [4], price: [7] });
    await leave(visitor);
  });

  it('uploaded on the data page are mapped there, for a model or by their columns, and again', async () => {
    const visitor = await stage.person('dark', { width: 1280, height: 720 });
    const { page } = visitor;
    const id = await makeModel(stage.served, 'Growth of the page', growth);
    const upload = async (name: string, buffer: Buffer) => {
      await page.goto(`${stage.served.origin}/data`);
      await page
        .getByLabel('Files to upload')
        .setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
      await page.getByRole('heading', { level: 1, name }).waitFor();
    };
    const offer = page.getByRole('region', { name: 'Map the columns' });
    const mapper = page.getByRole('dialog', { name: /^Map the columns of/ });
    const row = (name: string) =>
      mapper.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });

    await upload('page.xlsx', Buffer.from(workbook));
    await offer.getByText('This is a workbook.').waitFor();
    await choose(page, offer.getByRole('combobox'), 'Growth of the page');
    await offer.getByRole('button', { name: 'Map the columns' }).click();
    await row('share').last().getByText('3 numbers, 0.12 to 0.5').waitFor();
    const sheet = mapper.getByRole('combobox', { name: 'Sheet' });
    expect(await sheet.inputValue()).toBe('Trial 1');
    await mapper.getByLabel('Name of the data').fill('Page growth');
    await mapper.getByRole('button', { name: 'Save as data' }).click();
    await page.getByRole('heading', { level: 1, name: 'Page growth' }).waitFor();
    const made = await contentOf('Page growth');
    expect(made.values).toMatchObject({ N: 3, share: [0.12, 0.2, 0.5], price: [1200.5, 3, -2] });

    // The workbook itself still cannot be run with, and can be mapped there too.
    const raw = await contentIdOf('page.xlsx');
    await page.goto(`${stage.served.origin}/experiments/new?model=${id}&data=${raw}`);
    await page.getByText('Cannot run: the data are a workbook.').waitFor();
    expect(await page.getByRole('button', { name: 'Run', exact: true }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'map the columns' }).click();
    await row('share').last().getByText('3 numbers, 0.12 to 0.5').waitFor();

    await upload('exam.csv', exported);
    await page
      .getByRole('table', { name: 'Rows of the file' })
      .getByText('Choaté')
      .first()
      .waitFor();
    await offer.getByText('This is a table.').waitFor();
    await offer.getByRole('button', { name: 'Map the columns' }).click();
    await pickSegment(page, 'Rows with missing values', 'Leave out');
    await mapper.getByRole('button', { name: 'Save as data' }).click();
    await page.getByRole('heading', { level: 1, name: 'exam', exact: true }).waitFor();
    const exam = await contentOf('exam');
    expect(exam.values).toMatchObject({
      N: 4,
      N_Schule: 2,
      Schule: [1, 2, 1, 2],
      score: [1.5, 2.5, 0.5, 3.25],
      meta__: { labels: { N_Schule: ['Choaté', 'Deerfield'] } },
    });
    await page.getByRole('button', { name: 'New version' }).click();
    const dialog = page.getByRole('dialog', { name: 'New version of exam' });
    await dialog.getByText(/mapped from a table/).waitFor();
    await dialog
      .getByLabel('Data file')
      .setInputFiles(file('n.tsv', 'Schule\tscore\nExeter\t9\nDeerfield\t8\n'));
    await dialog.getByRole('button', { name: 'Save as new version' }).click();
    await mapper.getByText('New levels of “Schule”: Exeter.').waitFor();
    await mapper.getByRole('button', { name: 'Save as new version' }).click();
    await page.getByText('Saved as v2.').waitFor();
    expect((await contentOf('exam')).values).toMatchObject({ N_Schule: 3, Schule: [3, 2] });

    await upload('long.tsv', Buffer.from('name\tx\nA\t1\nB\t2\n'));
    await offer.getByRole('button', { name: 'Map the columns' }).click();
    await row('x').last().waitFor();
    await mapper.getByRole('button', { name: 'Cancel' }).click();

    await upload('old.data.R', Buffer.from('J <- 2L\ny <- c(1, 2.5)\n'));
    await page.getByText('This is an R dump. A run reads it unchanged.').waitFor();
    await page.getByRole('table', { name: 'Entries' }).getByText('y', { exact: true }).waitFor();
    expect(await offer.count()).toBe(0);

    await upload('notes.txt', Buffer.from('Dear all.\nSee below, and beyond.\n'));
    await page.getByText('See below, and beyond.').waitFor();
    expect(await offer.count()).toBe(0);
    await leave(visitor);
  });

  it('are pasted into the run panel, taken from a file of the model, and distinguished', async () => {
    const visitor = await stage.person('dark');
    const { page } = visitor;
    const panel = await openModel(page);
    const data = panel.getByRole('combobox', { name: 'Data' });
    await panel.getByRole('button', { name: 'paste data' }).click();
    await panel.getByRole('textbox', { name: 'Text' }).fill('school\tscore\nA\t1\nB\t2\n');
    await panel.getByRole('button', { name: 'Save as data' }).click();
    const mapper = page.getByRole('dialog', { name: 'Map the columns of pasted' });
    await mapper.getByText('2 numbers, 1 to 2').first().waitFor();
    await mapper.getByRole('button', { name: 'Save as data' }).click();
    await panel.getByText(/Fits the data block: N 2, J 2, school 2, score 2/).waitFor();

    await data.click();
    await page.getByRole('option', { name: /^Twice ?v1, 8 B$/ }).waitFor();
    await page.getByRole('option', { name: /^Twice ?v1, 16 B$/ }).click();
    expect(await data.inputValue()).toBe('Twice (v1, 16 B)');
    await panel.getByText('Cannot run: school is missing.').waitFor();

    await page.getByRole('button', { name: 'New file', exact: true }).click();
    await page.keyboard.type('own.json');
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: /own\.json/ }).waitFor();
    await page.locator('.monaco-editor .view-lines').click();
    await page.keyboard.insertText('{"N": 2, "J": 1, "school": [1, 1], "score": [1, 2, 3]}');
    await choose(page, data, 'own.json (in this model)');
    await panel.getByText('Cannot run: score has 3 entries, the program expects 2 (N).').waitFor();
    await page.locator('.monaco-editor .view-lines').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    await page.keyboard.insertText(']}');
    await panel.getByText(/Fits the data block: N 2, J 1/).waitFor();
    await panel.getByRole('textbox', { name: 'Warmup' }).fill('100');
    await panel.getByRole('textbox', { name: 'Samples' }).fill('100');
    await panel.getByRole('button', { name: 'Save and run' }).click();
    await page.waitForURL(/\/experiments\/X/);
    await page.getByText('Finished', { exact: true }).waitFor({ timeout: 120_000 });
    expect((await contentOf('own.json')).values).toMatchObject({ score: [1, 2] });
    await leave(visitor);
  });

  it('of R are read on the launch page; broken files and missing values are rejected with their place', async () => {
    const visitor = await stage.arrive('light');
    const { page } = visitor;
    await page.goto(`${stage.served.origin}/experiments/new?model=${model}&data=none`);
    const input = page.getByLabel('Data file');
    await page.getByText(/choose data first/).waitFor();
    await input.setInputFiles(file('cut.json', '{"N": 2, "score": [1, 2'));
    await page
      .getByText(/Not saved: cut\.json: .*found the end in line 1, column 24\..* cut off/)
      .waitFor();
    await input.setInputFiles(file('gaps.data.R', 'N <- 2\nscore <- c(1, NA)\n'));
    await page.getByText(/entry 2 of score is NA: .* in line 2, column 15/).waitFor();
    await input.setInputFiles(
      file('schools.data.R', 'N <- 2L\nJ <- 1\nschool <- c(1L, 1L)\nscore <-\nc(1, 2.5e0)\n'),
    );
    const row = page.getByRole('row').filter({ has: page.getByText('score', { exact: true }) });
    await row.getByLabel('fits', { exact: true }).waitFor();
    expect((await contentOf('schools.json')).values).toMatchObject({ score: [1, 2.5] });
    await leave(visitor);
  });
});
