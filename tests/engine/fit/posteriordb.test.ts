/**
 * Approximations against reference draws of posteriordb: how far their means are, in posterior standard deviations.
 * Where the posterior is close to a normal they are exact but for Monte Carlo error; elsewhere Pareto k says so.
 */
import { describe, expect, it } from 'vitest';
import { createChain } from '../../../src/engine/chain.ts';
import { settingsOfChain } from '../../../src/engine/chain-settings.ts';
import { compileModel } from '../../../src/engine/compile-model.ts';
import { openStream } from '../../../src/engine/random-streams.ts';
import { parseSettings } from '../../../src/engine/settings.ts';
import { type FitMethod, fitEvidence } from '../../../src/posterior/run-method.ts';
import { readData, readProgram, referencePosteriors } from '../../support/posteriordb.ts';
import { columnOf } from '../../support/run-model.ts';

interface Fitted {
  /** The largest distance of a mean from the reference, in its standard deviations. */
  readonly distance: number;
  readonly paretoK: number;
}

function fit(name: string, settings: Record<string, unknown>): Fitted {
  const { model, data, keys } = referencePosteriors[name];
  const values = readData(data);
  if (values === null || keys === null) throw new Error('the fixtures lack data or draws');
  const parsed = parseSettings({ seed: 4711, ...settings });
  if (!parsed.ok) throw new Error(parsed.error.message);
  const rng = openStream(4711, 0, 'transformed-data');
  const made = compileModel({ source: readProgram(model), data: values, rng });
  if (!made.ok) throw new Error(made.message);
  const place = { seed: 4711, chain: 1, streamWarmup: false };
  const chain = createChain({
    model: made.model,
    settings: settingsOfChain(parsed.settings, place),
    chain: 1,
  });
  const advance = chain.advance();
  if (advance.status !== 'finished') throw new Error(JSON.stringify(advance));
  const draws = new Map(chain.columns.map((column, c) => [column, columnOf(advance.blocks, c)]));
  const distances = Object.entries(keys).map(([key, reference]) => {
    const column = draws.get(key) ?? new Float64Array();
    const mean = column.reduce((sum, value) => sum + value, 0) / column.length;
    return Math.abs(mean - reference.mean) / reference.sd;
  });
  const { paretoK } = fitEvidence(settings.algorithm as FitMethod, draws);
  return { distance: Math.max(...distances), paretoK: paretoK ?? Number.NaN };
}

const near = [
  'kidiq-kidscore_momhs',
  'kidiq-kidscore_momhsiq',
  'kidiq_with_mom_work-kidscore_mom_work',
  'mesquite-logmesquite_logvolume',
  'mesquite-logmesquite',
  'nes2000-nes',
  'sblri-blr',
  'gp_pois_regr-gp_regr',
];
const far = ['garch-garch11', 'eight_schools-eight_schools_noncentered'];
const algorithms = [
  { algorithm: 'laplace' },
  { algorithm: 'pathfinder' },
  { algorithm: 'advi' },
  { algorithm: 'advi', approximation: 'fullrank' },
];

describe('on reference posteriors', () => {
  it.each(near)('Laplace and Pathfinder come close on %s', (name) => {
    // a mode is not a mean: skewed scales are off by a part of their standard deviation
    expect(fit(name, { algorithm: 'laplace' }).distance).toBeLessThan(0.9);
    expect(fit(name, { algorithm: 'pathfinder' }).distance).toBeLessThan(0.45);
  });

  it('full-rank ADVI comes close where the scales are alike', () => {
    const settings = { algorithm: 'advi', approximation: 'fullrank' };
    expect(fit('mesquite-logmesquite_logvolume', settings).distance).toBeLessThan(0.2);
    expect(fit('gp_pois_regr-gp_regr', settings).distance).toBeLessThan(0.2);
  });

  // Yao et al. 2018 find the same of ADVI: on regressions with predictors that are not centred it ends far off
  it.each([...near, ...far])('Pareto k exposes what lies far off on %s', (name) => {
    for (const settings of algorithms) {
      const { distance, paretoK } = fit(name, settings);
      if (distance > 1) expect(paretoK, JSON.stringify(settings)).toBeGreaterThan(0.7);
    }
  });
});
