/** The choice of a predictive check in the address, the prior-only flag in data, and the outcome from a summary. */
import { describe, expect, it } from 'vitest';
import {
  readChoice,
  writeChoice,
} from '../../../src/dashboard/features/experiment/plots/predictive-choice.ts';
import {
  checkOf,
  outcomeOf,
} from '../../../src/dashboard/features/experiment/plots/predictive-tools.tsx';
import {
  withFlagAdded,
  withFlagSet,
} from '../../../src/dashboard/features/experiment/plots/prior-predictive.tsx';
import { declaredFlag } from '../../../src/language/data-flag.ts';
import { createRow } from '../../support/summary-rows.ts';

describe('the choice of a predictive check', () => {
  it('is short if little is chosen, and read back unchanged', () => {
    const none = readChoice('');
    expect(writeChoice(none)).toBe('');
    const some = { ...none, check: 'ecdf', group: 'site' };
    expect(writeChoice(some)).toBe('ecdf,,,site');
    expect(readChoice(writeChoice(some))).toEqual(some);
  });

  it('falls back to the first check of the outcome', () => {
    const choice = readChoice('rootogram');
    expect(checkOf('count', choice)).toBe('rootogram');
    expect(checkOf('continuous', choice)).toBe('density');
    expect(checkOf('binary', readChoice('bars'))).toBe('bars');
  });
});

describe('the flag in the data', () => {
  it('is set in JSON and in R dumps, with all else unchanged', () => {
    expect(withFlagSet('{"N": 2, "prior_only": 0, "y": [0, 1e400]}', 'prior_only')).toBe(
      '{"N": 2, "prior_only": 1, "y": [0, 1e400]}',
    );
    expect(withFlagSet('N <- 2\nprior_only <- 0L\ny <- c(0, 1)', 'prior_only')).toBe(
      'N <- 2\nprior_only <- 1\ny <- c(0, 1)',
    );
  });

  it('is added where the program has it and the data have not', () => {
    expect(withFlagAdded('{"N": 2, "y": [0, 1e400]}', 'prior_only')).toBe(
      '{"prior_only": 1, "N": 2, "y": [0, 1e400]}',
    );
    expect(withFlagAdded('{ }', 'prior_only')).toBe('{"prior_only": 1 }');
    expect(withFlagAdded('N <- 2\ny <- c(0, 1)\n', 'prior_only')).toBe(
      'N <- 2\ny <- c(0, 1)\nprior_only <- 1\n',
    );
    expect(withFlagAdded('a,b\n1,2', 'prior_only')).toBeNull();
  });

  it('is found only in the data block, and not in comments', () => {
    const names = ['prior_only', 'sample_prior'];
    const data = (text: string) => declaredFlag(`${text}\nparameters { real x; }`, names);
    expect(data('data { int N; int<lower=0, upper=1> prior_only; }')).toBe('prior_only');
    expect(data('data {\n  int sample_prior; // prior_only\n}')).toBe('sample_prior');
    expect(data('data { int N; /* int prior_only; */ }')).toBeNull();
    expect(data('transformed data { int prior_only = 1; }')).toBeNull();
    expect(data('data { real prior_only; }')).toBeNull();
    expect(data('data { int no_prior_only; }')).toBeNull();
  });

  it('is left alone where it is something else', () => {
    expect(withFlagSet('{"prior_only": 0.5}', 'prior_only')).toBeNull();
    expect(withFlagSet('{"no_prior_only": 0}', 'prior_only')).toBeNull();
  });
});

describe('the kind of outcome by a summary', () => {
  const kind = (values: readonly number[], medians: readonly number[], outcome = '') => {
    const variables = values.map((_, i) => `y_rep[${i + 1}]`);
    const rows = medians.map((median, i) => createRow({ variable: variables[i], median }));
    const observed = { name: 'y', dims: [values.length], values: Float64Array.from(values) };
    const pair = { observed, replicated: { name: 'y_rep', variables }, logLik: null };
    return outcomeOf(pair, rows, { ...readChoice(''), outcome });
  };

  it('is guessed from the data and the medians of their replications', () => {
    expect(kind([0, 1, 1], [0, 1, 0.5])).toBe('binary');
    expect(kind([0, 1, 4], [1, 2, 2.5])).toBe('count');
    expect(kind([0, 1, 4], [1.2, 2.7, 2.1])).toBe('continuous');
    expect(kind([0.5, 1, 4], [1, 2, 2])).toBe('continuous');
  });

  it('is the chosen kind, if valid', () => {
    expect(kind([0, 1, 4], [1, 2, 2], 'continuous')).toBe('continuous');
    expect(kind([0, 1, 4], [1, 2, 2], 'nonsense')).toBe('count');
  });
});
