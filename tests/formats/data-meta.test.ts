import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DataMeta, dataMeta, dataText, withoutMeta } from '../../src/formats/data-meta.ts';

const meta: DataMeta = {
  labels: { J: ['Choate', 'Deerfield'] },
  mapping: {
    version: 1,
    file: 'schools.csv',
    missing: 'drop',
    rowLabels: null,
    variables: {
      N: { from: 'rows' },
      J: { from: 'levels', column: 'school' },
      g: { from: 'factor', column: 'school', levels: ['Choate', 'Deerfield'], base: 1 },
      X: { from: 'columns', columns: ['a', 'b'], transposed: false },
      K: { from: 'width', of: 'X' },
      u: { from: 'per-level', column: 'u', by: 'school' },
      y: { from: 'column', column: 'score' },
      scale: { from: 'value', value: 2.5 },
    },
  },
};

describe('the meta of data', () => {
  it('comes back from the text it was written to', () => {
    const parsed = JSON.parse(dataText({ N: 2, g: [1, 2] }, meta)) as Record<string, unknown>;
    expect(dataMeta(parsed)).toEqual(meta);
    expect(withoutMeta(parsed)).toEqual({ N: 2, g: [1, 2] });
  });

  it('is empty where data have none', () => {
    for (const data of [{ N: 2 }, [], null, 3, { meta__: 4 }])
      expect(dataMeta(data)).toEqual({ labels: {}, mapping: null });
  });

  it('leaves out what is not as documented', () => {
    const variables = { a: { from: 'column' }, b: { from: 'rows' }, c: 3, d: { from: 'else' } };
    const data = { meta__: { labels: { J: ['x'], K: [1] }, mapping: { version: 1, variables } } };
    expect(dataMeta(data)).toEqual({
      labels: { J: ['x'] },
      mapping: {
        version: 1,
        file: '',
        missing: 'stop',
        rowLabels: null,
        variables: { b: { from: 'rows' } },
      },
    });
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (labels, mapping) => {
        dataMeta({ meta__: { labels, mapping } });
        dataMeta({ meta__: labels });
      }),
      { seed: 1 },
    );
  });
});
