/** Special functions of several reals on a Taylor tape (formulas: DLMF, chapters 7, 8 and 10). */
import { besselI, besselJ, besselK, besselY } from '../special/bessel.ts';
import { inverseIncompleteBeta } from '../special/inverse-incomplete-beta.ts';
import { owensT } from '../special/owens-t.ts';
import { studentTQuantile } from '../special/student-t-quantile.ts';
import { type Algebra, number, type Term } from './algebra.ts';
import { termDensities } from './densities.ts';
import { logIncompleteBeta, logIncompleteGamma } from './incomplete.ts';
import { fromEquation, fromGradient } from './paths.ts';
import { termTails } from './tails.ts';
import type { Derivatives } from './taylor-tape.ts';

type Scalar = (m: Algebra, ...operands: Term[]) => Term;

const exp = (m: Algebra, a: Term) => m.call('exp', a);

/** ∂T/∂h = −φ(h) erf(a h / √2) / 2, ∂T/∂a = exp(−h² (1 + a²) / 2) / (2 π (1 + a²)). */
const owens: Scalar = (m, h, a) =>
  fromGradient(m, owensT(h.value, a.value), [h, a], ([s, t]) => {
    const kernel = exp(m, m.scale(-0.5, m.call('square', s)));
    const inner = m.call('erf', m.scale(Math.SQRT1_2, m.multiply(t, s)));
    const q = m.add(number(1), m.call('square', t));
    const outer = exp(m, m.scale(-0.5, m.multiply(m.call('square', s), q)));
    return [
      m.scale(-0.5 / Math.sqrt(2 * Math.PI), m.multiply(kernel, inner)),
      m.scale(0.5 / Math.PI, m.divide(outer, q)),
    ];
  });

/** Orders below 0 through C₋ₙ = sign C_n. */
type Cylinder = (order: number, z: number) => number;
const reflected =
  (f: Cylinder, alternates: boolean): Cylinder =>
  (n, z) =>
    (alternates && n < 0 && n % 2 !== 0 ? -1 : 1) * f(Math.abs(n), z);

/** C′ₙ = (left Cₙ₋₁ + right Cₙ₊₁) / 2, applied three times. */
const cylinder =
  (f: Cylinder, left: 1 | -1, right: 1 | -1): Scalar =>
  (m, order, z) => {
    const n = order.value;
    const differentiate = (at: (k: number) => number) => (k: number) =>
      (left * at(k - 1) + right * at(k + 1)) / 2;
    return m.apply((x): Derivatives => {
      const value = (k: number) => f(k, x);
      const first = differentiate(value);
      const second = differentiate(first);
      return [value(n), first(n), second(n), differentiate(second)(n)];
    }, z);
  };

const inverseBeta: Scalar = (m, a, b, p) => {
  const value = inverseIncompleteBeta(a.value, b.value, p.value);
  const at = number(value);
  const density = termDensities.beta_lpdf(m, at, number(a.value), number(b.value)).value;
  return fromEquation(m, value, Math.exp(density), (x) =>
    m.subtract(exp(m, logIncompleteBeta(m, false, a, b, x)), p),
  );
};

const studentQuantile: Scalar = (m, p, nu, mu, sigma) => {
  const { value } = studentTQuantile(p.value, nu.value);
  const [zero, one] = [number(0), number(1)];
  const slope = Math.exp(
    termDensities.student_t_lpdf(m, number(value), number(nu.value), zero, one).value,
  );
  const z = fromEquation(m, value, slope, (t) =>
    m.subtract(exp(m, termTails.student_t(m, false, t, nu, zero, one)), p),
  );
  return m.add(mu, m.multiply(sigma, z));
};

export const specialScalars: Readonly<Record<string, Scalar>> = {
  gamma_p: (m, a, x) => exp(m, logIncompleteGamma(m, false, a, x)),
  gamma_q: (m, a, x) => exp(m, logIncompleteGamma(m, true, a, x)),
  inc_beta: (m, a, b, x) => exp(m, logIncompleteBeta(m, false, a, b, x)),
  inv_inc_beta: inverseBeta,
  student_t_qf: studentQuantile,
  owens_t: owens,
  bessel_first_kind: cylinder(reflected(besselJ, true), 1, -1),
  bessel_second_kind: cylinder(reflected(besselY, true), 1, -1),
  modified_bessel_first_kind: cylinder(reflected(besselI, false), 1, 1),
  modified_bessel_second_kind: cylinder(reflected(besselK, false), -1, -1),
  lmgamma: (m, k, x) =>
    m.add(
      number(0.25 * k.value * (k.value - 1) * Math.log(Math.PI)),
      ...Array.from({ length: k.value }, (_, j) =>
        m.call('lgamma', m.subtract(x, number(0.5 * j))),
      ),
    ),
  beta: (m, a, b) => {
    const gammas = m.add(m.call('lgamma', a), m.call('lgamma', b));
    return exp(m, m.subtract(gammas, m.call('lgamma', m.add(a, b))));
  },
  ldexp: (m, x, n) => m.scale(2 ** n.value, x),
  // x − n y, where n does not change
  fmod: (m, x, y) => m.subtract(x, m.scale(Math.trunc(x.value / y.value), y)),
  plus: (_, x) => x,
};
