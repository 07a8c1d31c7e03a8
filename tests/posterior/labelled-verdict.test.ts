import { describe, expect, it } from 'vitest';
import { withLabels } from '../../src/posterior/labelled-verdict.ts';
import { noLabels } from '../../src/posterior/variable-labels.ts';
import type { LabelledVerdict } from '../../src/posterior/verdict-label.ts';

const labels = {
  coords: { J: ['School A', 'a $& b', ''], T: ['early'] },
  dims: { theta: ['J'], effect: ['J', 'T'], plain: [''] },
};
const of = (variable: string | undefined, message: string, headline?: string): LabelledVerdict => ({
  state: 'bad',
  ...(headline === undefined ? {} : { headline }),
  checks: [{ name: 'rhat', status: 'failed', message, variable }],
});
const said = (verdict: LabelledVerdict) => withLabels(verdict, labels).checks?.[0]?.message;

describe('a verdict', () => {
  it('names variables with the labels of their indices', () => {
    expect(said(of('theta[1]', 'R-hat of theta[1] is 1.04, above 1.01'))).toBe(
      'R-hat of theta[1] (School A) is 1.04, above 1.01',
    );
    expect(said(of('effect[2,1]', 'worst effect[2,1] 1.04'))).toBe(
      'worst effect[2,1] (a $& b, early) 1.04',
    );
    expect(said(of('effect[9,1]', 'worst effect[9,1] 1.04'))).toBe(
      'worst effect[9,1] (early) 1.04',
    );
  });

  it('is unchanged for variables without a label', () => {
    for (const variable of ['mu', 'theta[3]', 'theta[9]', 'plain[1]', undefined])
      expect(said(of(variable, `R-hat of ${variable} is high`))).toBe(
        `R-hat of ${variable} is high`,
      );
  });

  it('is returned as it is if nothing has a label or there are no checks', () => {
    const verdict = of('theta[1]', 'R-hat of theta[1] is high');
    expect(withLabels(verdict, noLabels)).toBe(verdict);
    const bare: LabelledVerdict = { state: 'good' };
    expect(withLabels(bare, labels)).toBe(bare);
  });

  it('keeps checks without a message unchanged', () => {
    const checks = [{ name: 'rhat', status: 'passed', variable: 'theta[1]' }] as const;
    expect(withLabels({ state: 'good', checks }, labels)).toEqual({ state: 'good', checks });
  });

  it('has labels in its headline if the headline repeats a check', () => {
    const verdict = of('theta[1]', 'theta[1] has 4 draws', 'theta[1] has 4 draws; 2 checks failed');
    expect(withLabels(verdict, labels).headline).toBe(
      'theta[1] (School A) has 4 draws; 2 checks failed',
    );
    expect(withLabels(of('theta[1]', 'x'), labels)).not.toHaveProperty('headline');
  });
});
