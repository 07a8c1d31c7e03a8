/** Short chains of every sampler and algorithm, for a test that a seed still gives the same draws. */
import { createChain } from '../../src/engine/chain.ts';
import { settingsOfChain } from '../../src/engine/chain-settings.ts';
import type { Model } from '../../src/engine/model.ts';
import { parseSettings } from '../../src/engine/settings.ts';
import {
  analyticModel,
  correlatedNormalModel,
  funnelModel,
  normalModel,
} from './analytic-models.ts';
import { columnOf } from './run-model.ts';

interface PinnedChain {
  readonly model: Model;
  readonly settings: Readonly<Record<string, unknown>>;
}

const funnel = funnelModel(2);
const nuts = { num_warmup: 200, num_samples: 20 };
const stan = { ...nuts, adaptation: 'stan' };
const walnuts = { ...stan, sampler: 'walnuts' };

/** Scales from one to five, and a common part. */
function wideModel(count: number): Model {
  const names = Array.from({ length: count }, (_, i) => `x${i + 1}`);
  return analyticModel({
    names,
    density(theta, gradient) {
      let common = 0;
      for (let i = 0; i < count; i++) common += theta[i];
      let sum = -common * common;
      for (let i = 0; i < count; i++) {
        const sd = 1 + (i % 5);
        const z = theta[i] / sd;
        sum -= 0.5 * z * z;
        gradient[i] = -z / sd - 2 * common;
      }
      return sum;
    },
  });
}

const wide = wideModel(30);

/** Rosenbrock's valley, upside down. */
const valley = analyticModel({
  names: ['x', 'y'],
  density([x, y], gradient) {
    const off = y - x * x;
    gradient[0] = 40 * x * off + 2 * (1 - x);
    gradient[1] = -20 * off;
    return -10 * off * off - (1 - x) ** 2;
  },
});

/** Defined above 0 only, with its mode at 2. */
const gamma = analyticModel({
  names: ['x'],
  density([x], gradient) {
    if (!(x > 0)) return Number.NEGATIVE_INFINITY;
    gradient[0] = 4 / x - 2;
    return 4 * Math.log(x) - 2 * x;
  },
});

const scaled = normalModel([1, -2, 30], [1, 4, 0.1]);
const correlated = correlatedNormalModel(0.8);
const draws = { num_samples: 30 };
const advi = { algorithm: 'advi', ...draws, iter: 300, eval_elbo: 50, elbo_samples: 20 };
const pathfinder = { algorithm: 'pathfinder', ...draws };

export const pinnedChains: Readonly<Record<string, PinnedChain>> = {
  'nuts, diag': { model: funnel, settings: stan },
  'nuts, dense': { model: funnel, settings: { ...stan, metric: 'dense' } },
  'nuts, unit': { model: funnel, settings: { ...stan, metric: 'unit' } },
  'nuts, diag by Fisher divergence': { model: funnel, settings: { ...nuts, metric: 'diag' } },
  'nuts, dense by Fisher divergence': { model: funnel, settings: { ...nuts, metric: 'dense' } },
  'nuts, low-rank': { model: funnel, settings: nuts },
  'nuts, low-rank of many parameters': {
    model: wide,
    settings: { num_warmup: 120, num_samples: 10 },
  },
  'nuts, low-rank in the memory of the kernels': {
    model: wideModel(41),
    settings: { num_warmup: 120, num_samples: 10 },
  },
  'nuts, shallow trees': { model: funnel, settings: { ...stan, max_treedepth: 2 } },
  walnuts: { model: funnel, settings: walnuts },
  'nuts from pathfinder': {
    model: scaled,
    settings: { num_warmup: 5, num_samples: 5, adaptation: 'stan', inits: 'pathfinder' },
  },
  'nuts from multi-pathfinder': {
    model: scaled,
    settings: { num_warmup: 5, num_samples: 5, adaptation: 'stan', inits: 'multi-pathfinder' },
  },
  optimize: { model: scaled, settings: { algorithm: 'optimize' } },
  'optimize in a valley': { model: valley, settings: { algorithm: 'optimize' } },
  'optimize of a half line': {
    model: gamma,
    settings: { algorithm: 'optimize', inits: { x: 0.01 }, init_alpha: 1 },
  },
  laplace: { model: valley, settings: { algorithm: 'laplace', ...draws } },
  'pathfinder, one path': { model: valley, settings: { ...pathfinder, num_paths: 1 } },
  'pathfinder, three paths': { model: correlated, settings: { ...pathfinder, num_paths: 3 } },
  'pathfinder, short history': {
    model: wide,
    settings: { ...pathfinder, num_paths: 1, history_size: 3 },
  },
  'pathfinder, three paths as they are': {
    model: valley,
    settings: { ...pathfinder, num_paths: 3, psis_resample: false },
  },
  'advi, meanfield': { model: correlated, settings: advi },
  'advi, fullrank': {
    model: correlated,
    settings: { ...advi, approximation: 'fullrank', grad_samples: 3 },
  },
  'advi with a given eta': { model: scaled, settings: { ...advi, eta: 0.5, iter: 120 } },
  fixed_param: { model: scaled, settings: { algorithm: 'fixed_param', ...draws, thin: 3 } },
};

export interface PinnedSummary {
  /** Means over all draws, including warmup, column by column. */
  readonly means: readonly number[];
  readonly log: readonly string[];
}

export function summaryOf({ model, settings }: PinnedChain): PinnedSummary {
  const parsed = parseSettings({ seed: 4, ...settings });
  if (!parsed.ok) throw new Error(parsed.error.message);
  const log: string[] = [];
  const chain = createChain({
    model,
    settings: settingsOfChain(parsed.settings, { seed: 4, chain: 1, streamWarmup: true }),
    chain: 1,
    onLog: (line) => log.push(line),
  });
  const { status, blocks } = chain.advance();
  if (status !== 'finished') throw new Error(`the chain is ${status}`);
  const means = chain.columns.map((_, c) => {
    const all = [...columnOf(blocks, c, 'warmup'), ...columnOf(blocks, c)];
    return all.reduce((sum, value) => sum + value, 0) / all.length;
  });
  return { means, log };
}
