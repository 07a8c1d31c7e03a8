import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRDump } from '../../src/formats/r-dump.ts';
import { isRDump } from '../../src/formats/r-dump-mark.ts';

const read = (text: string) => {
  const result = readRDump(text);
  return result.ok ? result.value : result.error;
};

describe('an R dump', () => {
  it('is read as the values that R would have', () => {
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

  it('keeps the labels of a factor', () => {
    expect(
      read('g <- structure(c(1L, 2L, 1L), levels = c("Choate", "Deer\\"field"), class = "factor")'),
    ).toEqual({
      g: [1, 2, 1],
      meta__: { labels: { g: ['Choate', 'Deer"field'] }, mapping: null },
    });
  });

  it('is refused with the place of what Stan cannot have', () => {
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

  it('is recognised, and nothing else is', () => {
    for (const text of ['N <- 3', '# a\n\ny = c(1)', '"x" <-\n1', 'J <- NA', '`a b` <- -1'])
      expect(isRDump(text)).toBe(true);
    for (const text of ['{"N": 3}', 'a,b\n1,2', 'N', '', 'x == 3', 'a <- b,c\n'])
      expect(isRDump(text)).toBe(false);
  });

  it('gives back every array that was written as one', () => {
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

  it('ends in values or in a fault with its place, whatever the text', () => {
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
