import { describe, expect, it } from 'vitest';
import { library } from '../../../src/math/library/library.ts';
import fixture from '../../fixtures/math/densities.json';
import { vectorised } from './density-cases.ts';

describe.each(Object.entries(fixture))('%s', (name, rows) => {
  const domains = vectorised[name];
  const kinds = domains.map((d) => (d.isInt ? 'i' : 'r')).join('');
  const suffix = domains[0].isInt ? 'lpmf' : 'lpdf';

  it('matches the log density of SciPy', () => {
    for (const row of rows as (number | null)[][]) {
      const parameters = row.slice(0, -4);
      const [y, expected] = row.slice(-4) as number[];
      const got = library[`${name}_${suffix}`](null, false, kinds, y, ...parameters) as number;
      expect(Math.abs(got - expected), `${name}(${y} | ${parameters.join(', ')})`).toBeLessThan(
        1e-11 * (1 + Math.abs(expected)),
      );
    }
  });

  it('matches the log tail probabilities of SciPy', () => {
    if (library[`${name}_lcdf`] === undefined) return;
    for (const row of rows as (number | null)[][]) {
      const parameters = row.slice(0, -4);
      const [y, , lower, upper] = row.slice(-4) as number[];
      for (const [key, expected] of [
        ['lcdf', lower],
        ['lccdf', upper],
      ] as const) {
        if (expected === null) continue;
        const got = library[`${name}_${key}`](null, false, kinds, y, ...parameters) as number;
        expect(
          Math.abs(got - expected),
          `${name}_${key}(${y} | ${parameters.join(', ')})`,
        ).toBeLessThan(1e-9 * (1 + Math.abs(expected)));
      }
    }
  });
});
