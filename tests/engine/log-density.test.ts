/** Density, gradient and names at a point: against closed forms and finite differences. */
import { describe, expect, it } from 'vitest';
import { compileModel } from '../../src/engine/compile-model.ts';
import { densityAt, unconstrainedNames } from '../../src/engine/log-density.ts';
import type { Model } from '../../src/engine/model.ts';
import { openStream } from '../../src/engine/random-streams.ts';
import { normalModel } from '../support/analytic-models.ts';

function stan(source: string): Model {
  const made = compileModel({ source, data: {}, rng: openStream(1, 0, 'transformed-data') });
  if (!made.ok) throw new Error(made.message);
  return made.model;
}

function at(model: Model, point: Record<string, unknown>, jacobian = true) {
  const found = densityAt(model, point, { jacobian });
  if (!found.ok) throw new Error(found.error);
  return found.value;
}

const scale = stan(
  'parameters { real mu; real<lower=0> sigma; } model { mu ~ normal(1, sigma); sigma ~ exponential(2); }',
);

describe('the log density at a point', () => {
  it('matches the closed form, with and without the Jacobian', () => {
    const point = { mu: 2.5, sigma: 2 };
    // −½ ((2.5 − 1) / 2)² − log 2 − 2 · 2, without the constants
    const without = -0.5 * 0.75 ** 2 - Math.log(2) - 4;
    expect(at(scale, point, false).lp).toBeCloseTo(without, 12);
    expect(at(scale, point).lp).toBeCloseTo(without + Math.log(2), 12);
    const { gradient, unconstrained } = at(scale, point);
    expect([...unconstrained]).toEqual([2.5, Math.log(2)]);
    expect(gradient[0]).toBeCloseTo(-1.5 / 4, 12);
    expect(gradient[1]).toBeCloseTo(0.75 ** 2 - 1 - 4 + 1, 12);
  });

  it('reports what is wrong with the point', () => {
    const error = (point: Record<string, unknown>) => {
      const found = densityAt(scale, point, { jacobian: true });
      return found.ok ? '' : found.error;
    };
    expect(error({ mu: 1 })).toBe('The point lacks sigma.');
    expect(error({ mu: 1, sigma: -1 })).toMatch(/^The point cannot be used: .*sigma/);
    expect(error({ mu: [1], sigma: 1 })).toMatch(/^The point cannot be used: .*mu/);
    expect(error({ mu: 1, sigma: 0 })).toMatch(/boundary/);
    const broken = stan('parameters { real x; } model { if (x > 1) reject("too far"); }');
    expect(densityAt(broken, { x: 2 }, { jacobian: true })).toEqual({
      ok: false,
      error: expect.stringContaining('too far'),
    });
  });

  it('rethrows other errors of the program', () => {
    const bug = () => {
      throw new Error('a bug');
    };
    for (const verb of ['unconstrain', 'logDensityGradient'] as const)
      expect(() => at({ ...normalModel([0], [1]), [verb]: bug }, { x1: 1 })).toThrow(/^a bug$/);
  });

  it('needs every value of a tuple, and a finite point', () => {
    const model = stan('parameters { tuple(real, real) t; real x; } model { }');
    const error = (point: Record<string, unknown>) => {
      const found = densityAt(model, point, { jacobian: true });
      return found.ok ? '' : found.error;
    };
    expect(error({})).toBe('The point lacks t, x.');
    expect(error({ t: { 1: 0, 2: 'inf' }, x: 0 })).toBe(
      'The point cannot be used: a value lies on the boundary of its constraint or is not finite.',
    );
    expect(error({ t: { 1: 0, 2: 0 }, x: 0 })).toBe('');
  });

  it('has no names when the model does not describe its free values', () => {
    expect(unconstrainedNames(normalModel([0], [1]))).toEqual([]);
  });

  it('names members of tuples by the indices of their arrays', () => {
    const names = unconstrainedNames(
      stan(`parameters {
        array[2] tuple(real, vector[2]) t;
        tuple(real, array[2] real) u;
        array[1, 2] tuple(array[2] tuple(real, real), real) v;
      } model { }`),
    );
    expect(names.join(' ')).toBe(
      't.1:1 t.2:1 t.1:2.1 t.1:2.2 t.2:2.1 t.2:2.2 u:1 u:2.1 u:2.2 ' +
        'v.1.1:1.1:1 v.1.1:1.2:1 v.1.2:1.1:1 v.1.2:1.2:1 ' +
        'v.1.1:1.1:2 v.1.1:1.2:2 v.1.2:1.1:2 v.1.2:1.2:2 v.1.1:2 v.1.2:2',
    );
  });

  it('names each free value by what it moves', () => {
    const model = stan(`parameters {
      real a;
      array[2, 3] real b;
      array[2] matrix[2, 3] m;
      array[2] simplex[3] w;
      cholesky_factor_corr[3] L;
      cov_matrix[2] S;
      vector<lower=0>[2] v;
    }
    model { S ~ wishart(3, identity_matrix(2)); }`);
    const names = unconstrainedNames(model);
    expect(names).toHaveLength(model.numUnconstrained);
    expect(new Set(names).size).toBe(names.length);
    expect(names.slice(0, 7)).toEqual(['a', 'b.1.1', 'b.1.2', 'b.1.3', 'b.2.1', 'b.2.2', 'b.2.3']);
    expect(names.slice(7, 13)).toEqual([
      'm.1.1.1',
      'm.1.2.1',
      'm.1.1.2',
      'm.1.2.2',
      'm.1.1.3',
      'm.1.2.3',
    ]);
    expect(names.slice(19)).toEqual([
      'w.1.1',
      'w.1.2',
      'w.2.1',
      'w.2.2',
      'L.1',
      'L.2',
      'L.3',
      'S.1',
      'S.2',
      'S.3',
      'v.1',
      'v.2',
    ]);
    const moved = (theta: Float64Array) => {
      const out = new Float64Array(model.columns.length);
      model.constrain(theta, openStream(1, 1, 'generated'), out);
      return out;
    };
    const before = moved(new Float64Array(names.length));
    names.forEach((name, k) => {
      const theta = new Float64Array(names.length);
      theta[k] = 0.5;
      const changed = model.columns.filter((_, c) => moved(theta)[c] !== before[c]);
      const dotted = changed.map((column) =>
        column.replace(/\[(.*)\]/, '.$1').replaceAll(',', '.'),
      );
      // elements of one simplex or matrix move together, those of its neighbours do not
      const isAlone = /^[abmv]/.test(name);
      if (isAlone) expect(dotted).toEqual([name]);
      else if (name.startsWith('w'))
        expect(dotted.every((one) => one.startsWith(name.slice(0, 3)))).toBe(true);
      else expect(dotted.every((one) => one.startsWith(name.slice(0, 1)))).toBe(true);
    });
  });
});
