/** The summary table as CSV and LaTeX. */
import { expect, it } from 'vitest';
import {
  latexText,
  type SummaryTableRow,
  summaryCsv,
  summaryLatex,
} from '../../src/formats/summary-csv.ts';

const row: SummaryTableRow = {
  variable: 'theta[1,2]',
  mean: 4.18,
  mcse_mean: 0.0034,
  sd: 3.4,
  median: 4.16,
  mad: 3.57,
  q5: -0.85,
  q25: 1.79,
  q75: 6.59,
  q95: 9.39,
  rhat: 1.02192,
  ess_bulk: 558.02,
  ess_tail: 322.1,
};
const constant: SummaryTableRow = {
  ...row,
  variable: '=N',
  mean: 8,
  mcse_mean: NaN,
  sd: 0,
  median: 8,
  rhat: null,
  ess_bulk: null,
  ess_tail: NaN,
};

it('CSV has all digits, empty cells for undefined values, and no formulas', () => {
  expect(summaryCsv([row, constant])).toBe(
    [
      'variable,mean,mcse_mean,sd,median,mad,q5,q25,q75,q95,rhat,ess_bulk,ess_tail',
      '"theta[1,2]",4.18,0.0034,3.4,4.16,3.57,-0.85,1.79,6.59,9.39,1.02192,558.02,322.1',
      "'=N,8,,0,8,3.57,-0.85,1.79,6.59,9.39,,,",
      '',
    ].join('\n'),
  );
});

it('CSV has infinities by name, empty cells for NaN, and a header even without rows', () => {
  expect(summaryCsv([{ ...row, variable: 'x', mean: Infinity, sd: NaN }])).toContain(
    '\nx,Infinity,0.0034,,4.16,',
  );
  expect(summaryCsv([])).toMatch(/^variable,mean,[a-z0-9_,]+\n$/);
});

it('LaTeX has decimals by the MCSE, 3 for R-hat and 0 for ESS', () => {
  const endless = { ...constant, mean: null, median: Infinity, mad: -Infinity, rhat: 1.01234 };
  expect(summaryLatex([row, constant, endless])).toBe(
    [
      '\\begin{tabular}{lrrrrrrrrrrrr}',
      '  \\toprule',
      '  variable & mean & MCSE & sd & median & MAD & q5 & q25 & q75 & q95 & $\\widehat{R}$ (rank) & ESS bulk & ESS tail \\\\',
      '  \\midrule',
      '  \\texttt{theta[1,2]} & $4.180$ & $0.003$ & $3.400$ & $4.160$ & $3.570$ & $-0.850$ & $1.790$ & $6.590$ & $9.390$ & $1.022$ & $558$ & $322$ \\\\',
      '  \\texttt{=N} & $8$ & -- & $0$ & $8$ & $4$ & $-1$ & $2$ & $7$ & $9$ & -- & -- & -- \\\\',
      '  \\texttt{=N} & -- & -- & $0$ & $\\infty$ & $-\\infty$ & $-1$ & $2$ & $7$ & $9$ & $1.012$ & -- & -- \\\\',
      '  \\bottomrule',
      '\\end{tabular}',
      '',
    ].join('\n'),
  );
});

it('LaTeX shows hostile names as text', () => {
  expect(latexText('\\input{/etc/passwd}_$&%#~^')).toBe(
    '\\textbackslash{}input\\{/etc/passwd\\}\\_\\$\\&\\%\\#\\textasciitilde{}\\textasciicircum{}',
  );
  expect(latexText('a\nb\u0007')).toBe('a b ');
});
