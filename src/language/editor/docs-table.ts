/** One-line meanings, keyed by name: distributions (with the names of their arguments), functions, keywords. */

import { distributionDocs } from './distribution-docs.ts';
import { functionDocs } from './function-docs.ts';

export interface DocEntry {
  /** As it is called, without result: `normal(mu, sigma)`. */
  readonly call: string;
  readonly meaning: string;
}

let byName: Map<string, DocEntry> | null = null;

/** Lines of `names(arguments): meaning`; several names share a line. */
function read(): Map<string, DocEntry> {
  if (byName) return byName;
  byName = new Map();
  for (const line of `${functionDocs}\n${distributionDocs}`.split('\n')) {
    const found = /^([\w ]+)(\(.*?\)): (.*)$/.exec(line.trim());
    if (!found) continue;
    for (const name of found[1].trim().split(' ')) {
      byName.set(name, { call: `${name}${found[2]}`, meaning: found[3] });
    }
  }
  return byName;
}

const suffixMeanings: Readonly<Record<string, string>> = {
  lpdf: 'Log density',
  lpmf: 'Log mass',
  lupdf: 'Log density without constant terms',
  lupmf: 'Log mass without constant terms',
  cdf: 'Cumulative probability',
  lcdf: 'Log of the cumulative probability',
  lccdf: 'Log of the probability above',
  rng: 'A random draw',
};

/** Meaning of a library function or distribution; names with a density suffix are described by their distribution. */
export function docOf(name: string): DocEntry | null {
  const docs = read();
  const own = docs.get(name);
  if (own) return own;
  const found = /^(.*)_(lpdf|lpmf|lupdf|lupmf|cdf|lcdf|lccdf|rng)$/.exec(name);
  const distribution = found && docs.get(found[1]);
  if (!found || !distribution) return null;
  const args = distribution.call.slice(found[1].length + 1, -1);
  const inside = found[2] === 'rng' ? args : args === '' ? 'y' : `y | ${args}`;
  const lower = distribution.meaning.charAt(0).toLowerCase() + distribution.meaning.slice(1);
  const meaning = `${suffixMeanings[found[2]]}: ${lower}`;
  return { call: `${name}(${inside})`, meaning };
}

/** Meaning of a keyword, type or constraint. */
export function wordDoc(word: string): string | null {
  return wordDocs[word] ?? null;
}

const wordDocs: Readonly<Record<string, string>> = {
  int: 'An integer of 32 bits.',
  real: 'A real number in double precision.',
  vector: 'A column of reals.',
  row_vector: 'A row of reals.',
  matrix: 'Reals in rows and columns.',
  complex: 'A complex number, such as `1 + 2i`.',
  complex_vector: 'A column of complex numbers.',
  complex_row_vector: 'A row of complex numbers.',
  complex_matrix: 'Complex numbers in rows and columns.',
  array: 'An array of any type: `array[N] real x`.',
  tuple: 'Values of several types: `tuple(real, vector[3]) x`, whose members are `x.1` and `x.2`.',
  void: 'The result of a function that returns nothing.',
  ordered: 'A vector whose elements increase.',
  positive_ordered: 'A vector of positive, increasing elements.',
  simplex: 'A vector of elements that are not negative and sum to one.',
  unit_vector: 'A vector of length one.',
  sum_to_zero_vector: 'A vector whose elements sum to zero.',
  sum_to_zero_matrix: 'A matrix whose rows and columns sum to zero.',
  cholesky_factor_cov:
    'A lower triangular matrix with positive diagonal: the Cholesky factor of a covariance matrix.',
  cholesky_factor_corr:
    'The Cholesky factor of a correlation matrix: lower triangular, rows of length one.',
  cov_matrix: 'A symmetric, positive definite matrix.',
  corr_matrix: 'A symmetric, positive definite matrix with ones on its diagonal.',
  column_stochastic_matrix: 'A matrix whose columns are simplexes.',
  row_stochastic_matrix: 'A matrix whose rows are simplexes.',
  lower: 'The least value: `<lower=0>`.',
  upper: 'The greatest value: `<upper=1>`.',
  offset: 'The variable is sampled as its distance from this, in units of `multiplier`.',
  multiplier: 'The scale in which the variable is sampled: `<offset=mu, multiplier=sigma>`.',
  functions: 'User-defined functions.',
  data: 'Known values. Before an argument: it must not depend on parameters.',
  'transformed data': 'Computed once from data.',
  parameters: 'The unknown values, which are sampled.',
  'transformed parameters': 'Computed from parameters at every evaluation, and saved.',
  model: 'The log density: distribution statements and `target +=`.',
  'generated quantities': 'Computed once for every draw, and saved.',
  target: 'The log density being built up. `target += e` adds to it.',
  profile: 'Names a section of the program for timing.',
  reject: 'Rejects the current proposal, with a message.',
  fatal_error: 'Ends the run, with a message.',
  print: 'Writes its arguments to the log.',
  for: '`for (i in 1:n)` or `for (x in xs)`.',
  while: 'Repeats while the condition is not zero.',
  T: 'Truncation: `T[lower, upper]`, either may be left out.',
};
