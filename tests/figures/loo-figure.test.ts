import { describe, expect, it } from 'vitest';
import { paretoKFigure } from '../../src/figures/loo-figure.ts';
import { plotPalettes } from '../../src/figures/palette.ts';
import { looOf } from '../../src/posterior/loo.ts';
import { seededRng } from '../support/seeded-rng.ts';

const rng = seededRng(7);
const draws = (scale: number) =>
  Array.from({ length: 2 }, () => Float64Array.from({ length: 300 }, () => scale * rng.normal()));
const logLik = [draws(0.1), draws(3), draws(0.1)];
const palette = plotPalettes.light;
const names = ['log_lik[1]', 'log_lik[2]', 'log_lik[3]'];
const columns = [
  { name: 'school', values: ['<A>', 'B', 'C'] },
  { name: 'y', values: [28, 8, -3] },
];

describe('Pareto k by observation', () => {
  it('shows the row of data under the pointer, as text, and in the table', () => {
    const figure = paretoKFigure(looOf(logLik), { palette, names, columns });
    const [good, high] = figure.data;
    expect(high.text).toEqual(['log_lik[2]']);
    expect(high.customdata).toEqual(['school B · y 8']);
    expect(good.customdata).toEqual(['school &lt;A> · y 28', 'school C · y −3']);
    expect(String(good.hovertemplate)).toContain('%{customdata}');
    expect(figure.table.columns.map(({ name, isNumber }) => [name, isNumber])).toEqual([
      ['observation', false],
      ['pareto_k', true],
      ['elpd_loo', true],
      ['school', false],
      ['y', true],
    ]);
    expect(figure.table.rows.map((row) => row.slice(3))).toEqual([
      ['<A>', 28],
      ['B', 8],
      ['C', -3],
    ]);
  });

  it('has no columns of data without data', () => {
    const figure = paretoKFigure(looOf(logLik), { palette, names });
    expect(figure.data[0]).not.toHaveProperty('customdata');
    expect(figure.table.columns).toHaveLength(3);
  });

  it('has k before moment matching beside k after it', () => {
    const matched = new Map([[1, { elpd_loo: -4, pareto_k: 0.3 }]]);
    const loo = looOf(logLik, { matched });
    const { table, data } = paretoKFigure(loo, { palette, names });
    expect(table.columns.map(({ name }) => name)).toContain('pareto_k_before');
    expect(table.rows[1].slice(0, 2)).toEqual(['log_lik[2]', 0.3]);
    expect(table.rows[1][2]).toBeGreaterThan(0.7);
    expect(data).toHaveLength(1);
  });
});
