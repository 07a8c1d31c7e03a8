import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRDump } from '../../src/formats/r-dump.ts';
import { isRDump } from '../../src/formats/r-dump-mark.ts';

const read = (text: string) => {
  const result = readRDump(text);
  return result.ok ? result.value : result.error;
};

describe('an R dump', () => {
  it('has the values that R would assign', () => {
    const text = `# made by stan_rdump
N <- 3L
"K" = 2 ; x <-
c(1, -2.5e-1,
  .5)
ids <- 3:1
X <- structure(c(1, 2, 3, 4, 5, 6), .Dim = c(3L, 2L))
A <- structure(1:8, .Dim = c(2, 2, 2))
none <- integer(0)
zeros <- numeric(2)
one <- c(7)
empty <- structure(numeric(0), .Dim = c(0L, 2L))
wide <- c(a = 1, 2:3, TRUE)
most <- c(Inf, -Inf, NaN)
`;
    expect(read(text)).toEqual({
      N: 3,
      K: 2,
      x: [1, -0.25, 0.5],
      ids: [3, 2, 1],
      X: [
        [1, 4],
        [2, 5],
        [3, 6],
      ],
      A: [
        [
          [1, 5],
          [3, 7],
        ],
        [
          [2, 6],
          [4, 8],
        ],
      ],
      none: [],
      zeros: [0, 0],
      one: [7],
      empty: [],
      wide: [1, 2, 3, 1],
      most: ['Inf', '-Inf', 'NaN'],
    });
  });

  it.each<[string, unknown]>([
    ['1:1', [1]],
    ['1.5:3', [1.5, 2.5]],
    ['-1:1', [-1, 0, 1]],
    ['2:-1', [2, 1, 0, -1]],
    ['0.14:1.14', [0.14, 0.14 + 1]],
    ['(2)', 2],
    ['((1:2))', [1, 2]],
    ['--5', 5],
    ['-+3', -3],
    ['+3L', 3],
    ['123', 123],
    ['12.75', 12.75],
    ['.125', 0.125],
    ['1e10', 1e10],
    ['120L', 120],
    ['1.', 1],
    ['1e5', 1e5],
    ['2E-3', 0.002],
    ['.5e+1', 5],
    ['-Inf', '-Inf'],
    ['NaN', 'NaN'],
    ['T', 1],
    ['F', 0],
    ['FALSE', 0],
    ['TRUE', 1],
    ['c()', []],
    ['c(c(1, 2), 3)', [1, 2, 3]],
    ['c(a = 1, "b c" = 2, \'d\' = 3, `e` = 4, f.g=5)', [1, 2, 3, 4, 5]],
    ['c(T, Inf)', [1, 'Inf']],
    ['numeric()', []],
    ['double(1)', [0]],
    ['logical(2)', [0, 0]],
    ['integer(3L)', [0, 0, 0]],
    ['structure(c(1, 2), .Names = c("a", "b"))', [1, 2]],
    ['structure(3, dim = 1L)', [3]],
    ['structure(7, .Dim = integer(0))', 7],
    ['structure(5)', 5],
    ['structure(c(1, 2), levels = c("a", "b"))', [1, 2]],
    ['structure(c(1, 2), levels = c("a", "b"), class = "ordered")', [1, 2]],
    [`${'('.repeat(50)}1${')'.repeat(50)}`, 1],
  ])('has %s as its value', (text, value) => expect(read(`x <- ${text}`)).toEqual({ x: value }));

  it.each([
    ['x <- 1;;y = 2 # two\n', { x: 1, y: 2 }],
    ['\ufeffx <- 1', { x: 1 }],
    ['\'a b\' <- 1\n`c d` <- 2\n"e" <- 3', { 'a b': 1, 'c d': 2, e: 3 }],
    ['a.b_1 <- 1\n.x <- 2\n_y <- 3\nInf1 <- 4', { 'a.b_1': 1, '.x': 2, _y: 3, Inf1: 4 }],
    ['x <- 1\nx <- 2', { x: 2 }],
    ['', {}],
    ['# nothing\n', {}],
  ])('with the assignments %j is read', (text, values) => expect(read(text)).toEqual(values));

  it('keeps the labels of a factor', () => {
    expect(
      read('g <- structure(c(1L, 2L, 1L), levels = c("Choate", "Deer\\"field"), class = "factor")'),
    ).toEqual({
      g: [1, 2, 1],
      meta__: { labels: { g: ['Choate', 'Deer"field'] }, mapping: null },
    });
    const named =
      'g <- structure(1:2, levels = c("A", "B"), names = c("p", "q"), class = "factor")';
    expect(read(named)).toMatchObject({ meta__: { labels: { g: ['A', 'B'] } } });
    const old = `g <- structure(c(2, 1), .Label = c('a\\'b', "\\\\"), class = c("ordered", "factor"))`;
    expect(read(old)).toEqual({
      g: [2, 1],
      meta__: { labels: { g: ["a'b", '\\'] }, mapping: null },
    });
  });

  it.each([
    ['N 3', 1, 3, 'expected `<-`, found "3"'],
    ['N <<- 3', 1, 3, 'expected `<-`, found "<<-"'],
    ['N', 1, 2, 'expected `<-`, found the end'],
    ['3 <- 1', 1, 1, 'expected the name of a variable, found "3"'],
    ['.5 <- 1', 1, 1, 'expected the name of a variable, found ".5"'],
    ['N <-\r\n', 2, 1, 'expected a number for N, found the end'],
    ['a <- 1\rN <- @', 2, 6, 'did not expect "@"'],
    ['N <- c(1,\n\n)', 3, 1, 'expected a number for entry 2 of N, found ")"'],
    ['N <- c(1 2)', 1, 10, 'expected ")", found "2"'],
    ['N <- (1', 1, 8, 'expected ")", found the end'],
    ['N <- 1:x', 1, 8, 'expected a number for N, found "x"'],
    ['N <- 1:x1', 1, 8, 'expected a number for N, found "x1"'],
    ['N <- 1:DNA', 1, 8, 'expected a number for N, found "DNA"'],
    ['N <- c(1 = 2)', 1, 10, 'expected ")", found "="'],
    ['N <- 1:NA', 1, 8, 'N is NA: Stan has no missing values'],
    ['N <- NA_integer_', 1, 6, 'N is NA: Stan has no missing values'],
    ['N <- c(NaN, NA)\nM <- 1', 1, 13, 'entry 2 of N is NA: Stan has no missing values'],
    ['N <- c(1, 2)\nM <- NA', 2, 6, 'M is NA: Stan has no missing values'],
    ['N <- NAN', 1, 6, 'cannot read `NAN` in N: write numbers, c(…), a:b or structure(…)'],
    ['N <- c', 1, 6, 'cannot read `c` in N: write numbers, c(…), a:b or structure(…)'],
    ['N <- list(1)', 1, 6, 'cannot read `list` in N: write numbers, c(…), a:b or structure(…)'],
    ['N <- numeric(2', 1, 15, 'expected ")", found the end'],
    ['N <- numeric(1e9)', 1, 6, 'N is too long'],
    ['N <- numeric(NaN)', 1, 6, 'N is too long'],
    ['N <- 1:NaN', 1, 8, 'the range in N is too long'],
    ['N <- "a"', 1, 6, 'N has the text "a": must be numbers'],
    ['N <- structure(c(1, 2), dim c(2))', 1, 29, 'expected "=", found "c"'],
    ['N <- structure(c(1, 2), 3)', 1, 25, 'expected the name of a variable, found "3"'],
    [
      'N <- structure(1:2, .Dim = c(-1, -2))',
      1,
      6,
      '.Dim of N is -1 × -2, but there are 2 numbers',
    ],
    ['N <- structure(1:2, dim = c(0.5, 4))', 1, 6, '.Dim of N is 0.5 × 4, but there are 2 numbers'],
    [`N <- ${'('.repeat(51)}1`, 1, 57, 'N is nested too deeply'],
    [`N <- ${'c('.repeat(51)}1`, 1, 108, 'N is nested too deeply'],
    [`N <- ${'structure('.repeat(51)}1`, 1, 516, 'N is nested too deeply'],
    [`N <- ${'structure(1, a = '.repeat(51)}1`, 1, 866, 'N is nested too deeply'],
    ['abcdefghijklmnopqrstuvwxyz', 1, 27, 'expected `<-`, found the end'],
    ['N abcdefghijklmnopqrstuvwxyz', 1, 3, 'expected `<-`, found "abcdefghijklmnopqrst"'],
  ])('is refused if it is %j', (text, line, column, message) =>
    expect(read(text)).toEqual({ line, column, message }),
  );

  it('is refused with the position of what Stan cannot use', () => {
    expect(read('N <- 3\ny <- c(1, NA, 3)')).toEqual({
      message: 'entry 2 of y is NA: Stan has no missing values',
      line: 2,
      column: 11,
    });
    expect(read('y <- NA_real_')).toMatchObject({ message: 'y is NA: Stan has no missing values' });
    expect(read('y <- c("a", "b")')).toMatchObject({
      message: 'y has the text "a": must be numbers',
    });
    expect(read('X <- structure(c(1, 2, 3), .Dim = c(2, 2))')).toMatchObject({
      message: '.Dim of X is 2 × 2, but there are 3 numbers',
    });
    expect(read('y <- c(1, 2')).toMatchObject({ message: 'expected ")", found the end' });
    expect(read('y <- rnorm(10)')).toMatchObject({
      message: 'cannot read `rnorm` in y: write numbers, c(…), a:b or structure(…)',
      line: 1,
      column: 6,
    });
    expect(read('y <- 1:99999999999')).toMatchObject({ message: 'the range in y is too long' });
  });

  it('has vectors up to the allowed length', () => {
    const of = (value: string) => {
      const result = readRDump(`x <- ${value}`, 3);
      return result.ok ? (result.value.x as unknown[]).length : result.error.message;
    };
    expect(['1:3', '3:1', 'numeric(3)', 'c(1, 2:3)'].map(of)).toEqual([3, 3, 3, 3]);
    expect(['1:4', '4:1', 'numeric(4)', 'c(1:2, 3:4)'].map(of)).toEqual([
      'the range in x is too long',
      'the range in x is too long',
      'x is too long',
      'x is too long',
    ]);
  });

  it('is recognised, but no other text', () => {
    const dumps = [
      'N <- 3',
      '# a\n\ny = c(1)',
      '"xy" <-\n1',
      'J <- NA',
      '`a b` <- -1',
      '\ufeffN <- 3',
      '# a\n# b\n \n.x<-.5',
      '\ufeff# a\nN=3',
      'a.b_1 <- +1',
      'x <- "a"',
      "x <- 'a'",
      'T <- 1',
      ...'structure(1 list( integer(0) numeric double rep(1 matrix( array( NULL TRUE FALSE Inf NaN 0.5'
        .split(' ')
        .map((value) => `x <- ${value}`),
    ];
    for (const text of dumps) expect(isRDump(text)).toBe(true);
    const others = [
      '{"N": 3}',
      'a,b\n1,2',
      'N',
      '',
      'x == 3',
      'a <- b,c\n',
      '# x <- 1',
      '{"a <- 1": 2}',
      '1 <- 2',
      'x < - 3',
      'x <-',
      'x <- foo(1)',
      '"" <- 1',
      '`` <- 1',
      '"a\nb" <- 1',
      'x - 3',
    ];
    for (const text of others) expect(isRDump(text)).toBe(false);
  });

  it('keeps every array that was written into it', () => {
    const dims = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(dims, (dim) => {
        const size = dim.reduce((product, n) => product * n, 1);
        const items = Array.from({ length: size }, (_, i) => i / 4);
        const text = `a <- structure(c(${items.join(', ')}), .Dim = c(${dim.map((n) => `${n}L`).join(', ')}))`;
        const value = (read(text) as { a: unknown }).a;
        const at = (index: number[]) =>
          index.reduce<unknown>((inner, i) => (inner as unknown[])[i], value);
        for (let offset = 0; offset < size; offset++) {
          let rest = offset;
          const index = dim.map((n) => {
            const i = rest % n;
            rest = Math.floor(rest / n);
            return i;
          });
          expect(at(index)).toBe(items[offset]);
        }
      }),
      { seed: 1 },
    );
  });

  it('is read as values or refused with a position, whatever the text', () => {
    const pieces = [
      'x',
      ' <- ',
      'c(',
      ')',
      ',',
      '1',
      '2L',
      ':',
      'structure(',
      '.Dim = ',
      'NA',
      '-',
      '"',
      '\n',
      '(',
      '=',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 25 }), (parts) => {
        const result = readRDump(parts.join(''));
        if (!result.ok) expect(result.error.line).toBeGreaterThan(0);
      }),
      { seed: 1, numRuns: 1000 },
    );
    expect(readRDump('x <- '.concat('('.repeat(100_000))).ok).toBe(false);
  });
});
