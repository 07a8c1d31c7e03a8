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

describe('the metadata of data', () => {
  it('is read back from the text it was written to', () => {
    const parsed = JSON.parse(dataText({ N: 2, g: [1, 2] }, meta)) as Record<string, unknown>;
    expect(dataMeta(parsed)).toEqual(meta);
    expect(withoutMeta(parsed)).toEqual({ N: 2, g: [1, 2] });
  });

  it('is empty if the data have none', () => {
    for (const data of [{ N: 2 }, [], null, 3, { meta__: 4 }])
      expect(dataMeta(data)).toEqual({ labels: {}, mapping: null });
  });

  it('leaves out undocumented entries', () => {
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

  const mapped = (more: Record<string, unknown>) =>
    dataMeta({ meta__: { mapping: { version: 1, variables: {}, ...more } } }).mapping;

  it.each<[string, unknown, boolean]>([
    ['null', null, false],
    ['a column', { from: 'column', column: 'a' }, true],
    ['a column without its name', { from: 'column', column: 1 }, false],
    ['levels', { from: 'levels', column: 'a' }, true],
    ['levels without a column', { from: 'levels' }, false],
    ['a factor from 0', { from: 'factor', column: 'a', levels: ['x'], base: 0 }, true],
    ['a factor from 1', { from: 'factor', column: 'a', levels: [], base: 1 }, true],
    ['a factor from 2', { from: 'factor', column: 'a', levels: ['x'], base: 2 }, false],
    ['a factor without a column', { from: 'factor', levels: ['x'], base: 1 }, false],
    ['a factor of numbers', { from: 'factor', column: 'a', levels: ['x', 1], base: 1 }, false],
    ['a factor without levels', { from: 'factor', column: 'a', levels: 'x', base: 1 }, false],
    ['values per level', { from: 'per-level', column: 'a', by: 'b' }, true],
    ['values without a level', { from: 'per-level', column: 'a' }, false],
    ['levels without values', { from: 'per-level', by: 'b' }, false],
    ['columns', { from: 'columns', columns: ['a', 'b'], transposed: true }, true],
    ['columns without an orientation', { from: 'columns', columns: ['a'] }, false],
    ['columns without names', { from: 'columns', columns: [1], transposed: true }, false],
    ['rows', { from: 'rows' }, true],
    ['a width', { from: 'width', of: 'X' }, true],
    ['a width without a variable', { from: 'width' }, false],
    ['a value', { from: 'value', value: [1, 2] }, true],
    ['a value that is null', { from: 'value', value: null }, true],
    ['no value', { from: 'value' }, false],
    ['something else', { from: '' }, false],
    ['nothing', {}, false],
  ])('has only documented sources: %s', (_, source, isTaken) => {
    expect(mapped({ variables: { x: source } })?.variables).toEqual(isTaken ? { x: source } : {});
  });

  it.each<[string, unknown, boolean]>([
    ['numbers', { as: 'number' }, true],
    ['texts', { as: 'text' }, true],
    ['percents as fractions', { as: 'percent', unit: 'fraction' }, true],
    ['percents', { as: 'percent', unit: 'percent' }, true],
    ['percents without a unit', { as: 'percent', unit: '' }, false],
    ['amounts', { as: 'currency', symbol: '€' }, true],
    ['amounts without a currency', { as: 'currency' }, false],
    ['dates, year first', { as: 'date', order: 'ymd', origin: '2024-01-31' }, true],
    ['dates, day first', { as: 'date', order: 'dmy', origin: '2024-01-31' }, true],
    ['dates, month first', { as: 'date', order: 'mdy', origin: '2024-01-31' }, true],
    ['dates in another order', { as: 'date', order: 'ydm', origin: '2024-01-31' }, false],
    ['dates from a number', { as: 'date', order: 'ymd', origin: 20240131 }, false],
    ['dates from a list', { as: 'date', order: 'ymd', origin: ['2024-01-31'] }, false],
    ['dates from a word', { as: 'date', order: 'ymd', origin: 'x2024-01-31' }, false],
    ['dates from a time', { as: 'date', order: 'ymd', origin: '2024-01-31T00' }, false],
    ['something else', { as: '' }, false],
    ['nothing', null, false],
  ])('has only documented readings of cells: %s', (_, reading, isTaken) => {
    expect(mapped({ reading: { columns: { x: reading } } })?.reading).toEqual({
      sheet: null,
      decimal: null,
      columns: isTaken ? { x: reading } : {},
    });
  });

  it('keeps sheet, decimal mark, file, row labels and missing values, each if valid', () => {
    expect(mapped({ reading: { sheet: 'A', decimal: 'comma', columns: 3 } })?.reading).toEqual({
      sheet: 'A',
      decimal: 'comma',
      columns: {},
    });
    expect(mapped({ reading: { sheet: 1, decimal: 'point' } })?.reading).toEqual({
      sheet: null,
      decimal: 'point',
      columns: {},
    });
    expect(mapped({ reading: { decimal: 'dot' } })?.reading?.decimal).toBeNull();
    expect(mapped({ file: 'a.csv', missing: 'drop', rowLabels: 'name' })).toEqual({
      version: 1,
      file: 'a.csv',
      missing: 'drop',
      rowLabels: 'name',
      variables: {},
    });
    expect(mapped({ file: 1, missing: 'else', rowLabels: 2, reading: 3 })).toEqual({
      version: 1,
      file: '',
      missing: 'stop',
      rowLabels: null,
      variables: {},
    });
  });

  it('has no mapping of another version, or without variables', () => {
    for (const other of [{ version: 2 }, { variables: [] }, { variables: null }])
      expect(mapped(other)).toBeNull();
    for (const mapping of [null, [], 'x', 1])
      expect(dataMeta({ meta__: { labels: { J: ['a'] }, mapping } })).toEqual({
        labels: { J: ['a'] },
        mapping: null,
      });
  });

  it('comes only from the data’s own properties', () => {
    const inherited = Object.create({ meta__: { labels: { J: ['a'] } } }) as object;
    expect(dataMeta(inherited).labels).toEqual({});
    const data = { N: 1 };
    expect(withoutMeta(data)).toBe(data);
    expect(dataText({ meta__: 1, N: 2 }, { labels: {}, mapping: null })).toBe(
      '{"N":2,"meta__":{"labels":{},"mapping":null}}\n',
    );
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
