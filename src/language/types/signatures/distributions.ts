/** Distributions, one row each, from which the names with suffixes follow. */
import { readTable, type SignatureLine } from './notation.ts';

interface DistributionRow {
  readonly name: string;
  readonly suffix: 'lpdf' | 'lpmf';
  readonly variate: string;
  readonly arguments: string;
  /** Has `_cdf`, `_lcdf`, `_lccdf`. */
  readonly cdf: boolean;
  /** Has an `_rng` with the same arguments that returns a number (or an array of them). */
  readonly rng: boolean;
}

/** `name variate | arguments : cdf rng`; a variate of `ints` makes it a mass function. */
const rows = `
normal reals | reals, reals : cdf rng
std_normal reals | : cdf rng
exp_mod_normal reals | reals, reals, reals : cdf rng
skew_normal reals | reals, reals, reals : cdf rng
student_t reals | reals, reals, reals : cdf rng
cauchy reals | reals, reals : cdf rng
double_exponential reals | reals, reals : cdf rng
skew_double_exponential reals | reals, reals, reals : cdf rng
logistic reals | reals, reals : cdf rng
gumbel reals | reals, reals : cdf rng
lognormal reals | reals, reals : cdf rng
chi_square reals | reals : cdf rng
inv_chi_square reals | reals : cdf rng
scaled_inv_chi_square reals | reals, reals : cdf rng
exponential reals | reals : cdf rng
gamma reals | reals, reals : cdf rng
inv_gamma reals | reals, reals : cdf rng
weibull reals | reals, reals : cdf rng
frechet reals | reals, reals : cdf rng
rayleigh reals | reals : cdf rng
loglogistic reals | reals, reals : rng
pareto reals | reals, reals : cdf rng
pareto_type_2 reals | reals, reals, reals : cdf rng
beta reals | reals, reals : cdf rng
beta_proportion reals | reals, reals : rng
von_mises reals | reals, reals : cdf rng
wiener reals | reals, reals, reals, reals :
wiener reals | reals, reals, reals, reals, reals :
wiener reals | reals, reals, reals, reals, reals, reals, reals :
wiener reals | reals, reals, reals, reals, reals, data real :
wiener reals | reals, reals, reals, reals, reals, reals, reals, data real :
uniform reals | reals, reals : cdf rng
bernoulli ints | reals : cdf rng
bernoulli_logit ints | reals : rng
binomial ints | ints, reals : cdf rng
binomial_logit ints | ints, reals :
beta_binomial ints | ints, reals, reals : cdf rng
beta_neg_binomial ints | reals, reals, reals : cdf rng
hypergeometric int | int, int, int : rng
discrete_range ints | ints, ints : cdf rng
neg_binomial ints | reals, reals : cdf rng
neg_binomial_2 ints | reals, reals : cdf rng
neg_binomial_2_log ints | reals, reals : rng
poisson ints | reals : cdf rng
poisson_log ints | reals : rng
yule_simon ints | reals : cdf rng
categorical categorical_logit ints | vector :
ordered_logistic int | real, vector :
ordered_logistic int[] | vector, vector|vector[] :
ordered_probit int | real, vector :
ordered_probit int[] | real|vector, vector|vector[] :
multinomial multinomial_logit int[] | vector :
dirichlet_multinomial int[] | vector :
multi_normal multi_normal_prec multi_normal_cholesky vectors | vectors, matrix :
multi_student_t multi_student_t_cholesky vectors | real, vectors, matrix :
multi_gp multi_gp_cholesky matrix | matrix, vector :
dirichlet vectors | vectors :
lkj_corr lkj_corr_cholesky matrix | real :
lkj_cov matrix | vector, vector, real :
gaussian_dlm_obs matrix | matrix, matrix, matrix|vector, matrix, vector, matrix :
wishart wishart_cholesky inv_wishart inv_wishart_cholesky matrix | real, matrix :
normal_id_glm real | matrix, real|vector, vector, real|vector :
normal_id_glm vector | row_vector|matrix, real|vector, vector, real|vector :
bernoulli_logit_glm poisson_log_glm int | matrix, real|vector, vector :
bernoulli_logit_glm poisson_log_glm int[] | row_vector|matrix, real|vector, vector :
neg_binomial_2_log_glm int | matrix, real|vector, vector, real :
neg_binomial_2_log_glm int[] | row_vector|matrix, real|vector, vector, real :
binomial_logit_glm ints | ints, matrix, real|vector, vector :
binomial_logit_glm int[] | int[], row_vector, real|vector, vector :
categorical_logit_glm ints | row_vector|matrix, vector, matrix :
ordered_logistic_glm ints | row_vector|matrix, vector, vector :
`;

/** Random number functions that differ from their density in arguments or result, and incomplete sets of cdfs. */
const others = `
categorical_rng categorical_logit_rng(vector) -> int
ordered_logistic_rng ordered_probit_rng(real, vector) -> int
multinomial_rng multinomial_logit_rng dirichlet_multinomial_rng(vector, int) -> int[]
multi_normal_rng multi_normal_cholesky_rng(vectors, matrix) -> vector*
multi_student_t_rng multi_student_t_cholesky_rng(real, vectors, matrix) -> vector*
dirichlet_rng(vector) -> vector
lkj_corr_rng lkj_corr_cholesky_rng(int, real) -> matrix
wishart_rng wishart_cholesky_rng inv_wishart_rng inv_wishart_cholesky_rng(real, matrix) -> matrix
bernoulli_logit_glm_rng(row_vector|matrix, vector, vector) -> int[]
beta_proportion_lcdf beta_proportion_lccdf(reals, reals, reals) -> real
loglogistic_cdf(reals, reals, reals) -> real
hmm_latent_rng(matrix, matrix, vector) -> int[]
`;

/** All signatures of all distributions. */
export function distributionLines(): SignatureLine[] {
  return [...readRows().flatMap(linesOf), ...readTable(others)];
}

function readRows(): DistributionRow[] {
  return rows
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [head, tail] = line.split(' | ');
      const names = head.trim().split(' ');
      const variate = names.pop() as string;
      const colon = tail.lastIndexOf(':');
      const flags = tail.slice(colon + 1);
      return names.map((name) => ({
        name,
        suffix: variate.startsWith('int') ? ('lpmf' as const) : ('lpdf' as const),
        variate,
        arguments: tail.slice(0, colon).trim(),
        cdf: flags.includes('cdf'),
        rng: flags.includes('rng'),
      }));
    });
}

function linesOf(row: DistributionRow): SignatureLine[] {
  const { name, suffix } = row;
  const withVariate = [row.variate, row.arguments].filter((part) => part !== '').join(', ');
  const names = [`${name}_${suffix}`, `${name}_${suffix.replace('l', 'lu')}`];
  if (row.cdf) names.push(`${name}_cdf`, `${name}_lcdf`, `${name}_lccdf`);
  const lines: SignatureLine[] = [{ names, arguments: withVariate, result: 'real' }];
  if (row.rng) {
    const result = suffix === 'lpmf' ? 'int*' : 'real*';
    lines.push({ names: [`${name}_rng`], arguments: row.arguments, result });
  }
  return lines;
}
