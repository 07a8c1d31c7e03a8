/** Every algorithm but NUTS as a chain: exact where the posterior is normal, and the same draws however it is split.
 * One long file: each algorithm is tried on the same few posteriors. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createChain } from '../../../src/engine/chain.ts';
import { ChainInterrupt } from '../../../src/engine/chain-end.ts';
import { settingsOfChain } from '../../../src/engine/chain-settings.ts';
import type { ChainSettings } from '../../../src/engine/chain-state.ts';
import type { ChainCheckpoint } from '../../../src/engine/checkpoint.ts';
import { compileModel } from '../../../src/engine/compile-model.ts';
import type { DrawBlock } from '../../../src/engine/events.ts';
import { createFitChain } from '../../../src/engine/fit/fit-chain.ts';
import type { Model } from '../../../src/engine/model.ts';
import { openStream } from '../../../src/engine/random-streams.ts';
import { parseSettings } from '../../../src/engine/settings.ts';
import { DomainError } from '../../../src/math/errors.ts';
import { type FitMethod, fitEvidence, methodOf } from '../../../src/posterior/run-method.ts';
import {
  analyticModel,
  correlatedNormalModel,
  funnelModel,
  generatedOnlyModel,
  normalModel,
  standardNormalModel,
} from '../../support/analytic-models.ts';
import { columnOf } from '../../support/run-model.ts';

function settingsFor(input: object, chain = 1): ChainSettings {
  const parsed = parseSettings({ seed: 20251, ...input });
  if (!parsed.ok) throw new Error(parsed.error.message);
  const seed = parsed.settings.seed ?? 0;
  return settingsOfChain(parsed.settings, { seed, chain, streamWarmup: false });
}

interface Run {
  readonly columns: readonly string[];
  readonly blocks: readonly DrawBlock[];
  readonly log: readonly string[];
  readonly draws: ReadonlyMap<string, Float64Array>;
}

function run(model: Model, input: object): Run {
  const log: string[] = [];
  const settings = settingsFor(input);
  const chain = createChain({ model, settings, chain: 1, onLog: (line) => log.push(line) });
  const advance = chain.advance();
  if (advance.status !== 'finished') throw new Error(JSON.stringify(advance));
  const { columns } = chain;
  const { blocks } = advance;
  const draws = new Map(columns.map((name, c) => [name, columnOf(blocks, c)]));
  return { columns, blocks, log, draws };
}

const meanOf = (values: Float64Array) => values.reduce((a, b) => a + b, 0) / values.length;
function covariance(a: Float64Array, b: Float64Array): number {
  const [ma, mb] = [meanOf(a), meanOf(b)];
  return a.reduce((sum, value, i) => sum + (value - ma) * (b[i] - mb), 0) / (a.length - 1);
}
const get = ({ draws }: Run, name: string) => draws.get(name) ?? new Float64Array(0);

function stanModel(source: string, data: Record<string, unknown> = {}): Model {
  const made = compileModel({ source, data, rng: openStream(1, 0, 'transformed-data') });
  if (!made.ok) throw new Error(made.message);
  return made.model;
}

/** Far below Stan's defaults, whose optima are exact only to a few millionths of a standard deviation. */
const exactly = { algorithm: 'optimize', tol_obj: 0, tol_rel_obj: 0, tol_rel_grad: 1e-4 };

describe('optimize', () => {
  it('finds the mean of a normal to 1e-6, over scales of 1 to 10 000', () => {
    const found = run(normalModel([3, -40, 1e-3], [1, 1e4, 0.1]), exactly);
    expect(found.columns.slice(0, 3)).toEqual(['lp__', 'converged__', 'x1']);
    expect(get(found, 'x1')).toHaveLength(1);
    expect(get(found, 'converged__')[0]).toBe(1);
    expect(get(found, 'x1')[0]).toBeCloseTo(3, 6);
    expect(get(found, 'x2')[0] / 1e4).toBeCloseTo(-40 / 1e4, 6);
    expect(get(found, 'x3')[0]).toBeCloseTo(1e-3, 6);
    expect(get(found, 'lp__')[0]).toBeCloseTo(0, 10);
  });

  it('finds the minimum of Rosenbrock’s valley at (1, 1)', () => {
    const model = stanModel(
      'parameters { real x; real y; } model { target += -(100 * square(y - square(x)) + square(1 - x)); }',
    );
    for (const seed of [1, 2, 3, 4, 5]) {
      const found = run(model, { ...exactly, seed });
      expect(get(found, 'x')[0]).toBeCloseTo(1, 6);
      expect(get(found, 'y')[0]).toBeCloseTo(1, 6);
      const usual = run(model, { algorithm: 'optimize', seed });
      expect(get(usual, 'converged__')[0]).toBe(1);
      expect(get(usual, 'x')[0]).toBeCloseTo(1, 4);
    }
  });

  it('leaves the Jacobian out unless it is asked for', () => {
    // x ~ gamma(3, 2): the mode of the density is (3 − 1)/2; of the density of log x it is 3/2
    const model = stanModel('parameters { real<lower=0> x; } model { x ~ gamma(3, 2); }');
    expect(get(run(model, exactly), 'x')[0]).toBeCloseTo(1, 6);
    expect(get(run(model, { ...exactly, jacobian: true }), 'x')[0]).toBeCloseTo(1.5, 6);
  });

  it('reports no convergence when a density has no maximum or iterations run out', () => {
    const endless = stanModel('parameters { real x; } model { target += x; }');
    const found = run(endless, { algorithm: 'optimize' });
    expect(get(found, 'converged__')[0]).toBe(0);
    expect(found.log.at(-1)).toMatch(/stopped after .* no maximum/);
    const short = run(normalModel([1, 50], [1, 10]), { algorithm: 'optimize', iter: 2 });
    expect(get(short, 'converged__')[0]).toBe(0);
    expect(short.log.at(-1)).toContain('not converged in 2 iterations (iter)');
  });
});

describe('on a normal posterior', () => {
  const rho = 0.8;
  const tolerance = 0.12;
  const exact = [
    { algorithm: 'laplace', num_samples: 4000 },
    { algorithm: 'pathfinder', num_samples: 4000, num_paths: 1 },
    { algorithm: 'pathfinder', num_samples: 4000 },
    { algorithm: 'pathfinder', num_samples: 4000, psis_resample: false },
    {
      algorithm: 'advi',
      num_samples: 4000,
      approximation: 'fullrank',
      grad_samples: 20,
      tol_rel_obj: 0.0005,
    },
  ];
  it.each(exact)('$algorithm recovers its means and covariances: %o', (settings) => {
    const found = run(correlatedNormalModel(rho), settings);
    const [x1, x2] = [get(found, 'x1'), get(found, 'x2')];
    expect(x1).toHaveLength(4000);
    expect(Math.abs(meanOf(x1))).toBeLessThan(tolerance);
    expect(Math.abs(meanOf(x2))).toBeLessThan(tolerance);
    expect(Math.abs(covariance(x1, x1) - 1)).toBeLessThan(tolerance);
    expect(Math.abs(covariance(x2, x2) - 1)).toBeLessThan(tolerance);
    expect(Math.abs(covariance(x1, x2) - rho)).toBeLessThan(tolerance);
    const method = methodOf(found.columns) as FitMethod;
    expect(method).toBe(settings.algorithm);
    expect(fitEvidence(method, found.draws).paretoK).toBeLessThan(0.7);
  });

  it('Laplace is exact: its importance ratios are constant', () => {
    const found = run(correlatedNormalModel(rho), { ...exactly, algorithm: 'laplace' });
    const ratios = get(found, 'log_p__').map((p, i) => p - get(found, 'log_q__')[i]);
    for (const ratio of ratios) expect(ratio).toBeCloseTo(ratios[0], 5);
  });

  it('mean-field ADVI finds means and the conditional standard deviations', () => {
    const found = run(correlatedNormalModel(rho), {
      algorithm: 'advi',
      num_samples: 4000,
      grad_samples: 20,
      tol_rel_obj: 0.0005,
    });
    expect(found.columns.slice(0, 3)).toEqual(['lp__', 'log_p__', 'log_g__']);
    const conditional = 1 - rho * rho;
    expect(Math.abs(covariance(get(found, 'x1'), get(found, 'x1')) - conditional)).toBeLessThan(
      0.06,
    );
    expect(Math.abs(meanOf(get(found, 'x1')))).toBeLessThan(tolerance);
  });

  it('ADVI writes the mean of its approximation as a row before the draws', () => {
    const found = run(normalModel([3, -2], [1, 2]), { algorithm: 'advi', num_samples: 2000 });
    const [first] = found.blocks;
    expect(first).toMatchObject({ phase: 'warmup', firstIteration: 1, count: 1 });
    const place = found.columns.indexOf('x1');
    const mean = columnOf(found.blocks, place, 'warmup')[0];
    expect(Math.abs(mean - meanOf(get(found, 'x1')))).toBeLessThan(0.1);
  });

  it('Pathfinder handles more parameters than its history holds', () => {
    const sds = Array.from({ length: 30 }, (_, i) => 0.1 * (i + 1));
    const means = sds.map((_, i) => i - 15);
    const found = run(normalModel(means, sds), { algorithm: 'pathfinder', num_samples: 2000 });
    means.forEach((mean, i) => {
      const draws = get(found, `x${i + 1}`);
      expect(Math.abs(meanOf(draws) - mean)).toBeLessThan(0.5 * sds[i]);
    });
  });
});

describe('a posterior far from a normal', () => {
  it.each(['laplace', 'pathfinder', 'advi'])('%s on a funnel has a large Pareto k', (algorithm) => {
    const found = run(funnelModel(5), { algorithm });
    const k = fitEvidence(algorithm as FitMethod, found.draws).paretoK ?? 0;
    expect(k).toBeGreaterThan(0.5);
  });
});

describe('a fit without a result', () => {
  /** Defined at 0 only, the starting point of the chain. */
  const island = analyticModel({
    names: ['x'],
    density([x], gradient) {
      gradient[0] = 1;
      return x === 0 ? 0 : Number.NEGATIVE_INFINITY;
    },
  });
  const flat = analyticModel({
    names: ['x'],
    density([x], gradient) {
      gradient[0] = 2 * x;
      return x * x;
    },
  });
  it.each<[string, Model, object, string, string]>([
    [
      'has no parameters',
      generatedOnlyModel(),
      { algorithm: 'advi' },
      'no-start',
      'The program has no parameters, so there is nothing to fit: choose the algorithm fixed_param.',
    ],
    [
      'has no maximum',
      flat,
      { algorithm: 'laplace', iter: 3 },
      'no-approximation',
      'The Laplace approximation needs a maximum, but the Hessian is not negative definite where the optimiser stopped. The posterior may have no mode, or be flat in some direction: try NUTS or Pathfinder.',
    ],
    [
      'stops next to its mode',
      island,
      { algorithm: 'laplace' },
      'no-approximation',
      'The Laplace approximation needs a smooth maximum, but the log density is undefined right next to it.',
    ],
    [
      'has too many parameters for a Hessian',
      standardNormalModel(5001),
      { algorithm: 'laplace' },
      'no-approximation',
      'The Laplace approximation needs a Hessian of 5001 × 5001 values, more than fit in memory: choose Pathfinder or ADVI (meanfield).',
    ],
    [
      'has too many parameters for covariances',
      standardNormalModel(5001),
      { algorithm: 'advi', approximation: 'fullrank' },
      'no-approximation',
      'ADVI with approximation fullrank fits 5001 × 5001 covariances, more than it can hold: choose meanfield.',
    ],
    [
      'has no step size',
      island,
      { algorithm: 'advi' },
      'no-approximation',
      'ADVI found no step size at which the ELBO rises: the posterior may be too far from normal, or the starting point too far away. Give inits, or try Pathfinder or NUTS.',
    ],
    [
      'has no path',
      island,
      { algorithm: 'pathfinder' },
      'no-approximation',
      'Pathfinder found no approximation: on no path is the log density finite around the points of L-BFGS. Give inits, or try NUTS.',
    ],
    [
      'has no run to read',
      island,
      { algorithm: 'generate_quantities' },
      'program-invalid',
      'There is no finished run to read draws from.',
    ],
  ])('explains why: it %s', (_, model, input, reason, message) => {
    const settings = settingsFor({ init_radius: 0, ...input });
    const log: string[] = [];
    const onLog = (line: string) => log.push(line);
    const chain = createChain({ model, settings, chain: 2, onLog });
    expect(chain.advance()).toEqual({
      status: 'failed',
      blocks: [],
      failure: { chain: 2, reason, message },
    });
    if (reason === 'no-approximation' && settings.fit?.algorithm === 'pathfinder')
      expect(log).toEqual([1, 2, 3, 4].map((path) => `Path ${path} gives no approximation.`));
  });

  it('fails on any other error of the program', () => {
    const broken = analyticModel({
      names: ['x'],
      density([x]) {
        if (x === 0) return 0;
        throw new Error('index 4 is out of range');
      },
    });
    for (const algorithm of ['optimize', 'laplace', 'advi']) {
      const settings = settingsFor({ algorithm, init_radius: 0 });
      const steep: Model = {
        ...broken,
        logDensityGradient(theta, gradient) {
          gradient.fill(1);
          return broken.logDensityGradient(theta, gradient);
        },
      };
      expect(createChain({ model: steep, settings, chain: 1 }).advance()).toMatchObject({
        failure: { reason: 'program-failed', message: 'index 4 is out of range' },
      });
    }
  });

  it('avoids points where the density or its gradient is undefined', () => {
    const rejecting = analyticModel({
      names: ['x'],
      density([x], gradient) {
        if (x > 3) throw new DomainError('too far');
        gradient[0] = x > 2.5 ? Number.NaN : 1 - x;
        return x - 0.5 * x * x;
      },
    });
    const found = run(rejecting, { ...exactly, init_alpha: 5, inits: { x: 0 } });
    expect(get(found, 'x')[0]).toBeCloseTo(1, 6);
  });
});

describe('fixed_param', () => {
  it('draws generated quantities at one point', () => {
    const found = run(normalModel([0], [1]), {
      algorithm: 'fixed_param',
      inits: { x1: 0.25 },
      num_samples: 3000,
    });
    expect(found.columns).toEqual(['lp__', 'accept_stat__', 'x1', 'noise']);
    expect(new Set(get(found, 'x1'))).toEqual(new Set([0.25]));
    expect(Math.abs(meanOf(get(found, 'noise')))).toBeLessThan(0.08);
    expect(Math.abs(covariance(get(found, 'noise'), get(found, 'noise')) - 1)).toBeLessThan(0.1);
  });

  it('runs programs without parameters, for which other algorithms suggest fixed_param', () => {
    expect(run(generatedOnlyModel(), { algorithm: 'fixed_param' }).draws.size).toBeGreaterThan(2);
    const settings = settingsFor({ algorithm: 'pathfinder' });
    const advance = createChain({ model: generatedOnlyModel(), settings, chain: 1 }).advance();
    expect(advance).toMatchObject({
      failure: { reason: 'no-start', message: expect.stringContaining('fixed_param') },
    });
  });
});

describe('a chain that fits', () => {
  const throughJson = (checkpoint: ChainCheckpoint) =>
    JSON.parse(JSON.stringify(checkpoint)) as ChainCheckpoint;
  const each = ['optimize', 'laplace', 'pathfinder', 'advi', 'fixed_param'];

  it.each(each)('%s continues bit-identically from any checkpoint', (algorithm) => {
    const model = normalModel([1, 2], [1, 10]);
    const settings = settingsFor({ algorithm, num_samples: 40, num_paths: 2, iter: 400 }, 3);
    const whole = createChain({ model, settings, chain: 3 }).advance().blocks;
    const table = (blocks: readonly DrawBlock[]) =>
      Array.from({ length: 4 }, (_, c) => [...columnOf(blocks, c)]);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 4 }), (cuts) => {
        const blocks: DrawBlock[] = [];
        let chain = createChain({ model, settings, chain: 3 });
        for (const maxIterations of cuts) {
          blocks.push(...chain.advance({ maxIterations }).blocks);
          const checkpoint = throughJson(chain.checkpoint());
          chain = createChain({ model, settings, chain: 3, checkpoint });
        }
        blocks.push(...chain.advance().blocks);
        expect(table(blocks)).toEqual(table(whole));
      }),
      { numRuns: 8 },
    );
  });

  it.each(each)(
    '%s can be interrupted during the fit and then repeats it identically',
    (algorithm) => {
      let left = 25;
      const inner = normalModel([1, 2], [1, 10]);
      const model: Model = {
        ...inner,
        logDensityGradient(theta, gradient) {
          if (left-- === 0) throw new ChainInterrupt('asked to stop');
          return inner.logDensityGradient(theta, gradient);
        },
      };
      const settings = settingsFor({ algorithm, num_samples: 30, num_paths: 1, iter: 300 });
      const whole = createChain({ model: inner, settings, chain: 1 }).advance().blocks;
      const chain = createChain({ model, settings, chain: 1 });
      const first = chain.advance();
      const second = chain.advance();
      const values = (blocks: readonly DrawBlock[]) => [...columnOf(blocks, 2)];
      expect(second.status).toBe('finished');
      expect(values([...first.blocks, ...second.blocks])).toEqual(values(whole));
    },
  );

  it('makes no progress while its fit is paused', () => {
    const settings = settingsFor({ algorithm: 'fixed_param', num_samples: 5 });
    const chain = createChain({ model: normalModel([0], [1]), settings, chain: 1 });
    let asked = 0;
    expect(chain.advance({ shouldPause: () => ++asked === 1 })).toEqual({
      status: 'running',
      blocks: [],
    });
    expect(chain.progress().iteration).toBe(0);
  });

  it('logs its fit only once, and does not fit again after it has finished', () => {
    let evaluations = 0;
    const inner = normalModel([0], [1]);
    const model: Model = {
      ...inner,
      logDensityGradient(theta, gradient) {
        evaluations += 1;
        return inner.logDensityGradient(theta, gradient);
      },
    };
    const log: string[] = [];
    const settings = settingsFor({ algorithm: 'laplace', num_samples: 5 });
    const request = { model, settings, chain: 1, onLog: (line: string) => log.push(line) };
    const first = createChain(request);
    first.advance({ maxIterations: 2 });
    expect(log).not.toEqual([]);
    log.length = 0;
    const second = createChain({ ...request, checkpoint: throughJson(first.checkpoint()) });
    expect(second.advance().status).toBe('finished');
    expect(log).toEqual([]);
    evaluations = 0;
    const third = createChain({ ...request, checkpoint: throughJson(second.checkpoint()) });
    expect(third.advance()).toEqual({ status: 'finished', blocks: [] });
    expect(evaluations).toBe(0);
  });

  it('writes the mean once, even if the first draw is started twice', () => {
    let calls = 0;
    const inner = normalModel([0], [1]);
    const model: Model = {
      ...inner,
      constrain(theta, rng, out) {
        if (++calls === 2) throw new ChainInterrupt('asked to stop');
        inner.constrain(theta, rng, out);
      },
    };
    const settings = settingsFor({ algorithm: 'advi', num_samples: 3 });
    const chain = createChain({ model, settings, chain: 1 });
    const blocks = [chain.advance(), chain.advance()].flatMap((advance) => advance.blocks);
    expect(blocks.map(({ phase, count }) => [phase, count])).toEqual([
      ['warmup', 1],
      ['sampling', 3],
    ]);
  });

  it('measures time with the system clock by default', () => {
    const settings = settingsFor({ algorithm: 'fixed_param', num_samples: 5 });
    const chain = createChain({ model: normalModel([0], [1]), settings, chain: 1 });
    chain.advance();
    expect(chain.progress().samplingSeconds).toBeGreaterThan(0);
  });

  it('requires the settings of its algorithm', () => {
    const request = { model: normalModel([0], [1]), settings: settingsFor({}), chain: 1 };
    expect(() => createFitChain(request)).toThrow(
      'a chain that fits needs the settings of its algorithm',
    );
  });

  it('pauses between the steps of its fit when asked', () => {
    const settings = settingsFor({ algorithm: 'advi', num_samples: 5 });
    const chain = createChain({ model: normalModel([0], [1]), settings, chain: 1 });
    let asked = 0;
    const advance = chain.advance({ shouldPause: () => ++asked > 10 });
    expect(advance).toEqual({ status: 'running', blocks: [] });
    expect(chain.advance().status).toBe('finished');
  });

  it('refuses the checkpoint of another algorithm or other settings', () => {
    const model = normalModel([0], [1]);
    const settings = settingsFor({ algorithm: 'laplace', num_samples: 20 });
    const request = { model, settings, chain: 1 };
    const checkpoint = createChain(request).checkpoint();
    for (const other of [
      { ...request, settings: settingsFor({ algorithm: 'laplace', iter: 9 }) },
      { ...request, settings: settingsFor({ algorithm: 'laplace', init_radius: 9 }) },
      { ...request, settings: settingsFor({ algorithm: 'laplace', inits: { x1: 9 } }) },
      { ...request, settings: { ...settings, thin: 2 } },
      { ...request, settings: { ...settings, seed: 1 } },
      { ...request, settings: settingsFor({ algorithm: 'advi' }) },
      { ...request, settings: settingsFor({}) },
      { ...request, chain: 2 },
      { ...request, model: { ...model, columns: ['x1'] } },
      { ...request, checkpoint: { ...checkpoint, fitVersion: 0 } as ChainCheckpoint },
      {
        ...request,
        checkpoint: createChain({ ...request, settings: settingsFor({}) }).checkpoint(),
      },
    ])
      expect(() => createChain({ checkpoint, ...other })).toThrow(
        expect.objectContaining({
          reason: 'bad-checkpoint',
          message: expect.stringContaining('belongs to another'),
        }),
      );
    const longer = { ...settings, numSamples: 30 };
    expect(createChain({ ...request, settings: longer, checkpoint }).progress().of).toBe(30);
  });

  it('reports its progress and the time spent on fit and draws', () => {
    let ms = 0;
    const settings = settingsFor({ algorithm: 'fixed_param', num_samples: 12, thin: 5 });
    const request = { model: normalModel([0], [1]), settings, chain: 4, now: () => ms++ };
    const chain = createChain(request);
    const nothing = { divergences: 0, treeDepthHits: 0, leapfrogs: 0, warmupLeapfrogs: 0 };
    const place = { chain: 4, phase: 'sampling', of: 12, stepSize: Number.NaN, ...nothing };
    expect(chain.progress()).toEqual({
      ...place,
      iteration: 0,
      warmupSeconds: 0,
      samplingSeconds: 0,
    });
    const first = chain.advance({ maxIterations: 7 });
    expect(first).toMatchObject({ status: 'running', blocks: [{ firstIteration: 1, count: 2 }] });
    expect(chain.progress()).toEqual({
      ...place,
      iteration: 7,
      warmupSeconds: 0.001,
      samplingSeconds: expect.closeTo(0.007, 12),
    });
    const checkpoint = throughJson(chain.checkpoint());
    const next = createChain({ ...request, checkpoint });
    expect(next.progress()).toEqual(chain.progress());
    const rest = next.advance();
    expect(rest).toMatchObject({ status: 'finished', blocks: [{ firstIteration: 3, count: 1 }] });
    expect(next.checkpoint()).toMatchObject({ iteration: 12, samplingDraws: 3, warmupDraws: 0 });
    expect(next.advance()).toEqual({ status: 'finished', blocks: [] });
  });

  it('checks for a pause before each draw', () => {
    const settings = settingsFor({ algorithm: 'fixed_param', num_samples: 9 });
    const chain = createChain({ model: normalModel([0], [1]), settings, chain: 1 });
    let left = 4;
    expect(chain.advance({ shouldPause: () => left-- === 0 }).status).toBe('running');
    expect(chain.progress().iteration).toBe(3);
  });

  it('writes NaN for undefined quantities and logs this once', () => {
    const rejecting: Model = {
      ...normalModel([0], [1]),
      constrain(theta, _rng, out) {
        out[0] = theta[0];
        throw new DomainError('rate is 0');
      },
    };
    const found = run(rejecting, { algorithm: 'fixed_param', num_samples: 3, inits: { x1: 2 } });
    expect([...get(found, 'x1')]).toEqual([2, 2, 2]);
    expect([...get(found, 'noise')]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
    expect(found.log).toEqual(['Some quantities of a draw are undefined: rate is 0']);
  });

  it('ends on any other error in generated quantities and repeats no draw', () => {
    let calls = 0;
    const inner = normalModel([0], [1]);
    const broken: Model = {
      ...inner,
      constrain(theta, rng, out) {
        inner.constrain(theta, rng, out);
        if (++calls === 3) throw new Error('index 4 is out of range');
      },
    };
    const settings = settingsFor({ algorithm: 'fixed_param', num_samples: 5 });
    const chain = createChain({ model: broken, settings, chain: 1 });
    const first = chain.advance();
    expect(first).toMatchObject({
      status: 'failed',
      failure: { reason: 'program-failed', message: 'index 4 is out of range' },
    });
    const second = chain.advance();
    const whole = createChain({ model: inner, settings, chain: 1 }).advance();
    const noise = (blocks: readonly DrawBlock[]) => [...columnOf(blocks, 3)];
    expect(noise([...first.blocks, ...second.blocks])).toEqual(noise(whole.blocks));
  });
});

describe('starting values by Pathfinder', () => {
  it('start every chain near the posterior, at the same point for the same seed', () => {
    const model = normalModel([500, -300], [1, 2]);
    const first = (inits: string | null) => {
      const settings = settingsFor({ inits, num_warmup: 0, num_samples: 1 });
      return createChain({ model, settings, chain: 1 }).advance();
    };
    const x1 = (inits: string | null) => columnOf(first(inits).blocks, 7)[0];
    expect(Math.abs(x1('pathfinder') - 500)).toBeLessThan(10);
    expect(x1('pathfinder')).toBe(x1('pathfinder'));
    expect(Math.abs(x1('multi-pathfinder') - 500)).toBeLessThan(10);
    expect(x1('multi-pathfinder')).toBe(x1('multi-pathfinder'));
  });

  it('from several paths leave a minor mode, but keep modes of equal mass', () => {
    // modes at −8 and 8; `lesser` is how much lower the log density of the second is
    const modes = (lesser: number) =>
      analyticModel({
        names: ['x'],
        density([x], gradient) {
          const [a, b] = [-0.5 * (x + 8) ** 2, -0.5 * (x - 8) ** 2 - lesser];
          const top = Math.max(a, b);
          const sum = Math.exp(a - top) + Math.exp(b - top);
          const share = Math.exp(a - top) / sum;
          gradient[0] = -(x + 8) * share - (x - 8) * (1 - share);
          return top + Math.log(sum);
        },
      });
    const rightStarts = (lesser: number, inits: string) => {
      const settings = settingsFor({ inits, num_warmup: 0, num_samples: 1 });
      const starts = Array.from({ length: 20 }, (_, c) => {
        const { blocks } = createChain({ model: modes(lesser), settings, chain: c + 1 }).advance();
        return columnOf(blocks, 7)[0];
      });
      return starts.filter((x) => x > 0).length;
    };
    expect(rightStarts(8, 'pathfinder')).toBeGreaterThan(3);
    expect(rightStarts(8, 'multi-pathfinder')).toBeLessThan(rightStarts(8, 'pathfinder') / 3);
    expect(rightStarts(0, 'multi-pathfinder')).toBeGreaterThan(3);
    expect(rightStarts(0, 'multi-pathfinder')).toBeLessThan(17);
  });

  /** Normal around 5 above 0, falling forever below 0. */
  const halfLost = analyticModel({
    names: ['x'],
    density([x], gradient) {
      gradient[0] = x > 0 ? 5 - x : -1;
      return x > 0 ? 5 * x - 0.5 * x * x : -x;
    },
  });
  const startsOf = (inits: string) => {
    const settings = settingsFor({ inits, num_warmup: 0, num_samples: 1 });
    return Array.from({ length: 12 }, (_, c) => {
      const log: string[] = [];
      const onLog = (line: string) => log.push(line);
      const chain = createChain({ model: halfLost, settings, chain: c + 1, onLog });
      chain.advance();
      return log;
    });
  };

  it('are random when there is no approximation, which is logged', () => {
    const logs = startsOf('pathfinder');
    const lost = 'Pathfinder found no starting point: the chain starts at random.';
    expect(logs.some((log) => log.length === 0)).toBe(true);
    expect(logs.filter((log) => log.length > 0)).not.toEqual([]);
    for (const log of logs) expect(log.slice(0, 1)).toEqual(log.length > 0 ? [lost] : []);
  });

  it('come from the other paths when one of several fails', () => {
    for (const log of startsOf('multi-pathfinder')) expect(log).toEqual([]);
  });
});
