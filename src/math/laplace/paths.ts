/** Functions of several reals on a Taylor tape whose values and first derivatives alone are known as arithmetic. */
import { type Algebra, number, type Term } from './algebra.ts';

/** Gauss–Legendre on [0, 1] with two nodes: exact for polynomials of degree 3 (DLMF 3.5(v)). */
const pathNodes = [0.5 - Math.sqrt(1 / 12), 0.5 + Math.sqrt(1 / 12)];

/**
 * f(x) from its value and its gradient, as f(x₀) + ∫ Σ (x − x₀)ᵢ ∂ᵢf(x₀ + s (x − x₀)) ds. Along the path the integrand of a
 * Taylor polynomial of order 3 has degree 2, so two nodes give all derivatives up to the third exactly. An entry of the gradient
 * may be null if the operand is data.
 */
export function fromGradient(
  m: Algebra,
  value: number,
  at: readonly Term[],
  gradient: (moved: readonly Term[]) => readonly (Term | null)[],
): Term {
  const steps = at.map((x) => (x.slot === 0 ? null : m.subtract(x, number(x.value))));
  if (steps.every((step) => step === null)) return number(value);
  const parts = pathNodes.flatMap((s) => {
    const moved = at.map((x, i) => {
      const step = steps[i];
      return step === null ? x : m.add(number(x.value), m.scale(s, step));
    });
    const slopes = gradient(moved);
    return steps.flatMap((step, i) => {
      const slope = slopes[i];
      return step === null || slope === null ? [] : [m.scale(0.5, m.multiply(step, slope))];
    });
  });
  return m.add(number(value), ...parts);
}

/**
 * y with residual(y) = 0, known at this point. Starting from the correct value, each Newton step with a constant slope gets
 * one more order of the Taylor polynomial right.
 */
export function fromEquation(
  m: Algebra,
  value: number,
  slope: number,
  residual: (y: Term) => Term,
): Term {
  let y: Term = number(value);
  for (let order = 0; order < 3; order++) {
    const gap = residual(y);
    y = m.subtract(y, m.scale(1 / slope, m.subtract(gap, number(gap.value))));
  }
  return y;
}
