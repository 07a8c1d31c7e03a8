import { describe, expect, it } from 'vitest';
import { intervalsOf } from '../../../src/dashboard/features/experiment/summary/intervals.ts';
import {
  columnsWith,
  shownColumns,
} from '../../../src/dashboard/features/experiment/summary/summary-columns.ts';
import {
  tableAsCsv,
  tableAsLatex,
} from '../../../src/dashboard/features/experiment/summary/summary-export.ts';
import { createRow } from '../../support/summary-rows.ts';

const row = {
  ...createRow({ variable: 'a_b & c', mean: 1.23456, mcse_mean: 0.012, rhat: 1.001 }),
  low: -0.5,
  high: null,
};

const named = {
  ...row,
  variable: 'theta[1,2]',
  mean: 4.18,
  mcse_mean: 0.0034,
  sd: 3.4,
  rhat: 1.02192,
  ess_bulk: 558.02,
  ess_tail: 322.1,
};

describe('the summary as a file', () => {
  const columns = columnsWith('hdi95').filter(({ key }) =>
    ['mean', 'low', 'high', 'rhat'].includes(key),
  );
  const some = columnsWith('95').filter(({ key }) =>
    ['mean', 'mcse_mean', 'sd', 'rhat', 'ess_bulk', 'ess_tail'].includes(key),
  );

  it('is CSV with all digits and empty cells for what is undefined', () => {
    expect(tableAsCsv([row, { ...row, variable: '=cmd' }], columns)).toBe(
      "variable,mean,hdi_95_low,hdi_95_high,rhat\na_b & c,1.23456,-0.5,,1.001\n'=cmd,1.23456,-0.5,,1.001\n".replaceAll(
        'hdi_95',
        'hdi95',
      ),
    );
  });

  it('is a LaTeX tabular that needs no package, with names escaped', () => {
    const latex = tableAsLatex([row], columns);
    expect(latex).toContain('\\texttt{a\\_b \\& c} & $1.23$ & $-0.50$ & -- & $1.001$ \\\\');
    expect(latex).toContain('\\begin{tabular}{lrrrr}');
    expect(latex).not.toMatch(/toprule|siunitx/);
  });

  it('has all digits of every statistic, and a header even without rows', () => {
    expect(tableAsCsv([named, { ...named, ess_tail: null }], some)).toBe(
      [
        'variable,mean,mcse_mean,sd,rhat,ess_bulk,ess_tail',
        '"theta[1,2]",4.18,0.0034,3.4,1.02192,558.02,322.1',
        '"theta[1,2]",4.18,0.0034,3.4,1.02192,558.02,',
        '',
      ].join('\n'),
    );
    expect(tableAsCsv([], some)).toBe('variable,mean,mcse_mean,sd,rhat,ess_bulk,ess_tail\n');
  });

  it('has decimals by the MCSE in LaTeX, 3 for R-hat and 0 for ESS', () => {
    const constant = { ...named, mean: 8, mcse_mean: null, sd: 0, rhat: null };
    const undefinedEss = { ess_bulk: null, ess_tail: null };
    const endless = { ...constant, mean: Infinity, sd: -Infinity, ...undefinedEss };
    const lines = tableAsLatex([named, { ...constant, ...undefinedEss }, endless], some).split(
      '\n',
    );
    expect(lines.slice(4, 7).map((line) => line.slice(line.indexOf('&')))).toEqual([
      '& $4.180$ & $0.003$ & $3.400$ & $1.022$ & $558$ & $322$ \\\\',
      '& $8$ & -- & $0$ & -- & -- & -- \\\\',
      '& $\\infty$ & -- & $-\\infty$ & -- & -- & -- \\\\',
    ]);
  });

  it('shows hostile names in LaTeX as text', () => {
    const textOf = (variable: string) =>
      /\\texttt\{(.*)\} &/.exec(tableAsLatex([{ ...row, variable }], columns))?.[1];
    expect(textOf('\\input{/etc/passwd}_$&%#~^')).toBe(
      '\\textbackslash{}input\\{/etc/passwd\\}\\_\\$\\&\\%\\#\\textasciitilde{}\\textasciicircum{}',
    );
    expect(textOf('a\nb\u0007')).toBe('a b ');
  });
});

describe('intervals from draws', () => {
  const draws = () => [Float64Array.from({ length: 1001 }, (_, i) => i / 1000)];

  it('are quantiles of type 7', () => {
    const [[low, high]] = intervalsOf({ choice: '95', draws: draws() });
    expect(low).toBeCloseTo(0.025, 12);
    expect(high).toBeCloseTo(0.975, 12);
  });

  it('are the narrowest with that probability', () => {
    const skewed = Float64Array.from({ length: 1000 }, (_, i) => -Math.log(1 - i / 1000));
    const [[low, high]] = intervalsOf({ choice: 'hdi90', draws: [skewed] });
    expect(low).toBeCloseTo(0, 9);
    expect(high).toBeCloseTo(-Math.log(0.1), 2);
  });

  it('are unknown where a draw is not finite', () => {
    const broken = Float64Array.of(1, Number.NaN, 2);
    expect(intervalsOf({ choice: '95', draws: [broken, new Float64Array(0)] })).toEqual([
      [null, null],
      [null, null],
    ]);
  });
});

it('unknown columns are ignored', () => {
  expect(shownColumns(['nonsense', 'rhat', 'mean'])).toEqual(['mean', 'rhat']);
  expect(shownColumns(['nonsense'])).toContain('interval');
});

it('every source of a column has a DOI address', () => {
  const sources = columnsWith('hdi90').flatMap(({ source }) => source ?? []);
  expect(sources.length).toBeGreaterThan(4);
  for (const { href } of sources) expect(href).toMatch(/^https:\/\/doi\.org\//);
});
