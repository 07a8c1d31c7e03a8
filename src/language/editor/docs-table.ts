/** Names of arguments, meanings and supports by name: of functions, distributions and keywords. */

import { distributionDocs } from './distribution-docs.ts';
import { functionDocs } from './function-docs.ts';

export interface DocEntry {
  /** As it is called, without types: `normal_lpdf(y | mu, sigma)`. */
  readonly call: string;
  readonly meaning: string;
  /** For a distribution: what it is defined for, `y real; sigma > 0`. */
  readonly support: string | null;
  /** The names of the arguments; several lists when their number varies. `…` stands for any more. */
  readonly parameters: readonly (readonly string[])[];
}

interface Docs {
  readonly functions: ReadonlyMap<string, DocEntry>;
  readonly distributions: ReadonlyMap<string, DocEntry>;
}

let known: Docs | null = null;

function docs(): Docs {
  known ??= { functions: read(functionDocs), distributions: read(distributionDocs) };
  return known;
}

/** Lines of `names(arguments; other arguments) {support}: meaning`; several names share a line. `…_constrain` is `…_jacobian` too. */
function read(text: string): ReadonlyMap<string, DocEntry> {
  const byName = new Map<string, DocEntry>();
  for (const line of text.split('\n')) {
    const found = /^([\w ]+)\((.*?)\)(?: \{(.*?)\})?: (.*)$/.exec(line.trim());
    if (!found) continue;
    const [, names = '', lists = '', support = null, meaning = ''] = found;
    const parameters = lists.split(';').map((list) => namesOf(list.trim()));
    const add = (name: string, own: string) =>
      byName.set(name, { call: callOf(name, parameters[0]), meaning: own, support, parameters });
    for (const name of names.trim().split(' ')) {
      add(name, meaning);
      if (!name.endsWith('_constrain')) continue;
      const more = 'also adds its log Jacobian determinant to the target.';
      add(name.replace(/constrain$/, 'jacobian'), `${name}; ${more}`);
    }
  }
  return byName;
}

function namesOf(list: string): readonly string[] {
  return list === '' ? [] : list.split(', ');
}

function callOf(name: string, parameters: readonly string[]): string {
  const [first, ...others] = parameters;
  const hasBar = others.length > 0 && hasBarForm(name);
  return `${name}(${hasBar ? `${first} | ${others.join(', ')}` : parameters.join(', ')})`;
}

/** Whether calls have a bar after the first argument, if there are more. */
export function hasBarForm(name: string): boolean {
  return /_(?:lu?pdf|lu?pmf|cdf|lcdf|lccdf)$/.test(name);
}

const suffixMeanings: Readonly<Record<string, string>> = {
  lpdf: 'Log density',
  lpmf: 'Log mass',
  lupdf: 'Log density without constant terms',
  lupmf: 'Log mass without constant terms',
  cdf: 'Cumulative probability',
  lcdf: 'Log of the cumulative probability',
  lccdf: 'Log of the upper tail probability',
  rng: 'A random draw',
};

/** For a library function; names with a density suffix are described by their distribution. */
export function docOf(name: string): DocEntry | null {
  const own = docs().functions.get(name);
  if (own) return own;
  const found = /^(.*)_(lpdf|lpmf|lupdf|lupmf|cdf|lcdf|lccdf|rng)$/.exec(name);
  const distribution = found && distributionDocOf(found[1]);
  if (!found || !distribution) return null;
  const parameters =
    found[2] === 'rng'
      ? distribution.parameters
      : distribution.parameters.map((names) => ['y', ...names]);
  const lower = distribution.meaning.charAt(0).toLowerCase() + distribution.meaning.slice(1);
  const meaning = `${suffixMeanings[found[2]]}: ${lower}`;
  return { ...distribution, call: callOf(name, parameters[0]), meaning, parameters };
}

/** For what may follow `~`, without its first argument. */
export function distributionDocOf(name: string): DocEntry | null {
  const { distributions, functions } = docs();
  return distributions.get(name) ?? (functions.has(name) ? densityDoc(name) : null);
}

/** The built-in likelihoods of Laplace approximations are described as functions. */
function densityDoc(name: string): DocEntry | null {
  return name.startsWith('laplace_') ? (docs().functions.get(name) ?? null) : null;
}

/** What it is, and what it is defined for. */
export function describeMeaning({ meaning, support }: DocEntry): string {
  return support === null ? meaning : `${meaning} Support: ${support}.`;
}

/** Meaning of a keyword, type or constraint. */
export function wordDoc(word: string): string | null {
  return wordDocs[word] ?? null;
}

const wordDocs: Readonly<Record<string, string>> = {
  int: 'A 32-bit integer.',
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
  multiplier: 'The scale on which the variable is sampled: `<offset=mu, multiplier=sigma>`.',
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
  T: 'Truncation: `T[lower, upper]`; either may be left out.',
};
