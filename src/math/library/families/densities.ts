/** Log densities and log masses, operand-wise: `name_lpdf` or `name_lpmf` (tape, propto, kinds, …operands). */
import * as bernoulli from '../../distributions/bernoulli.ts';
import * as beta from '../../distributions/beta.ts';
import * as categorical from '../../distributions/categorical.ts';
import * as cauchy from '../../distributions/cauchy.ts';
import * as chiSquare from '../../distributions/chi-square.ts';
import * as exponential from '../../distributions/exponential.ts';
import * as finite from '../../distributions/finite-discrete.ts';
import * as gamma from '../../distributions/gamma.ts';
import * as glm from '../../distributions/glm.ts';
import * as lkj from '../../distributions/lkj.ts';
import * as logistic from '../../distributions/logistic.ts';
import * as multiNormal from '../../distributions/multi-normal.ts';
import * as negBinomial from '../../distributions/negative-binomial.ts';
import * as normal from '../../distributions/normal.ts';
import * as ordered from '../../distributions/ordered.ts';
import * as poisson from '../../distributions/poisson.ts';
import * as skewed from '../../distributions/skewed.ts';
import * as vonMises from '../../distributions/von-mises.ts';
import * as weibull from '../../distributions/weibull.ts';
import { wienerLpdf } from '../../distributions/wiener.ts';
import { wienerLccdf, wienerLcdf } from '../../distributions/wiener-tails.ts';
import * as wishart from '../../distributions/wishart.ts';
import type { LibraryPart } from '../machinery/implementation.ts';

export const densitiesPart: LibraryPart = {
  // continuous, on the line
  normal_lpdf: normal.normalLpdf,
  std_normal_lpdf: normal.stdNormalLpdf,
  cauchy_lpdf: cauchy.cauchyLpdf,
  student_t_lpdf: cauchy.studentTLpdf,
  double_exponential_lpdf: exponential.doubleExponentialLpdf,
  logistic_lpdf: logistic.logisticLpdf,
  gumbel_lpdf: logistic.gumbelLpdf,
  skew_normal_lpdf: skewed.skewNormalLpdf,
  exp_mod_normal_lpdf: skewed.expModNormalLpdf,
  skew_double_exponential_lpdf: skewed.skewDoubleExponentialLpdf,
  // continuous, positive
  lognormal_lpdf: normal.lognormalLpdf,
  exponential_lpdf: exponential.exponentialLpdf,
  gamma_lpdf: gamma.gammaLpdf,
  inv_gamma_lpdf: gamma.invGammaLpdf,
  chi_square_lpdf: chiSquare.chiSquareLpdf,
  inv_chi_square_lpdf: chiSquare.invChiSquareLpdf,
  scaled_inv_chi_square_lpdf: chiSquare.scaledInvChiSquareLpdf,
  wiener_lpdf: wienerLpdf,
  wiener_lcdf_unnorm: wienerLcdf,
  wiener_lccdf_unnorm: wienerLccdf,
  weibull_lpdf: weibull.weibullLpdf,
  frechet_lpdf: weibull.frechetLpdf,
  rayleigh_lpdf: weibull.rayleighLpdf,
  loglogistic_lpdf: logistic.loglogisticLpdf,
  pareto_lpdf: weibull.paretoLpdf,
  pareto_type_2_lpdf: weibull.paretoType2Lpdf,
  // continuous, bounded or circular
  beta_lpdf: beta.betaLpdf,
  beta_proportion_lpdf: beta.betaProportionLpdf,
  uniform_lpdf: beta.uniformLpdf,
  von_mises_lpdf: vonMises.vonMisesLpdf,
  // discrete
  bernoulli_lpmf: bernoulli.bernoulliLpmf,
  bernoulli_logit_lpmf: bernoulli.bernoulliLogitLpmf,
  binomial_lpmf: bernoulli.binomialLpmf,
  binomial_logit_lpmf: bernoulli.binomialLogitLpmf,
  beta_binomial_lpmf: negBinomial.betaBinomialLpmf,
  hypergeometric_lpmf: finite.hypergeometricLpmf,
  discrete_range_lpmf: finite.discreteRangeLpmf,
  poisson_lpmf: poisson.poissonLpmf,
  poisson_log_lpmf: poisson.poissonLogLpmf,
  neg_binomial_lpmf: negBinomial.negBinomialLpmf,
  neg_binomial_2_lpmf: negBinomial.negBinomial2Lpmf,
  neg_binomial_2_log_lpmf: negBinomial.negBinomial2LogLpmf,
  beta_neg_binomial_lpmf: negBinomial.betaNegBinomialLpmf,
  yule_simon_lpmf: negBinomial.yuleSimonLpmf,
  // categories
  categorical_lpmf: categorical.categoricalLpmf,
  categorical_logit_lpmf: categorical.categoricalLogitLpmf,
  multinomial_lpmf: categorical.multinomialLpmf,
  multinomial_logit_lpmf: categorical.multinomialLogitLpmf,
  dirichlet_multinomial_lpmf: categorical.dirichletMultinomialLpmf,
  dirichlet_lpdf: categorical.dirichletLpdf,
  ordered_logistic_lpmf: ordered.orderedLogisticLpmf,
  ordered_probit_lpmf: ordered.orderedProbitLpmf,
  // vectors and matrices
  multi_normal_lpdf: multiNormal.multiNormalLpdf,
  multi_normal_prec_lpdf: multiNormal.multiNormalPrecLpdf,
  multi_normal_cholesky_lpdf: multiNormal.multiNormalCholeskyLpdf,
  multi_student_t_lpdf: multiNormal.multiStudentTLpdf,
  multi_student_t_cholesky_lpdf: multiNormal.multiStudentTCholeskyLpdf,
  multi_gp_lpdf: multiNormal.multiGpLpdf,
  multi_gp_cholesky_lpdf: multiNormal.multiGpCholeskyLpdf,
  lkj_corr_lpdf: lkj.lkjCorrLpdf,
  lkj_cov_lpdf: lkj.lkjCovLpdf,
  lkj_corr_cholesky_lpdf: lkj.lkjCorrCholeskyLpdf,
  wishart_lpdf: wishart.wishartLpdf,
  wishart_cholesky_lpdf: wishart.wishartCholeskyLpdf,
  inv_wishart_lpdf: wishart.invWishartLpdf,
  inv_wishart_cholesky_lpdf: wishart.invWishartCholeskyLpdf,
  // regressions
  normal_id_glm_lpdf: glm.normalIdGlmLpdf,
  bernoulli_logit_glm_lpmf: glm.bernoulliLogitGlmLpmf,
  binomial_logit_glm_lpmf: glm.binomialLogitGlmLpmf,
  poisson_log_glm_lpmf: glm.poissonLogGlmLpmf,
  neg_binomial_2_log_glm_lpmf: glm.negBinomial2LogGlmLpmf,
  categorical_logit_glm_lpmf: ordered.categoricalLogitGlmLpmf,
  ordered_logistic_glm_lpmf: ordered.orderedLogisticGlmLpmf,
};
