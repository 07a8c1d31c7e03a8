/** Long CSV of draws and its relatives. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitCsvLine, textCell, unguardText } from '../../src/formats/csv-cell.ts';
import type { DrawsTable } from '../../src/formats/draws-table.ts';
import { createDrawsCsvReader, DrawsCsvError, longCsvRows } from '../../src/formats/long-csv.ts';
import { readDrawsCsv } from '../support/read-csv.ts';

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

describe('writing', () => {
  it('has rows of chain, variable and value without a header, with commas quoted', () => {
    expect(longCsvRows('chain#1', 'theta[1,2]', Float64Array.of(0.1, NaN, -Infinity))).toBe(
      'chain#1,"theta[1,2]",0.1\nchain#1,"theta[1,2]",NaN\nchain#1,"theta[1,2]",-Infinity\n',
    );
  });

  it('has true and false for boolean variables, and numbers otherwise', () => {
    const values = Float64Array.of(1, 0, 2, NaN);
    expect(longCsvRows('c', 'b', values, true)).toBe('c,b,true\nc,b,false\nc,b,2\nc,b,NaN\n');
    expect(longCsvRows('c', 'b', values)).toBe('c,b,1\nc,b,0\nc,b,2\nc,b,NaN\n');
  });

  it('is read back to the last bit, with any names and in pieces of any size', () => {
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

describe('reading', () => {
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
      'unquoted commas in names, and Windows line ends',
      rows((c, v, _, x) => `chain#${c},${v},${x}\r`),
    ],
    ['wide form', ['chain,iteration,mu,"theta[1,2]"', '1,1,1,5', '1,2,2,6', '2,1,3,7', '2,2,4,8']],
    [
      'wide form in the style of R',
      ['.chain,.iteration,.draw,mu,theta.1.2', '1,1,1,1,5', '1,2,2,2,6', '2,1,3,3,7', '2,2,4,4,8'],
    ],
  ])('accepts %s', (_, lines) =>
    expect(plain(readDrawsCsv(`${lines.join('\n')}\n`))).toEqual(expected),
  );

  it.each([
    ['chain', 'variable', 'value'],
    ['chain_name', 'var_name', 'var_value'],
    ['.chain', '.variable', '.value'],
    ['chain_id', 'parameter', 'value'],
    ['Chain', 'Param', ' VALUE '],
    [' chain ', 'Name', 'Value'],
  ])('accepts long form with the columns %s, %s, %s', (chain, variable, value) => {
    const text = `${value},${chain},${variable}\n${rows((c, v, _, x) => `${x},${c},"${v}"`).join('\n')}\n`;
    expect(plain(readDrawsCsv(text))).toEqual(expected);
  });

  it.each(['iteration', '.iteration', 'iter', 'draw', '.draw', 'Iter'])(
    'sorts rows of long form by the column %s',
    (name) => {
      const table = readDrawsCsv(`chain,variable,${name},value\n1,a,2,20\n1,a,1,10\n`);
      expect([table.variables[0]?.chains, table.iterations]).toEqual([
        [Float64Array.of(10, 20)],
        [Float64Array.of(1, 2)],
      ]);
    },
  );

  it.each(['iteration', '.iteration', 'iter', 'Iter'])(
    'sorts rows of wide form by the column %s',
    (name) => {
      const table = readDrawsCsv(`.chain,a,${name},b\n1,20,2,200\n1,10,1,100\n`);
      expect(plain(table)).toEqual({
        chains: ['chain#1'],
        draws: { a: [[10, 20]], b: [[100, 200]] },
      });
      expect(table.iterations).toEqual([Float64Array.of(1, 2)]);
    },
  );

  it.each(['chain', 'chain_name', '.chain', 'chain_id'])(
    'accepts wide form with the chain column %s, without columns that are not numbers',
    (name) => {
      const text = `mu,${name},sampler,iter\n1,1.0,nuts,x\n2, b ,,x\n3,1,nuts,x\n`;
      expect(plain(readDrawsCsv(text))).toEqual({
        chains: ['chain#1', 'b'],
        draws: { mu: [[1, 3], [2]] },
      });
    },
  );

  it('treats a table with only some columns of long form, or a single one, as wide form', () => {
    const drawsOf = (text: string) => plain(readDrawsCsv(text)).draws;
    expect(drawsOf('variable,value\nmu,1\n')).toEqual({ value: [[1]] });
    expect(drawsOf('chain,value\n1,5\n')).toEqual({ value: [[5]] });
    expect(drawsOf('chain,variable\n1,5\n')).toEqual({ variable: [[5]] });
    expect(drawsOf('chain#a\n1\n2\n')).toEqual({ 'chain#a': [[1, 2]] });
  });

  it.each<[string, string[], number[], number[]]>([
    ['the third if both rise', ['1,10', '2,20'], [10, 20], [1, 2]],
    ['the third if neither does', ['3,1', '3,1'], [1], [3]],
    ['the one of whole numbers', ['0.5,1', '1.5,2'], [0.5, 1.5], [1, 2]],
    ['the one that is not negative', ['-2,1', '-1,2'], [-2, -1], [1, 2]],
    ['the one that rises', ['3,1', '3,2'], [3, 3], [1, 2]],
    ['the one that holds numbers', ['nan,1', '7,2'], [NaN, 7], [1, 2]],
  ])('of four columns without a header, uses %s for iterations', (_, ends, values, iterations) => {
    const table = readDrawsCsv(`${ends.map((end) => `1,a,${end}`).join('\n')}\n`);
    expect([[...(table.variables[0]?.chains[0] ?? [])], [...(table.iterations[0] ?? [])]]).toEqual([
      values,
      iterations,
    ]);
  });

  it('of two rising columns, uses the one that starts alike in every chain for iterations', () => {
    const table = readDrawsCsv('1,a,5,0\n1,a,9,1\n2,a,2,0\n2,a,7,1\n');
    expect(plain(table).draws).toEqual({
      a: [
        [5, 9],
        [2, 7],
      ],
    });
    expect(table.iterations[1]).toEqual(Float64Array.of(0, 1));
  });

  it('allows comments and blank lines anywhere', () => {
    const text = '# by a runner\n\nchain,variable,value\n  \n1,a,1\n# half\n1,a,2\n\n';
    expect(plain(readDrawsCsv(text)).draws).toEqual({ a: [[1, 2]] });
  });

  it('restores names that were guarded against spreadsheet formulas', () => {
    expect(plain(readDrawsCsv("'=c,'=a,1\n"))).toEqual({ chains: ['=c'], draws: { '=a': [[1]] } });
    expect(plain(readDrawsCsv("chain,'=a\n'=c,1\n"))).toEqual({
      chains: ['=c'],
      draws: { '=a': [[1]] },
    });
  });

  it('turns chain numbers into chain#N, and keeps other names', () => {
    expect(readDrawsCsv('1,a,1\n2.0,a,1\n 3 ,a,1\n1.5,a,1\nx,a,1\n').chains).toEqual([
      'chain#1',
      'chain#2',
      'chain#3',
      '1.5',
      'x',
    ]);
  });

  it('treats wide form without a chain column as one chain', () => {
    expect(plain(readDrawsCsv('mu,tau\n1,2\n3,4\n'))).toEqual({
      chains: ['chain#1'],
      draws: { mu: [[1, 3]], tau: [[2, 4]] },
    });
  });

  it('sorts rows by iteration, and uses the later value of duplicate rows', () => {
    const table = readDrawsCsv(
      'c,a,2,20\nc,a,1,10\nc,a,3,30\nc,a,2,21\n'.replace(
        /^/,
        'chain_name,var_name,iteration,var_value\n',
      ),
    );
    expect([...table.variables[0].chains[0]]).toEqual([10, 21, 30]);
    expect([...table.iterations[0]]).toEqual([1, 2, 3]);
  });

  it('accepts a variable that one chain lacks', () => {
    expect(plain(readDrawsCsv('chain#1,a,1\nchain#2,b,2\n'))).toEqual({
      chains: ['chain#1', 'chain#2'],
      draws: { a: [[1], []], b: [[], [2]] },
    });
  });

  it('reads booleans as 1 and 0, and NA as NaN', () => {
    expect(plain(readDrawsCsv('c#1,a,true\nc#1,a,False\nc#1,a,NA\n')).draws).toEqual({
      a: [[1, 0, NaN]],
    });
  });

  it('accepts a complete last line without a line end', () => {
    expect(plain(readDrawsCsv('chain#1,a,1\nchain#1,a,2')).draws).toEqual({ a: [[1, 2]] });
    expect(plain(readDrawsCsv('c,a,1,0.5\nc,a,2,0.25')).draws).toEqual({ a: [[0.5, 0.25]] });
    expect(plain(readDrawsCsv('chain,a\n1,3\n1,4')).draws).toEqual({ a: [[3, 4]] });
  });

  it('leaves out the incomplete last line of a growing file', () => {
    for (const cut of ['chain#1,a', 'chain#1', 'chain#1,a,'])
      expect(plain(readDrawsCsv(`chain#1,a,1\nchain#1,a,2\n${cut}`)).draws).toEqual({
        a: [[1, 2]],
      });
    for (const cut of ['', 'chain#1,a', 'chain#1,a,3', 'chain#1,a,3,1,1'])
      expect(plain(readDrawsCsv(`chain#1,a,1,0.5\nchain#1,a,2,0.25\n${cut}`)).draws).toEqual({
        a: [[0.5, 0.25]],
      });
    expect(plain(readDrawsCsv('chain,a,b\n1,2,3\n1,4')).draws).toEqual({ a: [[2]], b: [[3]] });
  });

  it.each([
    ['chain#1,a,1\nchain#1,a,x\nchain#1,a,2\n', 2, 'line 2: "x" is not a number'],
    ['chain#1,a,1\nchain#1,a\nchain#1,a,2\n', 2, 'line 2: has 2 columns instead of 3'],
    ['1,2\n3,4\n', 1, 'line 1: has 2 columns; expected chain, variable, value'],
    ['1,2', 1, 'line 1: has 2 columns; expected chain, variable, value'],
    ['1,a,2,3,4\n', 1, 'line 1: has 5 columns; expected chain, variable, value'],
    ['mu,\n1,2\n', 1, 'line 1: has 2 columns; expected chain, variable, value'],
    ['chain#1,a,x\nchain#1,a,2\n', 1, 'line 1: "x" is not a number'],
    ['c1,a,1,0.5\nc1,a,2\nc1,a,3,1\n', 2, 'line 2: has 3 columns instead of 4'],
    ['c1,a,1,0.5\n# x\nc1,a,x,y\nc1,a,3,1\n', 3, 'line 3: "y" is not a number'],
    ['c1,a,1,0.5\nc1\nc1,a,3,1\n', 2, 'line 2: has 1 columns; expected chain, variable, value'],
    ['chain,variable,iter,value\n1,a,x,1\n1,a,2,2\n', 2, 'line 2: "x" is not an iteration'],
    ['chain,a,b\n1,2\n1,2,3\n', 2, 'line 2: has 2 columns instead of 3'],
    [`1,a,${'x'.repeat(50)}\n1,a,1\n`, 1, `line 1: "${'x'.repeat(40)}" is not a number`],
    [
      `chain,variable,iter,value\n1,a,${'x'.repeat(50)},1\n1,a,2,2\n`,
      2,
      `line 2: "${'x'.repeat(40)}" is not an iteration`,
    ],
  ])('refuses %j', (text, line, message) => {
    expect(() => readDrawsCsv(text)).toThrow(DrawsCsvError);
    expect(() => readDrawsCsv(text)).toThrow(
      expect.objectContaining({ name: 'DrawsCsvError', line, message }),
    );
  });

  it('refuses a faulty line at once, without waiting for the rest', () => {
    expect(() => createDrawsCsvReader().push('c,a,1\nc,a,x\n')).toThrow('line 2:');
    const good = Array.from({ length: 300 }, (_, i) => `c,a,${i},0.5\n`).join('');
    expect(() => createDrawsCsvReader().push(`${good}c,a,x,1\n`)).toThrow('line 301:');
  });

  it('finds no draws in an empty text', () =>
    expect(plain(readDrawsCsv(''))).toEqual({ chains: [], draws: {} }));

  it('ends in a table or in DrawsCsvError for any text', () => {
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
  it('never show a spreadsheet a formula, and keep their text', () => {
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
    ['mu', 'mu'],
    ['a=b', 'a=b'],
    ["it's", "it's"],
    ['=1+1', "'=1+1"],
    ['a,b', '"a,b"'],
    ['a"b', '"a""b"'],
    ['a\nb', '"a\nb"'],
    ['a\rb', '"a\rb"'],
  ])('%j is written as %j', (text, cell) => expect(textCell(text)).toBe(cell));

  it('keep an apostrophe that guards nothing, and formulas of other writers', () => {
    expect(["'a", '=x', 'a', ''].map(unguardText)).toEqual(["'a", '=x', 'a', '']);
  });

  it.each([
    ['a,b', ['a', 'b']],
    ['"a,""b""",c', ['a,"b"', 'c']],
    ['"a,",b', ['a,', 'b']],
    ['"a" x,b', ['a', 'b']],
    ['"a",', ['a', '']],
    ['"a""b', ['a"b']],
    ['theta[1,2],3', ['theta[1,2]', '3']],
    ['3,theta[1,2]', ['3', 'theta[1,2]']],
    ['a[b[1],2],3', ['a[b[1],2]', '3']],
    ['a],b[1,2],3', ['a]', 'b[1,2]', '3']],
    ['x[1],', ['x[1]', '']],
    ['a[1,b', ['a[1', 'b']],
    ['a[1', ['a[1']],
    ['"open', ['open']],
    [',', ['', '']],
  ])('are split in the line %s', (line, cells) => expect(splitCsvLine(line)).toEqual(cells));
});
