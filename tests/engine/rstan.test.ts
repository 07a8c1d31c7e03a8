/** Log densities and gradients match Stan 2.21, for programs that use everything it supports. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compileModel } from '../../src/engine/compile-model.ts';
import { unconstrainedNames } from '../../src/engine/log-density.ts';
import type { Model } from '../../src/engine/model.ts';
import { openStream } from '../../src/engine/random-streams.ts';
import { knownDifferences } from './rstan-differences.ts';
import { families, pointAt, programsOf, type Reference, referencesOf } from './rstan-programs.ts';

/** Here both sides iterate to a tolerance. */
const isIterative = (family: string): boolean => family === 'solvers';

function modelOf(source: string): Model {
  const made = compileModel({ source, data: {}, rng: openStream(1, 0, 'transformed-data') });
  if (!made.ok) throw new Error(made.message);
  return made.model;
}

/** A relative difference above `tolerance`; `of`: `log density` or the name of a free value. */
interface Difference {
  readonly of: string;
  readonly point: number;
  readonly ours: number;
  readonly rstan: number;
}

/** Constants may be dropped, so log densities are compared by differences between points. */
function differences(model: Model, { free, points }: Reference, tolerance: number): Difference[] {
  const found: Difference[] = [];
  const names = unconstrainedNames(model);
  let first: { ours: number; theirs: number } | null = null;
  for (const [point, lp, ...gradient] of points) {
    const own = new Float64Array(free);
    const value = model.logDensityGradient(pointAt(point, free), own);
    first ??= { ours: value, theirs: lp };
    const [ours, rstan] = [value - first.ours, lp - first.theirs];
    if (!(Math.abs(ours - rstan) <= tolerance * Math.max(1, Math.abs(lp), Math.abs(first.theirs))))
      found.push({ of: 'log density', point, ours, rstan });
    const largest = Math.max(1, ...gradient.map(Math.abs));
    for (const [k, theirs] of gradient.entries()) {
      // cancellation and printing with eleven digits give errors relative to the largest value
      if (!(Math.abs(own[k] - theirs) <= tolerance * Math.abs(theirs) + 1e-11 * largest))
        found.push({ of: names[k], point, ours: own[k], rstan: theirs });
    }
  }
  return found;
}

/** The derivative from differences of our log density, extrapolated to step 0. */
function slope(model: Model, point: number, of: string): number {
  const k = unconstrainedNames(model).indexOf(of);
  const at = (h: number): number => {
    const values = pointAt(point, model.numUnconstrained);
    values[k] += h;
    return model.logDensityGradient(values, new Float64Array(values.length));
  };
  const five = (h: number): number => (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
  return (16 * five(1e-3) - five(2e-3)) / 15;
}

describe.each(families)('%s', (family) => {
  const references = new Map(referencesOf(family).map((one) => [one.name, one]));
  const programs = programsOf(family);

  it('has numbers of rstan for each program', () => {
    expect([...references.keys()]).toEqual(programs.map(({ name }) => name));
  });

  it.each(programs)('$name', ({ name, source }) => {
    const reference = references.get(name);
    if (reference === undefined) throw new Error(`no numbers for ${name}`);
    const model = modelOf(source);
    expect(model.numUnconstrained).toBe(reference.free);
    // Stan has no finite value at any of 200 points, so there is nothing to compare
    expect(reference.points.length).toBe(name === 'beta_binomial-lcdf' ? 0 : 10);
    const found = differences(model, reference, isIterative(family) ? 1e-6 : 1e-8);
    const known = knownDifferences[name];
    expect(found.filter(({ of }) => !known?.where.test(of))).toEqual([]);
    // known differences still exist, and our derivatives match our values
    if (known !== undefined && reference.points.length > 0) expect(found).not.toEqual([]);
    for (const { of, point, ours } of found) {
      if (of === 'log density') continue;
      const numeric = slope(model, point, of);
      expect(Math.abs(ours - numeric), `${of} at ${point}`).toBeLessThan(
        1e-6 * (1 + Math.abs(ours)),
      );
    }
  });
});

/** Names that Stan 2.21 knows but no program here uses, with the reason. */
const without: readonly (readonly [RegExp, string])[] = [
  [/_rng$/, 'draws; see tests/math/library/random.test.ts'],
  [/_c?cdf_log$/, 'formerly _lcdf and _lccdf; no longer part of Stan'],
  [
    /(?<!binomial_coefficient|multiply|neg_binomial_2)_log$/,
    'formerly _lpdf and _lpmf; no longer part of Stan',
  ],
  [/^neg_binomial_2_log$|^neg_binomial_2_log_log$/, 'sampled from as neg_binomial_2_log(…)'],
  [/^(get_lp|if_else)$/, 'no longer part of Stan'],
  [/^(print|reject)$/, 'has no value'],
  [
    /^singular_values$/,
    'rstan with Debian’s Eigen 3.4 crashes; see tests/math/library/exact.test.ts',
  ],
  [/^hypergeometric$/, 'a constant after ~, since it has no real argument'],
  [/^integrate_ode$/, 'formerly integrate_ode_rk45'],
  [
    /^binomia_|^normal_id_glm_lpmf$|^(inv_)?phi(_approx)?$|^qr_(thin_)?[qr]$|^operator_logial_equal$|^operator\.\\$/,
    'misspelt in the manual’s list',
  ],
];

describe('the programs', () => {
  const all = families.flatMap(programsOf);
  const text = all.map(({ source }) => source).join('\n');
  const names = readFileSync(new URL('../fixtures/rstan/names.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const has = (name: string): boolean =>
    name.startsWith('operator')
      ? text.includes(name.slice('operator'.length))
      : new RegExp(`\\b${name}\\(`).test(text) || new RegExp(`target|~ ${name}\\(`).test(name);

  it('number at least 150, each with a unique name', () => {
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    expect(all.length).toBeGreaterThanOrEqual(150);
  });

  it('use every name that Stan 2.21 knows, except those excluded for a reason', () => {
    const excused = (name: string): boolean => without.some(([pattern]) => pattern.test(name));
    expect(names.length).toBeGreaterThan(550);
    expect(names.filter((name) => !has(name) && !excused(name))).toEqual([]);
  });
});
