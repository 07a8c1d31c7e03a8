/** Functions of complex numbers and matrices give the values of other programs (`tests/fixtures/math/make-complex.py`). */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { modelOf, outputsAt } from '../../support/stan-program.ts';

type Pair = [number, number];

interface Fixture {
  readonly scalars: readonly { f: string; z: Pair; y: Pair }[];
  readonly cuts: readonly { f: string; z: [string, string]; y: Pair }[];
  readonly binary: readonly { f: string; z: Pair; w: Pair; y: Pair }[];
  readonly matrices: {
    readonly values: Readonly<Record<string, readonly Pair[] | readonly (readonly Pair[])[]>>;
    readonly scalars: Readonly<Record<string, Pair>>;
    readonly eigenvalues: Readonly<Record<string, readonly Pair[]>>;
  } & Readonly<Record<string, unknown>>;
}

const fixture = JSON.parse(
  readFileSync(new URL('../../fixtures/math/complex.json', import.meta.url), 'utf8'),
) as Fixture;

/** The worst difference of the parts, relative to the number's magnitude if that is above 1. */
function error([a, b]: Pair, [c, d]: Pair): number {
  return Math.hypot(a - c, b - d) / Math.max(1, Math.hypot(c, d));
}

function valuesOf(expressions: readonly string[], head: string, data = {}): Pair[] {
  const lines = expressions.map((e, i) => `complex y${i} = ${e};`).join('\n');
  const out = outputsAt(modelOf(`${head}\ngenerated quantities { ${lines} }`, data));
  return expressions.map((_, i) => [out[`y${i}.real`], out[`y${i}.imag`]]);
}

describe('functions of complex numbers', () => {
  const text = ([a, b]: Pair) => `to_complex(${a}, ${b})`;

  it('match mpmath', () => {
    const { scalars, binary } = fixture;
    const found = valuesOf(
      [
        ...scalars.map(({ f, z }) => `${f}(${text(z)})`),
        ...binary.map(({ f, z, w }) => `${f}(${text(z)}, ${text(w)})`),
      ],
      '',
    );
    [...scalars, ...binary].forEach(({ f, z, y }, i) => {
      expect(error(found[i], y), `${f} ${z.join(', ')}`).toBeLessThan(1e-12);
    });
  });

  it('approach a branch cut from the side given by the sign of zero, as in C', () => {
    const { cuts } = fixture;
    // a literal -0.0 is read as data, since the sign of a zero is not part of a literal
    const data = { n: cuts.length, z: cuts.map(({ z }) => z.map(Number)) };
    const found = valuesOf(
      cuts.map(({ f }, i) => `${f}(z[${i + 1}])`),
      'data { int n; array[n] complex z; }',
      data,
    );
    cuts.forEach(({ f, z, y }, i) => {
      expect(error(found[i], y), `${f} ${z.join(', ')}`).toBeLessThan(1e-12);
    });
  });

  it('extract parts and promote types as Stan does', () => {
    const expected: Readonly<Record<string, Pair>> = {
      'abs(3 + 4i)': [5, 0],
      'norm(3 + 4i)': [25, 0],
      'arg(-2i)': [-Math.PI / 2, 0],
      'polar(2, pi() / 2)': [0, 2],
      'conj(1 + 2i)': [1, -2],
      'to_complex(1, 2) / 2': [0.5, 1],
      'to_complex() + 1': [1, 0],
      '1 / 2i': [0, -0.5],
      '2 - 3i': [2, -3],
      '3i == to_complex(0, 3)': [1, 0],
      '3i != 3': [1, 0],
      'proj(to_complex(positive_infinity(), -1)) == positive_infinity()': [1, 0],
      'pow(0, 2i)': [0, 0],
      '(1 + 1i) ^ 2': [0, 2],
      '1 > 0 ? 1 : 2i': [1, 0],
      'size(1i) + num_elements([1i, 2]) + size(dims([1i, 2]))': [4, 0],
      'get_real(2.5) + get_imag(3)': [2.5, 0],
    };
    const found = valuesOf(Object.keys(expected), '');
    Object.entries(expected).forEach(([e, y], i) => {
      expect(error(found[i], y), e).toBeLessThan(1e-15);
    });
  });
});

describe('functions of complex matrices', () => {
  const { values, scalars, eigenvalues, ...data } = fixture.matrices;
  const head = `data {
    complex_matrix[4, 4] a; complex_matrix[4, 4] b; complex_matrix[4, 3] tall;
    complex_vector[4] v; complex_vector[4] w; matrix[4, 4] real_; complex_matrix[4, 4] hermitian;
  }`;
  const { real, ...rest } = data;
  const given = { ...rest, real_: real };
  const written = (e: string) => e.replace(/\breal\b/g, 'real_');

  it('match NumPy', () => {
    const flat = (rows: readonly unknown[]): Pair[] =>
      typeof rows[0] === 'number'
        ? [rows as unknown as Pair]
        : rows.flatMap((row) => flat(row as unknown[]));
    const cases = Object.entries(values).map(([e, y]) => {
      const isMatrix = typeof y[0][0] !== 'number';
      // by rows, as in the reference
      return {
        e,
        y: flat(y),
        list: isMatrix ? `to_array_1d((${written(e)})')` : `to_array_1d(${written(e)})`,
      };
    });
    const lines = cases.map(({ y, list }, i) => `array[${y.length}] complex y${i} = ${list};`);
    const out = outputsAt(modelOf(`${head} generated quantities { ${lines.join('\n')} }`, given));
    cases.forEach(({ e, y }, i) => {
      y.forEach((expected, k) => {
        const found: Pair = [out[`y${i}[${k + 1}].real`], out[`y${i}[${k + 1}].imag`]];
        expect(error(found, expected), `${e} [${k}]`).toBeLessThan(1e-12);
      });
    });
  });

  it('match NumPy for scalar results and eigenvalues', () => {
    const found = valuesOf(Object.keys(scalars).map(written), head, given);
    Object.entries(scalars).forEach(([e, y], i) => {
      expect(error(found[i], y), e).toBeLessThan(1e-12);
    });
    for (const [name, expected] of Object.entries(eigenvalues)) {
      const all = valuesOf(
        [1, 2, 3, 4].map((k) => `eigenvalues(${written(name)})[${k}]`),
        head,
        given,
      );
      for (const y of expected) {
        expect(Math.min(...all.map((one) => error(one, y))), name).toBeLessThan(1e-12);
      }
    }
  });

  it('refuse arguments for which they are not defined', () => {
    const failing = (e: string) => () =>
      outputsAt(modelOf(`${head} generated quantities { complex y = sum(${e}); }`, given));
    expect(failing('eigenvalues_sym(a)')).toThrow(/not Hermitian/);
    expect(failing('eigenvalues(tall)')).toThrow(/square/);
    expect(failing('{1i, 2} .^ {1i}')).toThrow();
    expect(failing('pow({1i, 2}, {1i})')).toThrow(/sizes are \[2\] and \[1\]/);
  });
});
