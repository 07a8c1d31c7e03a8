import { describe, expect, it } from 'vitest';
import { createChain } from '../../../src/engine/chain.ts';
import { ChainInterrupt } from '../../../src/engine/chain-end.ts';
import { settingsOfChain } from '../../../src/engine/chain-settings.ts';
import type { MatchingSettings } from '../../../src/engine/chain-state.ts';
import { compileModel } from '../../../src/engine/compile-model.ts';
import type { DrawBlock } from '../../../src/engine/events.ts';
import { matchingColumns } from '../../../src/engine/matching/matching-chain.ts';
import type { Model } from '../../../src/engine/model.ts';
import { openStream } from '../../../src/engine/random-streams.ts';
import { defaultSettings } from '../../../src/engine/settings.ts';
import { matchMoments } from '../../../src/posterior/moment-match.ts';
import {
  outlierData,
  outlierLogDensity,
  outlierLogLik,
  outlierProgram,
  outliers,
} from '../../support/outlier-program.ts';

const dimension = 5;
const count = outliers.draws.length / dimension;
const values = Float64Array.from(outliers.draws);
const points = Array.from({ length: count }, (_, s) =>
  values.subarray(s * dimension, (s + 1) * dimension),
);
const logLikOf = (i: number) => Float64Array.from(points, (point) => outlierLogLik(point, i));

function modelOf(source = outlierProgram): Model {
  const made = compileModel({
    source,
    data: outlierData,
    rng: openStream(1, 0, 'transformed-data'),
  });
  if (!made.ok) throw new Error(made.message);
  return made.model;
}

/** As a run stores them: columns of values on the constrained scale. */
function settingsOf(change: Partial<MatchingSettings> = {}) {
  const columns = ['beta[1]', 'beta[2]', 'beta[3]', 'beta[4]', 'sigma'];
  const stored = new Float64Array(dimension * count);
  points.forEach((point, s) => {
    for (let c = 0; c < 4; c++) stored[c * count + s] = point[c];
    stored[4 * count + s] = Math.exp(point[4]);
  });
  const logLik = new Float64Array(outliers.y.length * count);
  outliers.y.forEach((_, i) => logLik.set(logLikOf(i), i * count));
  const matching: MatchingSettings = {
    draws: { columns, count, values: stored, isParametersOnly: true },
    numChains: 2,
    observations: outliers.y.map((_, i) => `log_lik[${i + 1}]`),
    logLik,
    ...change,
  };
  const place = { seed: 1, chain: 1, streamWarmup: false };
  return { ...settingsOfChain(defaultSettings, place), matching };
}

const rowsOf = (blocks: readonly DrawBlock[]) =>
  blocks.flatMap(({ count: rows, values: own }) =>
    Array.from({ length: rows }, (_, i) =>
      Object.fromEntries(matchingColumns.map((name, c) => [name, own[c * rows + i]])),
    ),
  );

describe('moment matching of a program’s draws', () => {
  it('finds what the formulas of the program give, observation by observation', () => {
    const chain = createChain({ model: modelOf(), settings: settingsOf(), chain: 1 });
    const first = chain.advance({ maxIterations: 1 });
    expect(first.status).toBe('running');
    expect(chain.progress()).toMatchObject({ iteration: 1, of: 2 });
    const second = chain.advance();
    expect(second.status).toBe('finished');
    const rows = rowsOf([...first.blocks, ...second.blocks]);
    expect(rows.map((row) => row.observation__)).toEqual([22, 23]);
    const target = {
      draws: { values, count, dimension },
      numChains: 2,
      logDensity: Float64Array.from(points, outlierLogDensity),
      evaluate: (point: Float64Array, i: number) =>
        [outlierLogDensity(point), outlierLogLik(point, i)] as const,
    };
    const threshold = 1 - 1 / Math.log10(count);
    for (const row of rows) {
      const i = row.observation__;
      const found = matchMoments(target, i, logLikOf(i), { threshold });
      expect(row.pareto_k__).toBeCloseTo(found.pareto_k, 6);
      expect(row.elpd_loo__).toBeCloseTo(found.elpd_loo, 6);
      expect(row.moves__).toBe(found.moves);
      expect(row.pareto_k_before__).toBeGreaterThan(0.9);
      expect(Math.abs(row.elpd_loo__ - outliers.exact_elpd[i])).toBeLessThan(0.35);
    }
  });

  it('leaves an observation when it is asked to stop, and loses none that is done', () => {
    const model = modelOf();
    let left = Number.POSITIVE_INFINITY;
    const interruptible: Model = {
      ...model,
      numUnconstrained: model.numUnconstrained,
      variables: model.variables,
      columns: model.columns,
      logDensityGradient: (theta, gradient, jacobian) => {
        if (left-- <= 0) throw new ChainInterrupt('asked to stop');
        return model.logDensityGradient(theta, gradient, jacobian);
      },
      constrain: (theta, rng, out) => model.constrain(theta, rng, out),
      unconstrain: (inits, theta) => model.unconstrain(inits, theta),
    };
    const chain = createChain({ model: interruptible, settings: settingsOf(), chain: 1 });
    expect(rowsOf(chain.advance({ maxIterations: 1 }).blocks)).toHaveLength(1);
    left = 10;
    expect(chain.advance()).toMatchObject({ status: 'running', blocks: [] });
    left = Number.POSITIVE_INFINITY;
    expect(rowsOf(chain.advance().blocks).map((row) => row.observation__)).toEqual([23]);
  });

  it('refuses log likelihoods that do not follow from the parameters', () => {
    const random = outlierProgram.replace(
      '| mu[n], sigma);',
      '| mu[n], sigma) + normal_rng(0, 1);',
    );
    const chain = createChain({ model: modelOf(random), settings: settingsOf(), chain: 1 });
    expect(chain.advance()).toMatchObject({
      status: 'failed',
      failure: {
        reason: 'program-invalid',
        message: expect.stringContaining('must follow from the parameters and the data alone'),
      },
    });
  });

  it('refuses draws that are not those of the program', () => {
    const other = outlierProgram.replaceAll('sigma', 'scale');
    const chain = createChain({ model: modelOf(other), settings: settingsOf(), chain: 1 });
    const advance = chain.advance();
    if (advance.status !== 'failed') throw new Error('it did not fail');
    expect(advance.failure.message).toContain('declares scale');
  });
});
