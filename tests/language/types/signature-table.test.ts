import { describe, expect, it } from 'vitest';
import { printType } from '../../../src/language/syntax/printer.ts';
import {
  deprecatedFunctions,
  isLibraryFunction,
  libraryDistributions,
  libraryNames,
  librarySignatures,
  resolveLibrary,
} from '../../../src/language/types/signatures/signature-table.ts';
import type { StanType } from '../../../src/language/types/stan-type.ts';

function type(text: string): StanType {
  const found = /^array\[(,*)\] (.*)$/.exec(text);
  if (!found) return { base: text as StanType['base'], arrayDepth: 0 };
  return { base: found[2] as StanType['base'], arrayDepth: found[1].length + 1 };
}

function resultOf(name: string, ...args: string[]): string | null {
  const found = resolveLibrary(name, args.map(type));
  return found && printType(found.signature.result);
}

describe('results', () => {
  // From the Stan functions reference.
  it.each([
    ['abs', ['int'], 'int'],
    ['abs', ['array[] int'], 'array[] int'],
    ['exp', ['int'], 'real'],
    ['exp', ['array[,] vector'], 'array[,] vector'],
    ['pow', ['vector', 'real'], 'vector'],
    ['pow', ['int', 'int'], 'real'],
    ['fmax', ['array[] int', 'real'], 'array[] real'],
    ['choose', ['int', 'array[] int'], 'array[] int'],
    ['bessel_first_kind', ['array[] int', 'vector'], 'vector'],
    ['log_sum_exp', ['array[] real'], 'real'],
    ['log_sum_exp', ['real', 'real'], 'real'],
    ['log_sum_exp', ['matrix'], 'real'],
    ['sum', ['array[] int'], 'int'],
    ['max', ['int', 'int'], 'int'],
    ['mean', ['array[] int'], 'real'],
    ['multiply', ['row_vector', 'vector'], 'real'],
    ['multiply', ['vector', 'row_vector'], 'matrix'],
    ['multiply', ['int', 'int'], 'int'],
    ['divide', ['int', 'int'], 'int'],
    ['divide', ['int', 'real'], 'real'],
    ['add', ['real', 'matrix'], 'matrix'],
    ['transpose', ['vector'], 'row_vector'],
    ['append_array', ['array[] int', 'array[] real'], 'array[] real'],
    ['append_row', ['row_vector', 'row_vector'], 'matrix'],
    ['append_col', ['vector', 'vector'], 'matrix'],
    ['rep_array', ['vector', 'int', 'int'], 'array[,] vector'],
    ['head', ['array[] matrix', 'int'], 'array[] matrix'],
    ['head', ['row_vector', 'int'], 'row_vector'],
    ['quad_form', ['matrix', 'vector'], 'real'],
    ['mdivide_right_tri_low', ['row_vector', 'matrix'], 'row_vector'],
    ['to_matrix', ['array[,] int'], 'matrix'],
    ['to_array_1d', ['array[,] int'], 'array[] int'],
    ['dims', ['real'], 'array[] int'],
    ['normal_lpdf', ['array[] int', 'row_vector', 'real'], 'real'],
    ['student_t_lccdf', ['real', 'vector', 'int', 'real'], 'real'],
    ['normal_rng', ['real', 'int'], 'real'],
    ['normal_rng', ['vector', 'real'], 'array[] real'],
    ['poisson_rng', ['array[] real'], 'array[] int'],
    ['multi_normal_rng', ['vector', 'matrix'], 'vector'],
    ['multi_normal_rng', ['array[] vector', 'matrix'], 'array[] vector'],
    ['ordered_logistic_lpmf', ['array[] int', 'vector', 'array[] vector'], 'real'],
    ['log_mix', ['vector', 'array[] vector'], 'real'],
    ['ode_rk45', ['void', 'vector', 'real', 'array[] real', 'matrix', 'int'], 'array[] vector'],
  ])('%s %j → %s', (name, args, expected) => {
    expect(resultOf(name, ...args)).toBe(expected);
  });

  it.each([
    ['exp', ['void']],
    ['add', ['vector', 'row_vector']],
    ['add', ['array[] real', 'array[] real']],
    ['pow', ['vector', 'row_vector']],
    ['poisson_lpmf', ['real', 'real']],
    ['normal_lpdf', ['matrix', 'real', 'real']],
    ['normal_lpdf', ['array[,] real', 'real', 'real']],
    ['append_array', ['array[] int', 'array[,] int']],
    ['mean', ['real']],
    ['std_normal_rng', ['real']],
    ['choose', ['real', 'int']],
    ['logical_negation', ['real']],
  ])('%s does not accept %j', (name, args) => {
    expect(resultOf(name, ...args)).toBeNull();
  });
});

describe('the table', () => {
  it('resolves every one of its own signatures without promotion', () => {
    let count = 0;
    for (const { name, arguments: args, result } of librarySignatures(1)) {
      count++;
      const found = resolveLibrary(name, args);
      if (found?.promotions !== 0 || printType(found.signature.result) !== printType(result)) {
        expect.unreachable(`${name}(${args.map(printType).join(', ')})`);
      }
    }
    expect(count).toBeGreaterThan(15_000);
  });

  it('has an unnormalised form of every density', () => {
    for (const { name, suffix } of libraryDistributions()) {
      expect(isLibraryFunction(`${name}_${suffix.replace('l', 'lu')}`), name).toBe(true);
    }
  });

  it('has lcdf and lccdf together', () => {
    const names = new Set(libraryNames());
    for (const name of names) {
      if (name.endsWith('_lcdf'))
        expect(names.has(name.replace('_lcdf', '_lccdf')), name).toBe(true);
    }
  });

  it('has every old name and its replacement', () => {
    for (const [old, modern] of Object.entries(deprecatedFunctions)) {
      expect(isLibraryFunction(old), old).toBe(true);
      expect(isLibraryFunction(modern), modern).toBe(true);
    }
  });

  it('covers the distributions and functions the programs of posteriordb use', () => {
    const needed =
      `normal cauchy bernoulli beta bernoulli_logit_glm bernoulli_logit lognormal student_t binomial
      binomial_logit gamma poisson_log inv_gamma dirichlet uniform exponential lkj_corr_cholesky neg_binomial_2
      multi_normal multi_normal_cholesky categorical categorical_logit normal_id_glm logistic weibull std_normal
      double_exponential poisson`.split(/\s+/);
    const distributions = new Set(libraryDistributions().map(({ name }) => name));
    expect(needed.filter((name) => !distributions.has(name))).toEqual([]);
    const functions =
      `log log_sum_exp sum rep_vector mean exp max sqrt inv_logit to_vector sd square softmax
      cumulative_sum append_row cols min rows rep_matrix logit prod cholesky_decompose dot_product gp_exp_quad_cov
      integrate_ode_rk45 integrate_ode_bdf log_mix dot_self sub_col tail diag_pre_multiply diag_matrix rep_array
      multiply_lower_tri_self_transpose append_col tanh pow segment quad_form_diag eigenvalues_sym eigenvectors_sym
      log10 log1m_inv_logit log_inv_logit col to_matrix student_t_lccdf`.split(/\s+/);
    expect(functions.filter((name) => !isLibraryFunction(name))).toEqual([]);
  });
});
