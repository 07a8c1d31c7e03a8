/** Long CSV of draws and its relatives. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitCsvLine, textCell, unguardText } from '../../src/formats/csv-cell.ts';
import type { DrawsTable } from '../../src/formats/draws-table.ts';
import {
  createDrawsCsvReader,
  DrawsCsvError,
  longCsvRows,
  readDrawsCsv,
} from '../../src/formats/long-csv.ts';

/** A table as plain lists. */
const plain = (table: DrawsTable) => ({
  chains: table.chains,
  draws: Object.fromEntries(
    table.variables.map(({ variable, chains }) => [variable, chains.map((chain) => [...chain])]),
  ),
});
const expected = {
  chains: ['chain#1', 'chain#2'],
  draws: {
    mu: [
      [1, 2],
      [3, 4],
    ],
    'theta[1,2]': [
      [5, 6],
      [7, 8],
    ],
  },
};

describe('what is written', () => {
  it('has rows of chain, variable, value without a header; commas are quoted', () => {
    expect(longCsvRows('chain#1', 'theta[1,2]', Float64Array.of(0.1, NaN, -Infinity))).toBe(
      'chain#1,"theta[1,2]",0.1\nchain#1,"theta[1,2]",NaN\nchain#1,"theta[1,2]",-Infinity\n',
    );
  });

  it('is read back to the last bit, whatever the names, in pieces of any size', () => {
    const name = fc
      .string({ minLength: 1, unit: 'grapheme' })
      .filter(
        (text) =>
          !/[\r\n]/.test(text) &&
          !text.startsWith('#') &&
          text.trim() === text &&
          Number.isNaN(Number(text)) &&
          !/^[+-]?(nan|na|inf|infinity|true|false)$/i.test(text) &&
          !text.startsWith('\ufeff'),
      );
    const draws = fc.uniqueArray(name, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(
        draws,
        fc.uniqueArray(name, { minLength: 1, maxLength: 3 }),
        fc.array(fc.double(), { minLength: 1, maxLength: 9 }),
        fc.integer({ min: 1, max: 50 }),
        (variables, names, values, size) => {
          const chains = names.map((text) => `chain#${text}`);
          const column = Float64Array.from(values);
          const text = chains
            .flatMap((chain) => variables.map((variable) => longCsvRows(chain, variable, column)))
            .join('');
          const reader = createDrawsCsvReader();
          for (let at = 0; at < text.length; at += size) reader.push(text.slice(at, at + size));
          const table = reader.end();
          expect(table.chains).toEqual(chains);
          expect(table.variables).toEqual(
            variables.map((variable) => ({
              variable,
              chains: chains.map(() => column.map((x) => x + 0)),
            })),
          );
        },
      ),
      { seed: 3 },
    );
  });
});

describe('what is read', () => {
  const rows = (
    format: (chain: number, variable: string, iteration: number, value: number) => string,
  ) =>
    ['mu', 'theta[1,2]'].flatMap((variable, v) =>
      [1, 2].flatMap((chain) =>
        [1, 2].map((iteration) =>
          format(chain, variable, iteration, v * 4 + chain * 2 + iteration - 2),
        ),
      ),
    );
  it.each<[string, string[]]>([
    ['no header', rows((c, v, _, x) => `chain#${c},"${v}",${x}`)],
    ['a header', ['chain,variable,value', ...rows((c, v, _, x) => `chain#${c},"${v}",${x}`)]],
    [
      'the header of a runner',
      ['chain_name,var_name,var_value', ...rows((c, v, _, x) => `chain#${c},"${v}",${x}`)],
    ],
    ['an iteration column in the third place', rows((c, v, i, x) => `chain#${c},"${v}",${i},${x}`)],
    [
      'an iteration column in the fourth place',
      rows((c, v, i, x) => `chain#${c},"${v}",${x},${i}`),
    ],
    [
      'named columns in another order',
      ['iteration,value,variable,chain', ...rows((c, v, i, x) => `${i},${x},"${v}",${c}`)],
    ],
    [
      'commas in names unquoted, and Windows line ends',
      rows((c, v, _, x) => `chain#${c},${v},${x}\r`),
    ],
    ['wide form', ['chain,iteration,mu,"theta[1,2]"', '1,1,1,5', '1,2,2,6', '2,1,3,7', '2,2,4,8']],
    [
      'wide form in the style of R',
      ['.chain,.iteration,.draw,mu,theta.1.2', '1,1,1,1,5', '1,2,2,2,6', '2,1,3,3,7', '2,2,4,4,8'],
    ],
  ])('%s', (_, lines) => expect(plain(readDrawsCsv(`${lines.join('\n')}\n`))).toEqual(expected));

  it('wide form without a chain column is one chain', () => {
    expect(plain(readDrawsCsv('mu,tau\n1,2\n3,4\n'))).toEqual({
      chains: ['chain#1'],
      draws: { mu: [[1, 3]], tau: [[2, 4]] },
    });
  });

  it('rows by iteration: those that came twice or out of order stand once, in order, the later value counting', () => {
    const table = readDrawsCsv(
      'c,a,2,20\nc,a,1,10\nc,a,3,30\nc,a,2,21\n'.replace(
        /^/,
        'chain_name,var_name,iteration,var_value\n',
      ),
    );
    expect([...table.variables[0].chains[0]]).toEqual([10, 21, 30]);
    expect([...table.iterations[0]]).toEqual([1, 2, 3]);
  });

  it('a variable that one chain lacks', () => {
    expect(plain(readDrawsCsv('chain#1,a,1\nchain#2,b,2\n'))).toEqual({
      chains: ['chain#1', 'chain#2'],
      draws: { a: [[1], []], b: [[], [2]] },
    });
  });

  it('booleans as 1 and 0, texts of other tools as NaN', () => {
    expect(plain(readDrawsCsv('c#1,a,true\nc#1,a,False\nc#1,a,NA\n')).draws).toEqual({
      a: [[1, 0, NaN]],
    });
  });

  it('a file that is still growing: the cut line is left out', () => {
    expect(plain(readDrawsCsv('chain#1,a,1\nchain#1,a,2\nchain#1,a')).draws).toEqual({
      a: [[1, 2]],
    });
  });

  it.each([
    ['chain#1,a,1\nchain#1,a,x\nchain#1,a,2\n', 2, 'line 2: "x" is not a number'],
    ['chain#1,a,1\nchain#1,a\nchain#1,a,2\n', 2, 'line 2: has 2 columns instead of 3'],
    ['1,2\n3,4\n', 1, 'line 1: has 2 columns; expected chain, variable, value'],
  ])('refuses %j', (text, line, message) => {
    expect(() => readDrawsCsv(text)).toThrow(DrawsCsvError);
    expect(() => readDrawsCsv(text)).toThrow(expect.objectContaining({ line, message }));
  });

  it('nothing gives nothing', () =>
    expect(plain(readDrawsCsv(''))).toEqual({ chains: [], draws: {} }));

  it('any text ends in a table or in DrawsCsvError', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom(
            'a',
            'chain',
            ',',
            '"',
            '\n',
            '[',
            ']',
            '1',
            '.5',
            'nan',
            '#',
            '\r',
            ' ',
          ),
        }),
        (text) => {
          try {
            readDrawsCsv(text);
          } catch (error) {
            expect(error).toBeInstanceOf(DrawsCsvError);
          }
        },
      ),
      { seed: 4, numRuns: 500 },
    );
  });
});

describe('cells', () => {
  it('a spreadsheet never sees a formula, and the text comes back', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc
            .tuple(fc.constantFrom('=', '+', '-', '@', '\t', "'=", "''@"), fc.string())
            .map((parts) => parts.join('')),
        ),
        (text) => {
          const cell = textCell(text);
          const [read] = splitCsvLine(cell);
          expect(read).not.toMatch(/^[=+\-@\t\r]/);
          expect(unguardText(read)).toBe(text);
        },
      ),
      { seed: 5 },
    );
  });
  it.each([
    ['a,b', ['a', 'b']],
    ['"a,""b""",c', ['a,"b"', 'c']],
    ['theta[1,2],3', ['theta[1,2]', '3']],
    ['a[1,b', ['a[1', 'b']],
    ['"open', ['open']],
    [',', ['', '']],
  ])('%s', (line, cells) => expect(splitCsvLine(line)).toEqual(cells));
});
