import { describe, expect, it } from 'vitest';
import { library } from '../../../src/math/library/library.ts';
import { logPhi } from '../../../src/math/special/erf.ts';
import { log1pMinus } from '../../../src/math/special/log-exp.ts';
import fixture from '../../fixtures/math/special-values.json';

type Scalar = (...args: number[]) => number;

/** Functions of the fixture that have no name in the language. */
const internal: Readonly<Record<string, Scalar>> = { log_Phi: logPhi, log1p_minus: log1pMinus };
const intFirst = /^(bessel|modified)/;

function scalarOf(name: string, count: number): Scalar {
  if (internal[name] !== undefined) return internal[name];
  const kinds = intFirst.test(name) ? `i${'r'.repeat(count - 1)}` : 'r'.repeat(count);
  return library[`${name}__${kinds}`] as Scalar;
}

/** Functions with zeros, near which only an absolute error can be required. */
const hasZeros = new Set(['digamma', 'log_modified_bessel_first_kind', 'log1p_minus']);

/** Relative error allowed; larger where the function itself magnifies the rounding of its argument. */
const tolerance: Readonly<Record<string, number>> = {
  tgamma: 5e-14,
  erfc: 5e-15,
  Phi: 2e-13,
  bessel_second_kind: 1e-12,
  bessel_first_kind: 1e-12,
  modified_bessel_first_kind: 1e-13,
};

describe.each(Object.entries(fixture))('%s', (name, rows) => {
  it('agrees with mpmath', () => {
    for (const row of rows as number[][]) {
      const args = row.slice(0, -1);
      const expected = row.at(-1) as number;
      const got = scalarOf(name, args.length)(...args);
      const error = Math.abs(got - expected) / Math.max(Math.abs(expected), 1e-300);
      const small = hasZeros.has(name) && Math.abs(got - expected) < 1e-15;
      expect(
        small || error < (tolerance[name] ?? 3e-14),
        `${name}(${args.join(', ')}) = ${got}, expected ${expected}`,
      ).toBe(true);
    }
  });
});
