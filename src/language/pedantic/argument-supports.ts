/** What the variate and the arguments of each distribution must be, as far as declared bounds can show. */
import type { ConstraintKind } from '../syntax/ast.ts';

export interface Range {
  readonly lower: number | null;
  readonly upper: number | null;
  /** Whether the bounds themselves are included. */
  readonly closed: boolean;
}

export interface Support {
  /** As named in messages. */
  readonly wanted: string;
  readonly range?: Range;
  /** Any of these constrained types. */
  readonly kinds?: readonly ConstraintKind[];
}

/** Letters of the table below. */
const supports: Readonly<Record<string, Support>> = {
  p: { wanted: 'a positive value', range: { lower: 0, upper: null, closed: false } },
  n: { wanted: 'a non-negative value', range: { lower: 0, upper: null, closed: true } },
  u: { wanted: 'a value from 0 to 1', range: { lower: 0, upper: 1, closed: true } },
  e: { wanted: 'a value between 0 and 1', range: { lower: 0, upper: 1, closed: false } },
  s: { wanted: 'a simplex', kinds: ['simplex'] },
  o: { wanted: 'an ordered vector', kinds: ['ordered'] },
  v: { wanted: 'a covariance matrix', kinds: ['cov_matrix', 'corr_matrix'] },
  V: {
    wanted: 'a Cholesky factor of a covariance matrix',
    kinds: ['cholesky_factor_cov', 'cholesky_factor_corr'],
  },
  r: { wanted: 'a correlation matrix', kinds: ['corr_matrix'] },
  R: { wanted: 'a Cholesky factor of a correlation matrix', kinds: ['cholesky_factor_corr'] },
};

/** `name variate arguments`, one letter each; `-`: anything. From Stan's functions reference. */
const rows = `
bernoulli -u
binomial --u
beta_binomial --pp
categorical -s
ordered_logistic --o
ordered_probit --o
neg_binomial -pp
neg_binomial_2 -pp
neg_binomial_2_log --p
neg_binomial_2_log_glm ----p
poisson -p
multinomial -s
normal --p
normal_id_glm ----p
exp_mod_normal --pp
skew_normal --p
student_t -p-p
cauchy --p
double_exponential --p
logistic --p
gumbel --p
lognormal p-p
chi_square pp
inv_chi_square pp
scaled_inv_chi_square ppp
exponential pp
gamma ppp
inv_gamma ppp
weibull npp
frechet ppp
rayleigh np
wiener pppu
pareto ppp
pareto_type_2 --pp
beta epp
beta_proportion eep
von_mises --p
multi_normal --v
multi_normal_prec --v
multi_normal_cholesky --V
multi_gp -v
multi_gp_cholesky -V
multi_student_t -p-v
multi_student_t_cholesky -p-V
gaussian_dlm_obs ---vv
dirichlet sp
lkj_corr rp
lkj_corr_cholesky Rp
wishart vpv
wishart_cholesky VpV
inv_wishart vpv
inv_wishart_cholesky VpV
`;

const supportsByName: ReadonlyMap<string, string> = new Map(
  rows
    .trim()
    .split('\n')
    .map((row) => row.split(' ') as [string, string]),
);

/** For the variate (place 0) or an argument of a library distribution; null: any value. */
export function supportAt(distribution: string, place: number): Support | null {
  const letter = supportsByName.get(distribution)?.[place] ?? '-';
  return letter === '-' ? null : supports[letter];
}
