import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dataText } from '../../src/formats/data-meta.ts';
import { readDataText } from '../../src/formats/data-text.ts';
import { applyMapping } from '../../src/mapping/apply-mapping.ts';
import { mapAllColumns } from '../../src/mapping/map-all-columns.ts';
import { tableOf } from './tables.ts';

const mapped = (text: string) => {
  const table = tableOf(text);
  return applyMapping(table, mapAllColumns(table, 'some.csv'));
};

describe('a mapping of all columns', () => {
  it('has valid variable names, and counts rows and levels', () => {
    const { values, meta, problems } = mapped(
      'group,test score (%),2nd,passed,note\nb,1.5,3,TRUE,\na,2,4,FALSE,\nb,7,5,FALSE,\n',
    );
    expect(problems).toEqual([]);
    expect(values).toEqual({
      N: 3,
      N_group: 2,
      group: [2, 1, 2],
      test_score: [1.5, 2, 7],
      x_2nd: [3, 4, 5],
      passed: [1, 0, 0],
    });
    expect(meta.labels).toEqual({ N_group: ['a', 'b'] });
  });

  it('uses unique strings as labels of the rows', () => {
    const { values, meta } = mapped('school,y\nA,28\nB,8\n');
    expect(values).toEqual({ N: 2, y: [28, 8] });
    expect(meta.labels).toEqual({ N: ['A', 'B'] });
  });

  it('has a unique name for each column, even beside one called N', () => {
    expect(mapped('N,a b,a-b,real\n5,1,2,0\n6,3,4,9\n').values).toEqual({
      N: [5, 6],
      N_2: 2,
      a_b: [1, 3],
      a_b_2: [2, 4],
      x_real: [0, 9],
    });
  });

  it('of any header produces data that are read back', () => {
    const header = fc.array(fc.string({ minLength: 1, maxLength: 12 }), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(header, (columns) => {
        const quoted = columns.map(
          (name) => `"${name.replace(/[\r\n]/g, ' ').replace(/"/g, '""')}"`,
        );
        const numbers = columns.map((_, index) => index).join(',');
        const table = tableOf(`${quoted.join(',')},last\n${numbers},7\n${numbers},8\n`);
        const { values, meta } = applyMapping(table, mapAllColumns(table, 'any.csv'));
        for (const name of Object.keys(values)) expect(name).toMatch(/^[A-Za-z]\w*$/);
        expect(readDataText(dataText(values, meta))).toMatchObject({ ok: true, value: { values } });
      }),
      { seed: 7, numRuns: 100 },
    );
  });
});
