/** Functions of the language whose second and third derivatives are known: what a latent likelihood may call. */
import { DomainError, ShapeError } from '../errors.ts';
import { type Algebra, number, type Term } from './algebra.ts';
import { termDensities } from './densities.ts';
import type { TermFunction } from './matrices.ts';
import { multivariateDensities } from './multivariate.ts';
import {
  commonShape,
  elementOf,
  itemsOf,
  matrixOf,
  scalarOf,
  type TermContainer,
  vectorOf,
} from './operands.ts';
import { specialScalars } from './special.ts';
import { type LogTail, termTails } from './tails.ts';
import { unaryDerivatives } from './unary-derivatives.ts';

/** Of scalars, applied to the elements of containers. */
type Scalar = (m: Algebra, ...operands: Term[]) => Term;

function elementwise(name: string, f: Scalar): TermFunction {
  return (m, ...operands) => {
    const shape = commonShape(name, operands);
    const terms = shape.terms.map((_, i) => f(m, ...operands.map((x) => elementOf(x, i))));
    return { ...shape, terms };
  };
}

/** Sums over the elements. */
function density(name: string, f: Scalar): TermFunction {
  return (m, ...operands) => {
    const { terms } = commonShape(name, operands);
    const all = terms.map((_, i) => f(m, ...operands.map((x) => elementOf(x, i))));
    return scalarOf(m.sum(all));
  };
}

/** One number for all elements. */
const reduction =
  (f: (m: Algebra, terms: readonly Term[]) => Term): TermFunction =>
  (m, x) =>
    scalarOf(f(m, x.terms));

const lgamma = (m: Algebra, a: Term) => m.call('lgamma', a);

function multiplyLog(m: Algebra, a: Term, b: Term): Term {
  return a.value === 0 && b.value === 0 ? number(0) : m.multiply(a, m.call('log', b));
}

function atan2(m: Algebra, y: Term, x: Term): Term {
  const value = Math.atan2(y.value, x.value);
  const isSteep = Math.abs(y.value) > Math.abs(x.value);
  const ratio = isSteep ? m.divide(x, y) : m.divide(y, x);
  const angle = m.scale(isSteep ? -1 : 1, m.call('atan', ratio));
  return m.add(angle, number(value - angle.value));
}

function rising(m: Algebra, x: Term, n: Term): Term {
  let product: Term = number(1);
  for (let k = 0; k < n.value; k++) product = m.multiply(product, m.add(x, number(k)));
  return product;
}

const scalars: Readonly<Record<string, Scalar>> = {
  add: (m, a, b) => m.add(a, b),
  subtract: (m, a, b) => m.subtract(a, b),
  minus: (m, a) => m.scale(-1, a),
  elt_multiply: (m, a, b) => m.multiply(a, b),
  elt_divide: (m, a, b) => m.divide(a, b),
  divide: (m, a, b) => m.divide(a, b),
  pow: (m, a, b) => m.pow(a, b),
  fma: (m, a, b, c) => m.add(m.multiply(a, b), c),
  fmin: (_, a, b) => (b.value < a.value || Number.isNaN(a.value) ? b : a),
  fmax: (_, a, b) => (b.value > a.value || Number.isNaN(a.value) ? b : a),
  fdim: (m, a, b) => (a.value > b.value ? m.subtract(a, b) : number(0)),
  atan2,
  hypot: (m, a, b) => m.call('sqrt', m.add(m.call('square', a), m.call('square', b))),
  lbeta: (m, a, b) => m.subtract(m.add(lgamma(m, a), lgamma(m, b)), lgamma(m, m.add(a, b))),
  lchoose: (m, n, k) => {
    const one = number(1);
    const rest = lgamma(m, m.add(m.subtract(n, k), one));
    return m.subtract(lgamma(m, m.add(n, one)), m.add(lgamma(m, m.add(k, one)), rest));
  },
  binomial_coefficient_log: (m, n, k) => scalars.lchoose(m, n, k),
  multiply_log: multiplyLog,
  lmultiply: multiplyLog,
  log_diff_exp: (m, a, b) => m.logDiffExp(a, b),
  log_inv_logit_diff: (m, a, b) =>
    m.add(
      m.call('log1m_exp', m.subtract(b, a)),
      m.call('log_inv_logit', a),
      m.call('log1m_inv_logit', b),
    ),
  log_rising_factorial: (m, a, b) => m.subtract(lgamma(m, m.add(a, b)), lgamma(m, a)),
  log_falling_factorial: (m, a, b) => {
    const next = m.add(a, number(1));
    return m.subtract(lgamma(m, next), lgamma(m, m.subtract(next, b)));
  },
  rising_factorial: rising,
  falling_factorial: (m, x, n) => rising(m, m.subtract(x, number(n.value - 1)), n),
  binary_log_loss: (m, y, p) => m.scale(-1, m.call(y.value === 1 ? 'log' : 'log1m', p)),
};

function multiply(m: Algebra, a: TermContainer, b: TermContainer): TermContainer {
  if (a.shape === 'scalar' || b.shape === 'scalar') return products(m, a, b);
  // a row vector before a matrix
  const left = a.shape === 'vector' && b.shape === 'matrix' ? { ...a, rows: 1, cols: a.rows } : a;
  if (left.cols !== b.rows)
    throw new ShapeError(
      `multiply: ${left.rows} × ${left.cols} and ${b.rows} × ${b.cols} do not fit`,
    );
  const terms: Term[] = [];
  for (let j = 0; j < b.cols; j++) {
    const column = b.terms.slice(j * b.rows, (j + 1) * b.rows);
    for (let i = 0; i < left.rows; i++) {
      const row = column.map((_, k) => left.terms[i + k * left.rows]);
      terms.push(m.dot(row, column));
    }
  }
  const isMatrix = a.shape === 'matrix' && b.shape === 'matrix';
  return isMatrix ? matrixOf(left.rows, b.cols, terms) : vectorOf(terms);
}

const products = elementwise('multiply', (m, a, b) => m.multiply(a, b));

/** Rows (`along` 0) or columns times the elements of a vector. */
const scaledBy =
  (along: 0 | 1): TermFunction =>
  (m, first, second) => {
    const [v, x] = along === 0 ? [first, second] : [second, first];
    const terms = x.terms.map((term, i) =>
      m.multiply(v.terms[along === 0 ? i % x.rows : Math.floor(i / x.rows)], term),
    );
    return { ...x, terms };
  };

const mean = (m: Algebra, x: readonly Term[]) => m.scale(1 / x.length, m.sum(x));

function variance(m: Algebra, x: readonly Term[]): Term {
  const centre = mean(m, x);
  const squares = x.map((term) => m.call('square', m.subtract(term, centre)));
  return m.scale(1 / (x.length - 1), m.sum(squares));
}

const squaredDistance: TermFunction = (m, a, b) => {
  commonShape('squared_distance', [a, b]);
  const squares = a.terms.map((term, i) => m.call('square', m.subtract(term, b.terms[i])));
  return scalarOf(m.sum(squares));
};

/** For each vector of an array. */
const ofEach =
  (f: TermFunction): TermFunction =>
  (m, x) => {
    if (x.items === undefined) return f(m, x);
    const items = x.items.map((item) => ofEach(f)(m, item));
    return { ...x, terms: items.flatMap(({ terms }) => terms), items };
  };

function logSoftmax(m: Algebra, x: TermContainer): TermContainer {
  const total = m.logSumExp(x.terms);
  return vectorOf(x.terms.map((term) => m.subtract(term, total)));
}

const best = (x: readonly Term[], isBetter: (a: number, b: number) => boolean): Term =>
  x.reduce((found, term) => (isBetter(term.value, found.value) ? term : found));

const cumulativeSum: TermFunction = (m, x) => {
  let sum: Term = number(0);
  return vectorOf(
    x.terms.map((term) => {
      sum = m.add(sum, term);
      return sum;
    }),
  );
};

/** log(theta eᵃ + (1 − theta) eᵇ), or of a simplex and as many terms; for an array of these, the sum. */
const logMix: TermFunction = (m, theta, a, b) => {
  const weights = b ? [m.call('log', theta.terms[0]), m.call('log1m', theta.terms[0])] : null;
  if (weights) {
    const [first, second] = [m.add(weights[0], a.terms[0]), m.add(weights[1], b.terms[0])];
    return scalarOf(m.logSumExp([first, second]));
  }
  const each = itemsOf(a).map(({ terms }) =>
    m.logSumExp(theta.terms.map((weight, i) => m.add(m.call('log', weight), terms[i]))),
  );
  return scalarOf(m.sum(each));
};

/** log P(outcome) for categories 1…K cut at `cuts`. */
function orderedLogisticTerm(m: Algebra, y: number, eta: Term, cuts: readonly Term[]): Term {
  if (!(y >= 1 && y <= cuts.length + 1))
    throw new DomainError(`ordered_logistic_lpmf: the outcome ${y} is not a category`);
  const distance = (k: number) => m.subtract(eta, cuts[k]);
  if (y === 1) return m.call('log1m_inv_logit', distance(0));
  if (y === cuts.length + 1) return m.call('log_inv_logit', distance(cuts.length - 1));
  const [upper, lower] = [distance(y - 2), distance(y - 1)];
  return scalars.log_inv_logit_diff(m, upper, lower);
}

const orderedLogistic: TermFunction = (m, y, eta, cuts) => {
  const shape = commonShape('ordered_logistic_lpmf', [y, eta]);
  const terms = shape.terms.map((_, i) =>
    orderedLogisticTerm(m, elementOf(y, i).value, elementOf(eta, i), cuts.terms),
  );
  return scalarOf(m.sum(terms));
};

const categoricalLogit: TermFunction = (m, y, beta) => {
  const logs = logSoftmax(m, beta).terms;
  return scalarOf(m.sum(y.terms.map(({ value }) => logs[value - 1])));
};

/** Regressions are densities of a linear predictor alpha + x beta. */
const regression =
  (name: string): TermFunction =>
  (m, y, x, alpha, beta, ...rest) =>
    density(name, termDensities[name])(m, y, predictorOf(m, x, alpha, beta), ...rest);

/** x beta; a single row of predictors applies to all outcomes. */
const slopesOf = (m: Algebra, x: TermContainer, beta: TermContainer): TermContainer =>
  x.shape === 'matrix' ? multiply(m, x, beta) : scalarOf(m.dot(x.terms, beta.terms));

/** The linear predictor of each row. */
function predictorOf(m: Algebra, x: TermContainer, alpha: TermContainer, beta: TermContainer) {
  const sum = elementwise('add', (n, a, b) => n.add(a, b));
  return sum(m, alpha, slopesOf(m, x, beta));
}

const binomialLogitGlm: TermFunction = (m, y, trials, x, alpha, beta) =>
  density('binomial_logit_glm_lpmf', termDensities.binomial_logit_lpmf)(
    m,
    y,
    trials,
    predictorOf(m, x, alpha, beta),
  );

const orderedLogisticGlm: TermFunction = (m, y, x, beta, cuts) =>
  orderedLogistic(m, y, slopesOf(m, x, beta), cuts);

/** A row of x and a column of beta for each category; a single row applies to all outcomes. */
const categoricalLogitGlm: TermFunction = (m, y, x, alpha, beta) => {
  const rows = x.shape === 'matrix' ? x : { ...x, shape: 'matrix' as const, rows: 1, cols: x.rows };
  const eta = multiply(m, rows, beta);
  const logs = Array.from({ length: rows.rows }, (_, i) => {
    const own = alpha.terms.map((term, k) => m.add(term, eta.terms[i + k * rows.rows]));
    const total = m.logSumExp(own);
    return own.map((term) => m.subtract(term, total));
  });
  const count = Math.max(y.terms.length, rows.rows);
  const each = Array.from(
    { length: count },
    (_, i) => logs[rows.rows === 1 ? 0 : i][elementOf(y, i).value - 1],
  );
  return scalarOf(m.sum(each));
};

const sorted =
  (direction: 1 | -1): TermFunction =>
  (_, x) =>
    vectorOf(x.terms.toSorted((a, b) => direction * (a.value - b.value)));

const others: Readonly<Record<string, TermFunction>> = {
  multiply,
  sort_asc: sorted(1),
  sort_desc: sorted(-1),
  binomial_logit_glm_lpmf: binomialLogitGlm,
  ordered_logistic_glm_lpmf: orderedLogisticGlm,
  categorical_logit_glm_lpmf: categoricalLogitGlm,
  sum: reduction((m, x) => m.sum(x)),
  mean: reduction(mean),
  variance: reduction(variance),
  sd: reduction((m, x) => m.call('sqrt', variance(m, x))),
  prod: reduction((m, x) => x.reduce((product, term) => m.multiply(product, term), number(1))),
  min: reduction((_, x) => best(x, (a, b) => a < b)),
  max: reduction((_, x) => best(x, (a, b) => a > b)),
  dot_self: reduction((m, x) => m.dot(x, x)),
  norm1: reduction((m, x) => m.sum(x.map((term) => m.call('abs', term)))),
  norm2: reduction((m, x) => m.call('sqrt', m.dot(x, x))),
  trace: (m, x) => scalarOf(m.sum(x.terms.filter((_, i) => i % (x.rows + 1) === 0))),
  dot_product: (m, a, b) => {
    commonShape('dot_product', [a, b]);
    return scalarOf(m.dot(a.terms, b.terms));
  },
  log_sum_exp: (m, x, ...others) =>
    others.length === 0
      ? scalarOf(m.logSumExp(x.terms))
      : elementwise('log_sum_exp', (n, a, b) => n.logSumExp([a, b]))(m, x, ...others),
  log_softmax: ofEach(logSoftmax),
  softmax: ofEach((m, x) => vectorOf(logSoftmax(m, x).terms.map((term) => m.call('exp', term)))),
  cumulative_sum: cumulativeSum,
  squared_distance: squaredDistance,
  distance: (m, a, b) => scalarOf(m.call('sqrt', squaredDistance(m, a, b).terms[0])),
  diag_pre_multiply: scaledBy(0),
  diag_post_multiply: scaledBy(1),
  log_mix: logMix,
  ordered_logistic_lpmf: orderedLogistic,
  categorical_logit_lpmf: categoricalLogit,
  bernoulli_logit_glm_lpmf: regression('bernoulli_logit_lpmf'),
  poisson_log_glm_lpmf: regression('poisson_log_lpmf'),
  normal_id_glm_lpdf: regression('normal_lpdf'),
  neg_binomial_2_log_glm_lpmf: regression('neg_binomial_2_log_lpmf'),
};

/** The probability of several outcomes is the product of theirs. */
function tailsOf(name: string, tail: LogTail): Record<string, TermFunction> {
  const [below, above] = [false, true].map((upper) =>
    density(name, (m, ...operands) => tail(m, upper, operands[0], ...operands.slice(1))),
  );
  return {
    [`${name}_lcdf`]: below,
    [`${name}_lccdf`]: above,
    [`${name}_cdf`]: (m, ...operands) => scalarOf(m.call('exp', below(m, ...operands).terms[0])),
  };
}

function all(): Record<string, TermFunction> {
  const table: Record<string, TermFunction> = { ...others, ...multivariateDensities };
  for (const name of Object.keys(unaryDerivatives))
    table[name] = elementwise(name, (m, x) => m.call(name, x));
  for (const [name, f] of Object.entries({ ...scalars, ...specialScalars }))
    table[name] = elementwise(name, f);
  for (const [name, f] of Object.entries(termDensities)) table[name] = density(name, f);
  for (const [name, f] of Object.entries(termTails)) Object.assign(table, tailsOf(name, f));
  return table;
}

/** Functions for latent likelihoods, by their names in the language. */
export const termFunctions: Readonly<Record<string, TermFunction>> = all();
