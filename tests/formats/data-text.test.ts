/** The text of data, in either of its two forms. */
import { describe, expect, it } from 'vitest';
import { dataTextFault, readDataText } from '../../src/formats/data-text.ts';

const noMeta = { labels: {}, mapping: null };

describe('data as text', () => {
  it.each<[string, string, Readonly<Record<string, unknown>>]>([
    ['JSON', '{"N": 2, "y": [1, NaN]}', { N: 2, y: [1, NaN] }],
    ['an R dump', 'N <- 2\ny <- c(1, 2)', { N: 2, y: [1, 2] }],
    ['nothing', '', {}],
    ['blank lines', ' \n', {}],
  ])('from %s are values by name', (_, text, values) => {
    expect(readDataText(text)).toEqual({ ok: true, value: { values, meta: noMeta } });
  });

  it('have their labels in separate metadata', () => {
    const meta = { labels: { J: ['A', 'B'] }, mapping: null };
    expect(readDataText(JSON.stringify({ J: 2, meta__: meta }))).toEqual({
      ok: true,
      value: { values: { J: 2 }, meta },
    });
    const factor = 'g <- structure(1:2, levels = c("A", "B"), class = "factor")';
    expect(readDataText(factor)).toEqual({
      ok: true,
      value: { values: { g: [1, 2] }, meta: { labels: { g: ['A', 'B'] }, mapping: null } },
    });
  });

  it.each([
    ['{"N": }', 'The data are not valid JSON: expected a value, found "}" (line 1, column 7).'],
    [
      'N <- 2\ny <- c(1',
      'The R dump cannot be read: expected ")", found the end (line 2, column 9).',
    ],
    ['[1, 2]', 'The data must be a JSON object: a value for each variable of the data block.'],
    ['null', 'The data must be a JSON object: a value for each variable of the data block.'],
    ['3', 'The data must be a JSON object: a value for each variable of the data block.'],
  ])('are refused with a reason: %j', (text, message) => {
    const read = readDataText(text);
    expect(read.ok ? 'taken' : dataTextFault(read.error)).toBe(message);
  });
});
