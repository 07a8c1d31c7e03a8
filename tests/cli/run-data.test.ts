import { describe, expect, it } from 'vitest';
import { readRunData } from '../../src/cli/run-data.ts';
import { makeWorkbook } from '../support/workbook.ts';

const source = `data { int N; int J; array[N] int<lower=1, upper=J> school; vector[N] y; }
parameters { vector[J] theta; } model { y ~ normal(theta[school], 1); }`;

const read = (path: string, text: string, missing: 'drop' | 'stop' = 'stop') => {
  const bytes = new TextEncoder().encode(text);
  return readRunData({ path, bytes, source, files: {}, missing });
};

describe('the data file of the run command', () => {
  it('may be a table, whose columns are mapped by name and listed in a note', async () => {
    expect(await read('s.csv', 'school;y\nB;1,5\nA;2\n')).toEqual({
      ok: true,
      value: {
        data: { N: 2, J: 2, school: [2, 1], y: [1.5, 2] },
        labels: { J: ['A', 'B'] },
        notes: ['s.csv: 2 rows. N = 2; J = 2; school: levels of school; y: column y.'],
      },
    });
    expect(await read('s.txt', 'school\ty\nB\t1\n')).toMatchObject({ ok: true });
  });

  it('may be JSON, with or without a mapping inside, or an R dump', async () => {
    const data = { N: 1, J: 1, school: [1], y: [2] };
    const meta__ = { labels: { J: ['A'] }, mapping: null };
    for (const [text, labels] of [
      [JSON.stringify(data), {}],
      [JSON.stringify({ ...data, meta__ }), { J: ['A'] }],
      ['N <- 1\nJ <- 1L\nschool <- c(1)\ny <- c(2)', {}],
    ] as const)
      expect(await read('data', text)).toEqual({ ok: true, value: { data, labels, notes: [] } });
  });

  it('is refused with a message that says what is wrong and what to do', async () => {
    const absent = await read('s.csv', 'score,group\n1,2\n');
    expect(absent).toMatchObject({
      error: expect.stringContaining('No column matches school, y (the file has score, group).'),
    });
    const gaps = 'school,y\nB,1\nA,NA\n';
    expect(await read('s.csv', gaps)).toEqual({
      ok: false,
      error: `Cannot use the data s.csv:
  Column “y” has 1 missing value, in row 3.
  Leave such rows out with --missing drop.`,
    });
    expect(await read('s.csv', gaps, 'drop')).toMatchObject({
      value: {
        data: { N: 1, y: [1] },
        notes: [expect.anything(), 'Left out for missing values: row 3.'],
      },
    });
    expect(await read('d.R', 'y <- c(1, NA)')).toEqual({
      ok: false,
      error:
        'Cannot read the data d.R:1:11: The R dump cannot be read: entry 2 of y is NA: Stan has no missing values',
    });
  });

  it('may be a workbook, read from its first table or from the named sheet', async () => {
    const bytes = makeWorkbook({
      Cover: [['Report']],
      One: [
        ['school', 'y'],
        ['B', 1.5],
      ],
      Two: [
        ['school', 'y'],
        ['A', new Date('2024-05-02T00:00:00Z')],
        ['B', new Date('2024-05-09T00:00:00Z')],
      ],
    });
    const readSheet = (sheet?: string) =>
      readRunData({ path: 's.xlsx', bytes, source, files: {}, missing: 'stop', sheet });
    expect(await readSheet()).toMatchObject({ value: { data: { N: 1, y: [1.5] } } });
    expect(await readSheet('Two')).toEqual({
      ok: true,
      value: {
        data: { N: 2, J: 2, school: [1, 2], y: [0, 7] },
        labels: { J: ['A', 'B'] },
        notes: [
          's.xlsx, sheet Two: 2 rows. N = 2; J = 2; school: levels of school; y: column y.',
          'Columns with values other than numbers: y: days since 2024-05-02.',
        ],
      },
    });
    expect(await readSheet('Three')).toEqual({
      ok: false,
      error: 's.xlsx has no sheet “Three”. Its sheets: Cover, One, Two.',
    });
  });
});
