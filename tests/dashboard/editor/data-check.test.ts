import { describe, expect, it } from 'vitest';
import { checkData, type DataRow } from '../../../src/dashboard/editor/data-check.ts';
import { checkProgram } from '../../../src/language/check.ts';

function rows(block: string, data: string): readonly DataRow[] {
  const check = checkData(checkProgram(`data { ${block} }`), data);
  if (check.state !== 'checked') throw new Error(JSON.stringify(check));
  return check.rows;
}
const first = (block: string, data: string): DataRow => rows(block, data)[0];

describe('data against a data block', () => {
  it('lists what each entry needs and what was found', () => {
    const block = 'int<lower=0> J; vector[J] y; vector<lower=0>[J] sigma;';
    expect(rows(block, '{"J": 3, "y": [28, 8, -3], "sigma": [15, 10, 16]}')).toEqual([
      { name: 'J', wants: 'int, at least 0', found: '3', isGood: true },
      { name: 'y', wants: 'vector[3]', found: '3 numbers, −3 to 28', isGood: true },
      { name: 'sigma', wants: 'vector[3], at least 0', found: '3 numbers, 10 to 16', isGood: true },
    ]);
  });

  it('reads complex numbers as pairs, and counts both parts', () => {
    const program = checkProgram(
      'data { complex_vector[2] z; } parameters { complex p; complex_matrix[2, 2] q; }',
    );
    const check = checkData(program, '{"z": [[1, 2], [3, 4]]}');
    expect(check).toMatchObject({
      rows: [{ wants: 'complex_vector[2]', found: '4 numbers, 1 to 4', isGood: true }],
      outputs: { variables: 10, generated: 0 },
    });
  });

  it.each([
    ['int n;', '{"n": 2.5}', 'Is 2.5: must be a whole number', '`n` is 2.5'],
    ['int n;', '{}', 'Missing', '`n` is missing'],
    ['int n;', '{"n": "two"}', 'Is "two": must be a number', '`n` is "two"'],
    [
      'int n;',
      '{"n": 3000000000}',
      'Is 3000000000: must be between −2147483647 and 2147483647',
      '`n` is 3000000000',
    ],
    ['real x;', '{"x": [1]}', 'Is a list of 1: must be a number', '`x` is a list of 1'],
    ['real<lower=0, upper=1> p;', '{"p": 1.5}', 'Is 1.5: must be 1 or less', '`p` is 1.5'],
    ['real<lower=0> p;', '{"p": "NaN"}', 'Is NaN: must be 0 or more', '`p` is NaN'],
    ['complex z;', '{"z": 4}', 'Is 4: must be a list of 2', '`z` is 4'],
    [
      'complex_vector[2] z;',
      '{"z": [[1, 2], [3]]}',
      'Entry 2 has 1 entry: must be 2',
      '`z[2]` has 1 entry',
    ],
    ['vector[3] y;', '{"y": [1, 2]}', 'Has 2 entries: must be 3', '`y` has 2 entries'],
    ['vector[3] y;', '{"y": 4}', 'Is 4: must be a list of 3', '`y` is 4'],
    ['vector<lower=0>[2] y;', '{"y": [1, -9]}', 'Entry 2 is −9: must be 0 or more', '`y[2]` is −9'],
    [
      'matrix[2, 2] m;',
      '{"m": [[1, 2], [3]]}',
      'Entry 2 has 1 entry: must be 2',
      '`m[2]` has 1 entry',
    ],
    ['array[2] int k;', '{"k": [1, null]}', 'Entry 2 is null: must be a number', '`k[2]` is null'],
    [
      'matrix<upper=5>[2, 2] m;',
      '{"m": [[1, 2], [3, 6]]}',
      'Entry [2, 2] is 6: must be 5 or less',
      '`m[2,2]` is 6',
    ],
    ['cov_matrix[2] S;', '{"S": [[1, 0]]}', 'Has 1 entry: must be 2', '`S` has 1 entry'],
    [
      'simplex[2] s;',
      '{"s": [0.5, 0.6]}',
      'Is not a simplex: must be entries that sum to 1',
      '`s` is not a simplex',
    ],
    [
      'array[1] ordered[2] o;',
      '{"o": [[2, 1]]}',
      'Entry 1 is not ordered: must be in ascending order',
      '`o[1]` is not ordered',
    ],
  ])('%s with %s', (block, data, found, fault) => {
    const [, wanted] = found.split(': must be ');
    const whole = wanted === undefined ? fault : `${fault}, the program expects ${wanted}`;
    expect(first(block, data)).toMatchObject({ found, fault: whole, isGood: false });
  });

  it.each([
    ['int<lower=0, upper=5> n;', '{"n": 5}', 'int, at least 0, at most 5', '5'],
    ['int<lower=0, upper=5> n;', '{"n": 0}', 'int, at least 0, at most 5', '0'],
    [
      'array[2] int n;',
      '{"n": [-2147483647, 2147483647]}',
      'array[2] int',
      '2 numbers, −2147483647 to 2147483647',
    ],
    ['real x;', '{"x": -2.5}', 'real', '−2.5'],
    ['real x;', '{"x": "-Infinity"}', 'real', '−∞'],
    ['real<offset=1, multiplier=2> x;', '{"x": 3}', 'real', '3'],
    ['vector[1] x;', '{"x": [5]}', 'vector[1]', '1 number, all 5'],
    ['vector[2] x;', '{"x": [5, 5]}', 'vector[2]', '2 numbers, all 5'],
    ['vector[1] x;', '{"x": ["nan"]}', 'vector[1]', '1 number'],
    ['vector[0] x;', '{"x": []}', 'vector[0]', '0 numbers'],
    ['array[2, 1] int k;', '{"k": [[1], [2]]}', 'array[2, 1] int', '2 numbers, 1 to 2'],
    ['array[1] vector[2] x;', '{"x": [[1, 2]]}', 'array[1] vector[2]', '2 numbers, 1 to 2'],
    ['matrix[0, 2] m;', '{"m": []}', 'matrix[0, 2]', '0 numbers'],
    ['cov_matrix[2] S;', '{"S": [[1, 0], [0, 1]]}', 'cov_matrix[2]', '4 numbers, 0 to 1'],
    ['simplex[2] s;', '{"s": [1, 1e-9]}', 'simplex[2]', '2 numbers, 1e−9 to 1'],
    [
      'vector[2] v;',
      '{"v": [-1.1660340158752736, 12345678]}',
      'vector[2]',
      '2 numbers, −1.16603 to 12345678',
    ],
    ['unit_vector[2] u;', '{"u": [-0.6, 0.8]}', 'unit_vector[2]', '2 numbers, −0.6 to 0.8'],
    ['sum_to_zero_vector[2] s;', '{"s": [-1, 1]}', 'sum_to_zero_vector[2]', '2 numbers, −1 to 1'],
    ['ordered[3] o;', '{"o": [-1, 0, 1]}', 'ordered[3]', '3 numbers, −1 to 1'],
    ['positive_ordered[2] o;', '{"o": [1, 2]}', 'positive_ordered[2]', '2 numbers, 1 to 2'],
    [
      'sum_to_zero_vector[2] s;',
      '{"s": [1e-8, 0]}',
      'sum_to_zero_vector[2]',
      '2 numbers, 0 to 1e−8',
    ],
    [
      'tuple(tuple(real<lower=0, upper=1>, int), int) t;',
      '{"t": {"1": {"1": 0.5, "2": 1}, "2": 3}}',
      'tuple(tuple(real (at least 0, at most 1), int), int)',
      '3 numbers, 0.5 to 3',
    ],
    ['complex z;', '{"z": [1, 2]}', 'complex', '2 numbers, 1 to 2'],
    [
      'tuple(real<lower=0, upper=1>, int) t;',
      '{"t": {"1": 0.5, "2": 3}}',
      'tuple(real (at least 0, at most 1), int)',
      '2 numbers, 0.5 to 3',
    ],
  ])('%s accepts %s', (block, data, wants, found) => {
    const [row] = rows(block, data);
    expect(row).toEqual({ name: row.name, wants, found, isGood: true });
  });

  it.each([
    ['int n;', '{"n": 2147483648}', 'Is 2147483648: must be between −2147483647 and 2147483647'],
    ['int n;', '{"n": -2147483648}', 'Is −2147483648: must be between −2147483647 and 2147483647'],
    ['int n;', '{"n": "NaN"}', 'Is NaN: must be a whole number'],
    ['int<lower=1> n;', '{"n": 0}', 'Is 0: must be 1 or more'],
    ['matrix[2, 0] m;', '{"m": -5}', 'Is −5: must be a list of 2'],
    ['matrix[2, 0] m;', '{"m": [[1], [2]]}', 'Entry 1 has 1 entry: must be 0'],
    ['tuple(int, int) t;', '{"t": null}', 'Is null: must be an object with the keys "1", "2"'],
    [
      'array[2, 1] tuple(int, int) t;',
      '{"t": [[{"1": 1, "2": 2}], [{"1": 1, "2": 2.5}]]}',
      't[2,1].2 is 2.5: must be a whole number',
    ],
    ['real x;', '{"x": null}', 'Is null: must be a number'],
    ['real x;', '{"x": true}', 'Is true: must be a number'],
    ['real x;', '{"x": {}}', 'Is an object: must be a number'],
    ['real x;', `{"x": "${'a'.repeat(28)}"}`, `Is "${'a'.repeat(28)}": must be a number`],
    ['real x;', `{"x": "${'a'.repeat(29)}"}`, `Is "${'a'.repeat(28)}…: must be a number`],
    ['real x;', '{"x": "constructor"}', 'Is "constructor": must be a number'],
    ['array[2] real x;', '{"x": []}', 'Has 0 entries: must be 2'],
    ['simplex[2] s;', '{"s": [1.5, -0.5]}', 'Is not a simplex: must be 0 or more in each entry'],
    ['simplex[2] s;', '{"s": [0.5, 0.4]}', 'Is not a simplex: must be entries that sum to 1'],
    ['unit_vector[2] u;', '{"u": [0.5, 0.5]}', 'Is not a unit vector: must be of length 1'],
    ['unit_vector[2] u;', '{"u": [1, 1]}', 'Is not a unit vector: must be of length 1'],
    [
      'sum_to_zero_vector[2] s;',
      '{"s": [1, 1]}',
      'Is not a sum-to-zero vector: must be entries that sum to 0',
    ],
    [
      'sum_to_zero_vector[2] s;',
      '{"s": [-1, 0]}',
      'Is not a sum-to-zero vector: must be entries that sum to 0',
    ],
    ['ordered[2] o;', '{"o": [1, 1]}', 'Is not ordered: must be in ascending order'],
    [
      'positive_ordered[2] o;',
      '{"o": [0, 1]}',
      'Is not positive and ordered: must be positive and in ascending order',
    ],
    [
      'positive_ordered[2] o;',
      '{"o": [2, 2]}',
      'Is not positive and ordered: must be positive and in ascending order',
    ],
    [
      'array[2, 2] simplex[1] s;',
      '{"s": [[[1], [1]], [[1], [2]]]}',
      'Entry [2, 2] is not a simplex: must be entries that sum to 1',
    ],
    [
      'tuple(int, int) t;',
      '{"t": [1, 2]}',
      'Is a list of 2: must be an object with the keys "1", "2"',
    ],
    ['tuple(int, int) t;', '{"t": {"1": 1.5, "2": 2}}', 't.1 is 1.5: must be a whole number'],
  ])('%s rejects %s', (block, data, found) => {
    expect(first(block, data)).toMatchObject({ found, isGood: false });
  });

  it('accepts any size that is known only to the run', () => {
    const block = 'int N; vector[N] y; array[2, N] int k; real<upper=N> z;';
    expect(rows(block, '{"y": [1, 2, 3], "k": [[1], [2]], "z": 4}')).toMatchObject([
      { found: 'Missing' },
      { wants: 'vector[?]', found: '3 numbers, 1 to 3' },
      { wants: 'array[2, ?] int', isGood: true },
      { wants: 'real, at most a bound of the program', isGood: true },
    ]);
    expect(rows(block, '{"y": 1}')[1].found).toBe('Is 1: must be a list');
    expect(rows(block, '{}')[1].found).toBe('Missing');
    const program = checkProgram('data { int N; } parameters { vector[N] mu; }');
    expect(checkData(program, '{}')).toMatchObject({ outputs: null });
    expect(checkData(program, '{"N": 1.5}')).toMatchObject({ outputs: null });
    const generated = checkProgram('data { int N; } generated quantities { vector[N] mu; }');
    expect(checkData(generated, '{}')).toMatchObject({ outputs: null });
    const tuple = checkProgram('data { int N; } parameters { tuple(real, vector[N]) t; }');
    expect(checkData(tuple, '{}')).toMatchObject({ outputs: null });
  });

  it('computes sizes and bounds from the data', () => {
    const block =
      'int N; int K; array[N * (K - 1)] real x; vector<lower=min(x)>[size(x)] y; real<upper=max(y)> z;';
    const data = '{"N": 1, "K": 3, "x": [4, 5], "y": [4, 3], "z": 0}';
    expect(rows(block, data).map(({ wants, isGood }) => [wants, isGood])).toEqual([
      ['int', true],
      ['int', true],
      ['array[2] real', true],
      ['vector[2], at least 4', false],
      ['real, at most a bound of the program', true],
    ]);
  });

  it('allows empty variables to be left out', () => {
    expect(rows('int N; vector[N] y;', '{"N": 0}')[1]).toEqual({
      name: 'y',
      wants: 'vector[0]',
      found: 'Empty, so it may be left out',
      isGood: true,
    });
    expect(rows('int N; matrix[2, N] m;', '{"N": 0, "m": []}')[1]).toMatchObject({ isGood: true });
    for (const block of ['int N; vector[N] y;', 'int N; array[N] tuple(int, int) y;'])
      expect(rows(block, `{"N": ${block.includes('tuple') ? 0 : 1}}`)[1].found).toBe('Missing');
  });

  it('accepts the names of special numbers, as the engine does', () => {
    expect(rows('vector[3] y;', '{"y": ["Inf", "-Inf", NaN]}')[0].isGood).toBe(true);
  });

  it('names the variable that sets the size', () => {
    expect(rows('int N; vector[N] x;', '{"N": 400, "x": [1, 2]}')[1]).toMatchObject({
      found: 'Has 2 entries: must be 400 (N)',
      fault: '`x` has 2 entries, the program expects 400 (N)',
    });
  });

  it('reads tables as runs do, and R dumps; labels are not a variable', () => {
    const program = checkProgram('data { int N; int J; vector[N] x; }');
    const names = (text: string, fmt?: string) => {
      const check = checkData(program, text, fmt);
      return check.state === 'checked'
        ? {
            bad: check.rows.filter((row) => !row.isGood).map((row) => row.name),
            extra: check.extra,
          }
        : check;
    };
    expect(names('x,y\n1,2\n3,4\n', 'csv')).toEqual({ bad: ['J'], extra: ['y'] });
    expect(names('x\n1\na\n', 'csv')).toEqual({
      state: 'no-json',
      message: 'The data must be numbers: row 3 of column x reads "a".',
    });
    expect(names('N <- 2L\nJ <- 1\nx <- c(1, 2)')).toEqual({ bad: [], extra: [] });
    expect(names('x <- c(1, NA)')).toEqual({
      state: 'no-json',
      message:
        'The R dump cannot be read: entry 2 of x is NA: Stan has no missing values (line 1, column 11).',
    });
    expect(names('{"N": 1, "J": 1, "x": [1], "meta__": {"labels": {"J": ["a"]}}}')).toEqual({
      bad: [],
      extra: [],
    });
  });

  it('checks tuples member by member', () => {
    const block =
      'int N; array[N] tuple(int<lower=1>, tuple(vector[2], simplex[2])) x; real<lower=x[1].2.1[1]> y;';
    const [one, two] = [
      '{"1": 3, "2": {"1": [1, 2], "2": [0.5, 0.5]}}',
      '{"1": 2, "2": {"1": [4, 5], "2": [1, 0]}}',
    ];
    const found = (x: string, y = 2) => rows(block, `{"N": 2, "x": ${x}, "y": ${y}}`);
    expect(found(`[${one}, ${two}]`)).toMatchObject([
      {},
      {
        wants: 'array[2] tuple(int (at least 1), tuple(vector[2], simplex[2]))',
        found: '10 numbers, 0 to 5',
        isGood: true,
      },
      { wants: 'real, at least 1', isGood: true },
    ]);
    expect(found(`[${one}, ${two}]`, 0)[2].found).toBe('Is 0: must be 1 or more');
    const wrong = (x: string) => found(x)[1].found;
    expect(wrong('3')).toBe('Is 3: must be a list of 2 (N)');
    expect(wrong(`[${one}]`)).toBe('Has 1 entry: must be 2 (N)');
    expect(wrong(`[${one}, 4]`)).toBe('Entry 2 is 4: must be an object with the keys "1", "2"');
    expect(wrong(`[${one}, {"1": 3}]`)).toContain('Entry 2 lacks member "2"');
    expect(wrong(`[${one}, ${two.replace('{', '{"3": 1, ')}]`)).toContain('has a member "3"');
    expect(wrong(`[${one}, ${two.replace('2', '0.5')}]`)).toBe(
      'x[2].1 is 0.5: must be a whole number',
    );
    expect(wrong(`[${one}, ${two.replace('5]', '"a"]')}]`)).toBe(
      'x[2].2.1[2] is "a": must be a number',
    );
    expect(wrong(`[${one}, ${two.replace('[1, 0]', '[1, 1]')}]`)).toBe(
      'x[2].2.2 is not a simplex: must be entries that sum to 1',
    );
    expect(rows('tuple(real, int) t;', '{}')[0].found).toBe('Missing');
  });

  it('counts the outputs of tuples by their members', () => {
    const program = checkProgram(
      'data { int J; } parameters { array[2] tuple(real, vector[J]) t; } model { } generated quantities { tuple(int,) k = (1,); }',
    );
    expect(checkData(program, '{"J": 3}')).toMatchObject({
      outputs: { variables: 8, generated: 1 },
    });
  });

  it('counts the outputs, and lists entries that the program does not read', () => {
    const program = checkProgram(
      'data { int J; } parameters { real mu; vector[J] t; } transformed parameters { vector[J] u; u = t; } model { } generated quantities { array[2] real g = {mu, mu}; }',
    );
    const check = checkData(program, '{"J": 8, "note": 1}');
    expect(check).toMatchObject({ extra: ['note'], outputs: { variables: 17, generated: 2 } });
  });

  it('does not judge data for a program with errors, or data that are not JSON', () => {
    expect(checkData(checkProgram('data { int J }'), '{}')).toEqual({ state: 'broken-program' });
    expect(checkData(checkProgram('data { int J; }'), '{"J": }')).toMatchObject({
      state: 'no-json',
    });
    expect(checkData(checkProgram('data { int J; }'), '[1]')).toMatchObject({ state: 'no-json' });
    expect(checkData(null, '{}')).toEqual({ state: 'no-program' });
  });
});
