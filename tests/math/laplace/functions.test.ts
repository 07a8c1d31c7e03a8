/** Functions on a Taylor tape: values and gradients against the library, higher derivatives against their differences. */
import { describe, expect, it } from 'vitest';
import { ActiveVector } from '../../../src/math/autodiff/containers.ts';
import { Tape } from '../../../src/math/autodiff/tape.ts';
import { TaylorTape } from '../../../src/math/laplace/taylor-tape.ts';
import { unaryDerivatives } from '../../../src/math/laplace/unary-derivatives.ts';
import { library } from '../../../src/math/library/library.ts';
import { polygamma } from '../../../src/math/special/polygamma.ts';

/** Sixth-order central difference. */
function slope(f: (x: number) => number, x: number, h = 2e-3): number {
  const d = (k: number) => f(x + k * h) - f(x - k * h);
  return (45 * d(1) - 9 * d(2) + d(3)) / (60 * h);
}

const close = (a: number, b: number, tolerance: number) =>
  expect(Math.abs(a - b)).toBeLessThan(tolerance * Math.max(1, Math.abs(a), Math.abs(b)));

/** Domains of functions that are not defined on the entire line. */
const points: Readonly<Record<string, readonly number[]>> = {
  acosh: [1.6, 4],
  log1m_exp: [-2.3, -0.4],
  lambert_wm1: [-0.2, -0.12],
  std_normal_log_qf: [-2.3, -0.4],
};
const onUnitInterval = [0.23, 0.71];

describe('derivatives of functions of one real', () => {
  it.each(Object.keys(unaryDerivatives))('%s', (name) => {
    const f = unaryDerivatives[name];
    for (const x of points[name] ?? onUnitInterval) {
      const [value, ...derivatives] = f(x);
      const own = library[`${name}__r`];
      if (own) close(value, own(x) as number, 1e-14);
      for (let k = 0; k < 3; k++) {
        close(
          derivatives[k],
          slope((at) => f(at)[k], x),
          1e-8,
        );
      }
    }
  });

  it('hold in the tails', () => {
    const { inv_logit, std_normal_lcdf, log1p_exp } = unaryDerivatives;
    expect(inv_logit(-40)[3]).toBeCloseTo(Math.exp(-40), 25);
    // log Phi(x) ~ -x²/2 - log(-x): its second derivative tends to -1
    expect(std_normal_lcdf(-30)[2]).toBeCloseTo(-1 + 1 / 900, 4);
    expect(log1p_exp(800).map(Math.abs)).toEqual([800, 1, 0, 0]);
  });
});

it('polygamma agrees with known values', () => {
  // ψ₃(1) = π⁴/15, ψ₃(1/2) = π⁴, ψ₄(1) = −24 ζ(5)
  expect(polygamma(3, 1)).toBeCloseTo(Math.PI ** 4 / 15, 12);
  expect(polygamma(3, 0.5)).toBeCloseTo(Math.PI ** 4, 10);
  expect(polygamma(4, 1)).toBeCloseTo(-24 * 1.03692775514337, 11);
  expect(polygamma(1, 25)).toBeCloseTo(library.trigamma__r(25) as number, 15);
});

/** Arguments of each: vectors and numbers by kind; the inputs are assigned in order. */
const containers: readonly (readonly [name: string, kinds: string, lengths: readonly number[]])[] =
  [
    ['multiply', 'vV', [1, 3]],
    ['elt_multiply', 'VV', [3, 3]],
    ['elt_divide', 'VV', [3, 3]],
    ['divide', 'Vv', [3, 1]],
    ['pow', 'VV', [3, 3]],
    ['add', 'vV', [1, 3]],
    ['subtract', 'VV', [3, 3]],
    ['minus', 'V', [3]],
    ['fma', 'vvv', [1, 1, 1]],
    ['atan2', 'vv', [1, 1]],
    ['hypot', 'vv', [1, 1]],
    ['lbeta', 'vv', [1, 1]],
    ['lchoose', 'vv', [1, 1]],
    ['multiply_log', 'vv', [1, 1]],
    ['log_diff_exp', 'vv', [1, 1]],
    ['log_inv_logit_diff', 'vv', [1, 1]],
    ['log_rising_factorial', 'vv', [1, 1]],
    ['log_falling_factorial', 'vv', [1, 1]],
    ['fdim', 'vv', [1, 1]],
    ['fmin', 'vv', [1, 1]],
    ['fmax', 'vv', [1, 1]],
    ['sum', 'V', [4]],
    ['mean', 'V', [4]],
    ['variance', 'V', [4]],
    ['sd', 'V', [4]],
    ['prod', 'V', [4]],
    ['min', 'V', [4]],
    ['max', 'V', [4]],
    ['dot_self', 'V', [4]],
    ['norm1', 'V', [4]],
    ['norm2', 'V', [4]],
    ['dot_product', 'VV', [3, 3]],
    ['log_sum_exp', 'V', [4]],
    ['log_sum_exp', 'vv', [1, 1]],
    ['log_softmax', 'V', [4]],
    ['softmax', 'V', [4]],
    ['cumulative_sum', 'V', [4]],
    ['squared_distance', 'VV', [3, 3]],
    ['distance', 'VV', [3, 3]],
    ['log_mix', 'vvv', [1, 1, 1]],
  ];

/** Complements `every-function.test.ts`: operands in the same order. */
describe('functions of containers on a Taylor tape', () => {
  it.each(containers)('%s of %s', (name, kinds, lengths) => {
    const total = lengths.reduce((sum, length) => sum + length, 0);
    // the first is the larger one, as log_diff_exp needs it
    const x = Float64Array.from({ length: total }, (_, i) => 0.9 - 0.31 * i + 0.06 * i * i);
    const run = (tape: Tape, isTaylor: boolean, at: Float64Array) => {
      tape.reset(at);
      let next = 1;
      const args = lengths.map((length, k) => {
        const first = next;
        next += length;
        return kinds[k] === 'v' ? first : new ActiveVector(length, first);
      });
      const f = isTaylor ? library[`$taylor_${name}`] : (library[`${name}__${kinds}`] ?? null);
      const out = (
        f
          ? f(tape, ...(isTaylor ? [kinds] : []), ...args)
          : library[name](tape, false, kinds, ...args)
      ) as number | ActiveVector;
      if (typeof out === 'number') return [out];
      return Array.from({ length: out.n }, (_, i) => (out.slots ? out.slots[i] : out.base + i));
    };
    const own = new Tape();
    const tape = new TaylorTape();
    const expected = run(own, false, x);
    const found = run(tape, true, x);
    const [first, second] = [new Float64Array(total), new Float64Array(total)];
    const v = Float64Array.from(x, (_, i) => 1 - 0.4 * i);
    expected.forEach((slot, k) => {
      close(tape.value[found[k]], own.value[slot], 1e-13);
      own.sweep(slot, first);
      tape.sweep(found[k], second);
      first.forEach((g, i) => {
        close(second[i], g, 1e-11);
      });
    });
    // second derivatives of the last result, by differences
    const last = found.length - 1;
    tape.sweepAlong(found[last], v, 1, second);
    const moved = new TaylorTape();
    const at = (t: number, i: number) => {
      const slots = run(
        moved,
        true,
        x.map((e, j) => e + t * v[j]),
      );
      moved.sweep(slots[last], first);
      return first[i];
    };
    second.forEach((g, i) => {
      close(
        g,
        slope((t) => at(t, i), 0),
        1e-8,
      );
    });
  });
});
