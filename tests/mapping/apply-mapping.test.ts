import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DataMapping, dataMeta, dataText, withoutMeta } from '../../src/formats/data-meta.ts';
import { applyMapping } from '../../src/mapping/apply-mapping.ts';
import { guessMapping } from '../../src/mapping/guess-mapping.ts';
import { refreshMapping } from '../../src/mapping/refresh-mapping.ts';
import { readTable } from '../../src/mapping/table.ts';
import { tableOf, wantedOf } from './tables.ts';

const mappingOf = (
  variables: DataMapping['variables'],
  missing: DataMapping['missing'] = 'stop',
): DataMapping => ({ version: 1, file: 'some.csv', variables, missing, rowLabels: null });

const column = (name: string) => ({ from: 'column', column: name }) as const;
const messages = (text: string, mapping: DataMapping) =>
  applyMapping(tableOf(text), mapping).problems.map(({ message }) => message);

describe('a mapping applied to a table', () => {
  it('reports missing values with their rows, or leaves those rows out', () => {
    const text = 'g,y,other\na,1,1\nb,NA,2\n\nc,,3\nd,4,NA\n';
    const variables = {
      N: { from: 'rows' },
      y: column('y'),
      g: { from: 'factor', column: 'g', levels: ['a', 'b', 'c', 'd'], base: 1 },
    } as const;
    expect(messages(text, mappingOf(variables))).toEqual([
      'Column “y” has 2 missing values, in rows 3 and 5.',
    ]);
    const dropped = applyMapping(tableOf(text), mappingOf(variables, 'drop'));
    expect(dropped).toMatchObject({
      values: { N: 2, y: [1, 4], g: [1, 4] },
      incomplete: { count: 2, rows: [3, 5] },
      problems: [],
    });
  });

  it('names the cells that are not numbers', () => {
    expect(messages('y\n1\n2\n12 kg\n3\n4\n5\n', mappingOf({ y: column('y') }))).toEqual([
      'Row 4 of “y” is “12 kg”, not a number.',
    ]);
    const many = messages('y\na\nb\nc\nd\ne\n', mappingOf({ y: column('y') }));
    expect(many).toHaveLength(4);
    expect(many[3]).toBe('2 more cells of “y” are not numbers.');
  });

  it('names missing columns, and values and levels that do not match', () => {
    const levels = { from: 'factor', column: 'g', levels: ['a', 'b'], base: 1 } as const;
    expect(messages('g,u\na,1\na,2\n', mappingOf({ z: column('z') }))).toEqual([
      'There is no column “z” in this file.',
    ]);
    const perLevel = { from: 'per-level', column: 'u', by: 'g' } as const;
    expect(messages('g,u\na,1\na,2\nb,1\n', mappingOf({ g: levels, u: perLevel }))).toEqual([
      '“u” differs within g “a”: 1 in row 2, 2 in row 3.',
    ]);
    expect(messages('g,u\na,1\n', mappingOf({ g: levels, u: perLevel }))).toEqual([
      'No row has g “b”, so “u” is unknown there.',
    ]);
    expect(messages('g,u\nc,1\n', mappingOf({ g: levels }))).toEqual([
      'Row 2 of “g” is “c”, which is not among the levels.',
    ]);
  });

  it('reads decimal commas, thousands and infinities', () => {
    const read = (text: string, name = 'y') =>
      applyMapping(tableOf(text), mappingOf({ y: column(name) })).values.y;
    expect(read('g;y\na;1,5\nb;-0,25\nc;1.234,5\n')).toEqual([1.5, -0.25, 1234.5]);
    expect(read('g,y\na,"1,234"\nb,"12,345,678"\nc,0.5\n')).toEqual([1234, 12345678, 0.5]);
    expect(read('g;y\na;1,234\nb;2,345\n')).toEqual([1.234, 2.345]);
    expect(read('g,y\na,Inf\nb,-inf\nc,\u22121e-3\n')).toEqual(['Inf', '-Inf', -0.001]);
    expect(read('g\ty\na\tTRUE\nb\tFALSE\n')).toEqual([1, 0]);
  });

  it('applied again keeps the numbers of levels and notes new ones', () => {
    const first = tableOf('school,y\nB,1\nA,2\n');
    const wanted = wantedOf('int N; int J; array[N] int<lower=1, upper=J> school; vector[N] y;');
    const earlier = guessMapping(first, wanted, { file: 'one.csv' });
    const second = tableOf('y,school\n5,C\n6,B\n7,B\n');
    const { mapping, notes } = refreshMapping(second, earlier);
    expect(notes).toEqual([
      'New levels of “school”: C.',
      'Levels of “school” without a row here keep their numbers: A.',
    ]);
    const { values, meta, problems } = applyMapping(second, mapping);
    expect(problems).toEqual([]);
    expect(values).toEqual({ N: 3, J: 3, school: [3, 2, 2], y: [5, 6, 7] });
    expect(meta.labels).toEqual({ J: ['A', 'B', 'C'] });
    const others = refreshMapping(tableOf('school,y\nX,1\nY,2\n'), earlier).mapping;
    expect(others.variables.school).toMatchObject({ levels: ['X', 'Y'] });
  });

  it('produces text with values and mapping, and applies equally when read back', async () => {
    const cell = fc.constantFrom(
      '1',
      '2',
      '0.5',
      'a',
      'b',
      'NA',
      '',
      'Inf',
      '"x, y"',
      '3 %',
      '$ 4',
      '5/6/2024',
      '2024-01-31',
    );
    const rows = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 8 });
    const missing = fc.constantFrom('drop' as const, 'stop' as const);
    const wanted = wantedOf(
      'int N; int J; array[N] int<lower=1, upper=J> g; vector[N] y; vector[J] u;',
    );
    await fc.assert(
      fc.asyncProperty(rows, missing, async (cells, whatToDo) => {
        const read = await readTable(
          new TextEncoder().encode(`g,y,u\n${cells.map((row) => row.join(',')).join('\n')}`),
        );
        if (!read.ok) return;
        const guessed = guessMapping(read.value, wanted, { file: 'a.csv' });
        const made = applyMapping(read.value, { ...guessed, missing: whatToDo });
        const back = JSON.parse(dataText(made.values, made.meta)) as Record<string, unknown>;
        expect(withoutMeta(back)).toEqual(made.values);
        const { mapping } = dataMeta(back);
        expect(mapping).not.toBeNull();
        const again = applyMapping(read.value, mapping as DataMapping);
        expect(again).toEqual(made);
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it('of 100 000 rows takes seconds, even on a busy machine', async () => {
    const lines = Array.from(
      { length: 100_000 },
      (_, i) => `school ${i % 500},${i / 7},${i % 2},"a, ${i}",${(i * 7919) % 1000}`,
    );
    const bytes = new TextEncoder().encode(`school,x,y,note,z\n${lines.join('\n')}\n`);
    const wanted = wantedOf(
      'int N; int J; array[N] int<lower=1, upper=J> school; vector[N] x; array[N] int y;',
    );
    const start = performance.now();
    const table = await readTable(bytes);
    if (!table.ok) throw new Error(table.error);
    const mapping = guessMapping(table.value, wanted, { file: 'large.csv' });
    const { values, problems } = applyMapping(table.value, mapping);
    const milliseconds = performance.now() - start;
    expect(problems).toEqual([]);
    expect(values).toMatchObject({ N: 100_000, J: 500 });
    expect(milliseconds).toBeLessThan(30_000);
  }, 60_000);
});
