/** Log densities of vectors and matrices on a Taylor tape (formulas: Stan functions reference). */
import { DomainError, ShapeError } from '../errors.ts';
import { logPi, logTwoPi } from '../special/constants.ts';
import { logFactorial } from '../special/gamma.ts';
import { type Algebra, number, type Term } from './algebra.ts';
import {
  cholesky,
  logDiagonal,
  matrixFunctions,
  product,
  solveLower,
  type TermFunction,
  transposed,
} from './matrices.ts';
import { elementOf, itemsOf, scalarOf, type TermContainer, vectorOf } from './operands.ts';

const lgamma = (m: Algebra, a: Term): Term => m.call('lgamma', a);

/** Pairs up arrays of vectors; a single vector is paired with all. */
function pairs(y: TermContainer, mu: TermContainer): (readonly [TermContainer, TermContainer])[] {
  const [outcomes, means] = [itemsOf(y), itemsOf(mu)];
  const count =
    y.items === undefined && mu.items === undefined ? 1 : Math.max(outcomes.length, means.length);
  return Array.from({ length: count }, (_, i) => [
    outcomes[outcomes.length === 1 ? 0 : i],
    means[means.length === 1 ? 0 : i],
  ]);
}

function difference(m: Algebra, a: TermContainer, b: TermContainer): TermContainer {
  if (a.terms.length !== b.terms.length)
    throw new ShapeError(`vectors of ${a.terms.length} and ${b.terms.length} elements do not fit`);
  return vectorOf(a.terms.map((term, i) => m.subtract(term, b.terms[i])));
}

/** What a normal density reads from the matrix: (y − mu)ᵀ Σ⁻¹ (y − mu), and log |Σ| / 2. */
interface Spread {
  readonly form: (d: TermContainer) => Term;
  readonly halfLog: Term;
}

function byFactor(m: Algebra, l: TermContainer): Spread {
  return {
    form: (d) => {
      const { terms } = solveLower(m, l, d);
      return m.dot(terms, terms);
    },
    halfLog: logDiagonal(m, l),
  };
}

function byPrecision(m: Algebra, precision: TermContainer): Spread {
  const l = cholesky(m, precision);
  return {
    form: (d) => {
      const { terms } = product(m, transposed(l), d);
      return m.dot(terms, terms);
    },
    halfLog: m.scale(-1, logDiagonal(m, l)),
  };
}

const bySigma = (m: Algebra, sigma: TermContainer): Spread => byFactor(m, cholesky(m, sigma));

const normal =
  (spreadOf: (m: Algebra, x: TermContainer) => Spread): TermFunction =>
  (m, y, mu, x) => {
    const spread = spreadOf(m, x);
    const each = pairs(y, mu).map(([a, b]) => {
      const form = spread.form(difference(m, a, b));
      return m.subtract(
        m.scale(-0.5, form),
        m.add(spread.halfLog, number(0.5 * x.rows * logTwoPi)),
      );
    });
    return scalarOf(m.sum(each));
  };

const student =
  (spreadOf: (m: Algebra, x: TermContainer) => Spread): TermFunction =>
  (m, y, nu, mu, x) => {
    const spread = spreadOf(m, x);
    const [freedom] = nu.terms;
    const half = m.scale(0.5, m.add(freedom, number(x.rows)));
    const gammas = m.subtract(lgamma(m, half), lgamma(m, m.scale(0.5, freedom)));
    const logs = m.add(m.call('log', freedom), number(logPi));
    const constant = m.subtract(gammas, m.add(m.scale(0.5 * x.rows, logs), spread.halfLog));
    const each = pairs(y, mu).map(([a, b]) => {
      const form = m.divide(spread.form(difference(m, a, b)), freedom);
      return m.subtract(constant, m.multiply(half, m.call('log1p', form)));
    });
    return scalarOf(m.sum(each));
  };

/** Rows of y with precisions `w`: Σ of normal densities with covariance Σ / wᵢ. */
const gaussianProcess =
  (spreadOf: (m: Algebra, x: TermContainer) => Spread): TermFunction =>
  (m, y, x, w) => {
    const spread = spreadOf(m, x);
    const { rows, cols } = y;
    const each = w.terms.map((weight, i) => {
      const own = vectorOf(Array.from({ length: cols }, (_, j) => y.terms[i + j * rows]));
      const form = m.scale(-0.5, m.multiply(weight, spread.form(own)));
      const scale = m.subtract(m.scale(0.5 * cols, m.call('log', weight)), spread.halfLog);
      return m.add(form, scale, number(-0.5 * cols * logTwoPi));
    });
    return scalarOf(m.sum(each));
  };

const dirichlet: TermFunction = (m, theta, alpha) =>
  scalarOf(
    m.sum(
      pairs(theta, alpha).map(([x, a]) => {
        const powers = x.terms.map((term, i) =>
          m.multiply(m.subtract(a.terms[i], number(1)), m.call('log', term)),
        );
        const gammas = a.terms.map((term) => m.scale(-1, lgamma(m, term)));
        return m.add(...powers, ...gammas, lgamma(m, m.sum(a.terms)));
      }),
    ),
  );

const coefficient = (y: TermContainer): number =>
  logFactorial(y.terms.reduce((sum, { value }) => sum + value, 0)) -
  y.terms.reduce((sum, { value }) => sum + logFactorial(value), 0);

const multinomial: TermFunction = (m, y, theta) => {
  const terms = y.terms.map(({ value }, i) => m.count(value, m.call('log', theta.terms[i])));
  return scalarOf(m.add(...terms, number(coefficient(y))));
};

const multinomialLogit: TermFunction = (m, y, beta) => {
  const total = m.logSumExp(beta.terms);
  const terms = y.terms.map(({ value }, i) => m.count(value, m.subtract(beta.terms[i], total)));
  return scalarOf(m.add(...terms, number(coefficient(y))));
};

const dirichletMultinomial: TermFunction = (m, y, alpha) => {
  const ratio = (a: Term, n: number) => m.subtract(lgamma(m, m.add(a, number(n))), lgamma(m, a));
  const count = y.terms.reduce((sum, { value }) => sum + value, 0);
  const terms = y.terms.map(({ value }, i) => ratio(alpha.terms[i], value));
  const all = m.scale(-1, ratio(m.sum(alpha.terms), count));
  return scalarOf(m.add(...terms, all, number(coefficient(y))));
};

function requireCategory(y: number, count: number): void {
  if (!(y >= 1 && y <= count)) throw new DomainError(`the outcome ${y} is not a category`);
}

const categorical: TermFunction = (m, y, theta) =>
  scalarOf(
    m.sum(
      y.terms.map(({ value }) => {
        requireCategory(value, theta.terms.length);
        return m.call('log', theta.terms[value - 1]);
      }),
    ),
  );

/** log (Φ(eta − cut below) − Φ(eta − cut above)), from the tail in which both are small. */
function ordinal(m: Algebra, y: number, eta: Term, cuts: readonly Term[]): Term {
  requireCategory(y, cuts.length + 1);
  const z = (k: number) => m.subtract(eta, cuts[k]);
  const log = (a: Term) => m.call('std_normal_lcdf', a);
  if (y === 1) return log(m.scale(-1, z(0)));
  if (y === cuts.length + 1) return log(z(cuts.length - 1));
  const [below, above] = [z(y - 2), z(y - 1)];
  if (below.value <= 0) return m.logDiffExp(log(below), log(above));
  return m.logDiffExp(log(m.scale(-1, above)), log(m.scale(-1, below)));
}

/** For each outcome with its predictor; cut points shared by all, or one set for each. */
const orderedProbit: TermFunction = (m, y, eta, cuts) => {
  const lists = itemsOf(cuts);
  return scalarOf(
    m.sum(
      y.terms.map(({ value }, i) =>
        ordinal(m, value, elementOf(eta, i), lists[lists.length === 1 ? 0 : i].terms),
      ),
    ),
  );
};

/** log of the reciprocal constant (Lewandowski, Kurowicka & Joe 2009, eq. 16, as gamma functions). */
function lkjConstant(m: Algebra, eta: Term, k: number): Term {
  const parts = [m.scale(k - 1, lgamma(m, m.add(eta, number(0.5 * (k - 1)))))];
  for (let j = 1; j < k; j++) {
    const gamma = lgamma(m, m.add(eta, number(0.5 * (k - 1 - j))));
    parts.push(m.scale(-1, gamma), number(-0.5 * j * logPi));
  }
  return m.sum(parts);
}

const lkjCorr: TermFunction = (m, y, { terms: [eta] }) => {
  const half = logDiagonal(m, cholesky(m, y));
  const kernel = m.multiply(m.subtract(eta, number(1)), m.scale(2, half));
  return scalarOf(m.add(kernel, lkjConstant(m, eta, y.rows)));
};

const lkjCorrCholesky: TermFunction = (m, l, { terms: [eta] }) => {
  const k = l.rows;
  const powers = Array.from({ length: k - 1 }, (_, i) => {
    const exponent = m.add(m.scale(2, m.subtract(eta, number(1))), number(k - i - 2));
    return m.multiply(exponent, m.call('log', l.terms[(i + 1) * (k + 1)]));
  });
  return scalarOf(m.add(...powers, lkjConstant(m, eta, k)));
};

const logMultivariateGamma = (m: Algebra, k: number, x: Term): Term =>
  m.add(
    number(0.25 * k * (k - 1) * logPi),
    ...Array.from({ length: k }, (_, j) => lgamma(m, m.subtract(x, number(0.5 * j)))),
  );

/** Of factors of W and S: trace (B⁻¹ A) by the factor of B. */
function traceRatio(m: Algebra, a: TermContainer, b: TermContainer): Term {
  const { terms } = solveLower(m, b, a);
  return m.dot(terms, terms);
}

const wishart =
  (isInverse: boolean) =>
  (m: Algebra, lw: TermContainer, nu: Term, ls: TermContainer): Term => {
    const k = lw.rows;
    const [logW, logS] = [lw, ls].map((l) => m.scale(2, logDiagonal(m, l)));
    const half = m.scale(0.5, nu);
    const constant = m.add(m.scale(k * Math.LN2, half), logMultivariateGamma(m, k, half));
    const trace = isInverse ? traceRatio(m, ls, lw) : traceRatio(m, lw, ls);
    const powers = isInverse
      ? m.subtract(m.multiply(half, logS), m.multiply(m.scale(0.5, m.add(nu, number(k + 1))), logW))
      : m.subtract(
          m.multiply(m.scale(0.5, m.subtract(nu, number(k + 1))), logW),
          m.multiply(half, logS),
        );
    return m.subtract(m.subtract(powers, m.scale(0.5, trace)), constant);
  };

const ofMatrices =
  (isInverse: boolean): TermFunction =>
  (m, w, nu, s) =>
    scalarOf(wishart(isInverse)(m, cholesky(m, w), nu.terms[0], cholesky(m, s)));

/** With the Jacobian of W = L Lᵀ: 2ᵏ Π lᵢᵢ^(k − i + 1). */
const ofFactors =
  (isInverse: boolean): TermFunction =>
  (m, lw, nu, ls) => {
    const k = lw.rows;
    const jacobian = Array.from({ length: k }, (_, i) =>
      m.scale(k - i, m.call('log', lw.terms[i * (k + 1)])),
    );
    const own = wishart(isInverse)(m, lw, nu.terms[0], ls);
    return scalarOf(m.add(own, ...jacobian, number(k * Math.LN2)));
  };

export const multivariateDensities: Readonly<Record<string, TermFunction>> = {
  ...matrixFunctions,
  multi_normal_lpdf: normal(bySigma),
  multi_normal_prec_lpdf: normal(byPrecision),
  multi_normal_cholesky_lpdf: normal(byFactor),
  multi_student_t_lpdf: student(bySigma),
  multi_student_t_cholesky_lpdf: student(byFactor),
  multi_gp_lpdf: gaussianProcess((m, k) => bySigma(m, k)),
  multi_gp_cholesky_lpdf: gaussianProcess(byFactor),
  dirichlet_lpdf: dirichlet,
  multinomial_lpmf: multinomial,
  multinomial_logit_lpmf: multinomialLogit,
  dirichlet_multinomial_lpmf: dirichletMultinomial,
  categorical_lpmf: categorical,
  ordered_probit_lpmf: orderedProbit,
  lkj_corr_lpdf: lkjCorr,
  lkj_corr_cholesky_lpdf: lkjCorrCholesky,
  wishart_lpdf: ofMatrices(false),
  inv_wishart_lpdf: ofMatrices(true),
  wishart_cholesky_lpdf: ofFactors(false),
  inv_wishart_cholesky_lpdf: ofFactors(true),
};
