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
import { DomainError } from '../../../src/math/errors.ts';
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
  it('matches the formulas of the program, observation by observation', () => {
    const chain = createChain({ model: modelOf(), settings: settingsOf(), chain: 1 });
    const first = chain.advance({ maxIterations: 1 });
    expect(first).toMatchObject({ status: 'running', blocks: [{ firstIteration: 1, count: 1 }] });
    expect(chain.progress()).toMatchObject({ iteration: 1, of: 2 });
    expect(chain.checkpoint()).toMatchObject({
      chain: 1,
      numColumns: matchingColumns.length,
      iteration: 1,
      samplingDraws: 1,
    });
    const second = chain.advance();
    expect(second).toMatchObject({ status: 'finished', blocks: [{ firstIteration: 2, count: 1 }] });
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

  it('abandons an observation when asked to stop, and keeps those already done', () => {
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

  it('refuses draws of another program', () => {
    const other = outlierProgram.replaceAll('sigma', 'scale');
    const chain = createChain({ model: modelOf(other), settings: settingsOf(), chain: 1 });
    const advance = chain.advance();
    if (advance.status !== 'failed') throw new Error('it did not fail');
    expect(advance.failure.message).toContain('declares scale');
  });

  it('refuses observations that the program lacks', () => {
    const observations = outliers.y.map((_, i) => `other[${i + 1}]`);
    const chain = createChain({
      model: modelOf(),
      settings: settingsOf({ observations }),
      chain: 1,
    });
    const advance = chain.advance();
    if (advance.status !== 'failed') throw new Error('it did not fail');
    expect(advance.failure.message).toMatch(/^other\[23\] is undefined where the run has /);
  });
});

describe('the preparation of a matching chain', () => {
  /** The program with the run's `log_lik` changed, before any observation is matched. */
  function prepare(
    change: (logLik: Float64Array) => void,
    { model = modelOf(), shouldPause }: { model?: Model; shouldPause?: () => boolean } = {},
  ) {
    const settings = settingsOf();
    change(settings.matching.logLik);
    const chain = createChain({ model, settings, chain: 1 });
    return chain.advance({ maxIterations: 0, shouldPause });
  }
  /** Draws at which the log likelihood of the first matched observation is recomputed. */
  const checked = 22 * count + 3 * Math.floor(count / 10);

  it('does not start while it is paused', () => {
    const chain = createChain({ model: modelOf(), settings: settingsOf(), chain: 1 });
    expect(chain.progress()).toMatchObject({ iteration: 0, of: 0 });
    expect(chain.advance({ shouldPause: () => true })).toEqual({ status: 'running', blocks: [] });
    expect(chain.progress()).toMatchObject({ iteration: 0, of: 0 });
  });

  it('checks for a pause every hundred draws and recomputes ten log likelihoods', () => {
    const inner = modelOf();
    let [asked, computed] = [0, 0];
    const model: Model = {
      numUnconstrained: inner.numUnconstrained,
      variables: inner.variables,
      columns: inner.columns,
      logDensityGradient: (...point) => inner.logDensityGradient(...point),
      unconstrain: (...point) => inner.unconstrain(...point),
      constrain(...draw) {
        computed += 1;
        inner.constrain(...draw);
      },
    };
    const shouldPause = () => {
      asked += 1;
      return false;
    };
    expect(prepare(() => {}, { model, shouldPause }).status).toBe('running');
    expect(asked).toBe(1 + Math.ceil(count / 100));
    expect(computed).toBe(Math.ceil(count / Math.floor(count / 10)));
  });

  it('detects a log likelihood that differs by more than a thousandth', () => {
    const off = (share: number) =>
      prepare((logLik) => {
        expect(Math.abs(logLik[checked])).toBeGreaterThan(3);
        logLik[checked] *= 1 + share;
      }).status;
    expect([off(0.8e-3), off(1.2e-3)]).toEqual(['running', 'failed']);
  });

  it('ends the chain when no observation needs matching', () => {
    const numChains = 2;
    const observations = ['log_lik[1]', 'log_lik[2]'];
    const logLik = Float64Array.from([...logLikOf(0), ...logLikOf(1)]);
    const settings = settingsOf({ observations, logLik, numChains });
    const chain = createChain({ model: modelOf(), settings, chain: 1 });
    expect(chain.advance()).toEqual({ status: 'finished', blocks: [] });
  });
});

describe('a matching chain after its preparation', () => {
  /** The program's model, with hooks that may fail at a given call. */
  function runWith({
    density = () => {},
    quantities = () => {},
    shouldPause,
  }: {
    density?: (call: number) => void;
    quantities?: (call: number) => void;
    shouldPause?: () => boolean;
  }) {
    const inner = modelOf();
    let [densities, draws] = [0, 0];
    let hasDensity = true;
    const model: Model = {
      numUnconstrained: inner.numUnconstrained,
      variables: inner.variables,
      columns: inner.columns,
      unconstrain: (...point) => inner.unconstrain(...point),
      logDensityGradient(...point) {
        densities += 1;
        hasDensity = false;
        density(densities);
        hasDensity = true;
        return inner.logDensityGradient(...point);
      },
      constrain(...draw) {
        draws += 1;
        if (!hasDensity) throw new Error('there is no density here');
        quantities(draws);
        inner.constrain(...draw);
      },
    };
    const chain = createChain({ model, settings: settingsOf(), chain: 1 });
    return chain.advance({ shouldPause });
  }

  it('checks for a pause between two observations', () => {
    const beats = 1 + Math.ceil(count / 100);
    let asked = 0;
    const advance = runWith({ shouldPause: () => ++asked > beats });
    expect(advance.status).toBe('running');
    expect(rowsOf(advance.blocks)).toHaveLength(1);
    expect(asked).toBe(beats + 1);
  });

  it('skips points without a density and treats rejected quantities likewise', () => {
    const reject = (call: number) => {
      if (call > count + 20 && call % 97 === 0) throw new DomainError('too far');
    };
    for (const odd of ['density', 'quantities']) {
      const advance = runWith({ [odd]: reject });
      expect(advance.status).toBe('finished');
      const rows = rowsOf(advance.blocks);
      expect(rows).toHaveLength(2);
      for (const row of rows) {
        expect(Number.isFinite(row.elpd_loo__)).toBe(true);
        // a move is still valid if a few points have no density
        if (odd === 'density') expect(row.moves__).toBeGreaterThan(0);
      }
    }
  });

  it('ends on any other error of the program', () => {
    const failing = (call: number) => {
      if (call > count + 20) throw new Error('index 4 is out of range');
    };
    for (const odd of [{ density: failing }, { quantities: failing }])
      expect(runWith(odd)).toMatchObject({
        status: 'failed',
        failure: { reason: 'program-failed', message: 'index 4 is out of range' },
      });
  });
});
