/** Models of a thread that runs several chains of a run, and what they report to the current chain. */
import { describe, expect, it } from 'vitest';
import type { ChainSettings } from '../../../src/engine/chain-state.ts';
import type { ModelHooks } from '../../../src/engine/workers/chain-loop.ts';
import { createStanModelMaker } from '../../../src/engine/workers/stan-model.ts';
import { chainSettings } from '../../support/run-model.ts';

const source = `
#include parts/loud.stan
transformed data { real shift = normal_rng(0, 1); loud(1); loud(2); }
parameters { real x; }
model { x ~ normal(shift, 1); loud(3); }`;
const files = { 'parts/loud.stan': 'functions { void loud(int n) { print("at ", n); } }' };

function hooksOf() {
  const lines: string[] = [];
  let ticks = 0;
  const hooks: ModelHooks = {
    limits: { arrayBytes: 2 ** 24, flushMs: 1 },
    print: (text) => lines.push(text),
    tick: () => {
      ticks += 1;
    },
    beat: () => {},
    log: () => {},
  };
  return { hooks, lines, ticks: () => ticks };
}

const task = (chain: number, change: object = {}, settings: ChainSettings = chainSettings) => ({
  source,
  files,
  data: {},
  settings,
  chain,
  ...change,
});

function made(result: ReturnType<ReturnType<typeof createStanModelMaker>>) {
  if (!result.ok) throw new Error(result.error.message);
  return result.model;
}

const at = (model: ReturnType<typeof made>) =>
  model.logDensityGradient(Float64Array.of(0.5), new Float64Array(1));

describe('the models of a thread', () => {
  it('are reused by the next chain of the run, which receives earlier and new prints', () => {
    const make = createStanModelMaker();
    const [first, second] = [hooksOf(), hooksOf()];
    const model = made(make(task(1), first.hooks, false));
    expect(first.lines).toEqual(['at 1', 'at 2']);
    at(model);
    expect(first.lines).toEqual(['at 1', 'at 2', 'at 3']);
    expect(made(make(task(2), second.hooks, true))).toBe(model);
    expect(second.lines).toEqual(['at 1', 'at 2']);
    at(model);
    expect([first.lines.length, second.lines.at(-1)]).toEqual([3, 'at 3']);
  });

  it('share transformed data, which depend on the seed', () => {
    const density = (chain: number, settings = chainSettings) =>
      at(made(createStanModelMaker()(task(chain, {}, settings), hooksOf().hooks, false)));
    expect(density(2)).toBe(density(1));
    expect(density(1, { ...chainSettings, seed: 3 })).not.toBe(density(1));
  });

  it('are rebuilt for another run, or when there is none yet', () => {
    const make = createStanModelMaker();
    const model = made(make(task(1), hooksOf().hooks, true));
    expect(made(make(task(1), hooksOf().hooks, false))).not.toBe(model);
    const broken = { source: 'parameters { real x }', files: undefined };
    expect(make(task(1, broken), hooksOf().hooks, false)).toMatchObject({
      ok: false,
      error: {
        code: 'program-invalid',
        message: expect.any(String),
        details: {
          diagnostics: [expect.objectContaining({ severity: 'error' })],
          files: [expect.anything()],
        },
      },
    });
    // the previous model is not mistaken for the one that failed
    expect(made(make(task(1), hooksOf().hooks, true))).not.toBe(model);
  });

  it('tick regularly, and have the limits of the chain', () => {
    const long = {
      source:
        'transformed data { int n = 0; for (i in 1:300000) n += 1; } parameters { real x; } model { }',
      files: undefined,
    };
    const hooks = hooksOf();
    made(createStanModelMaker()(task(1, long), hooks.hooks, false));
    expect(hooks.ticks()).toBeGreaterThan(1);
    const large = {
      source: 'parameters { vector[100000] x; } model { target += sum(square(x)); }',
      files: undefined,
    };
    const { hooks: narrow } = hooksOf();
    const limits = { arrayBytes: 2 ** 16, flushMs: 1 };
    const model = made(createStanModelMaker()(task(1, large), { ...narrow, limits }, false));
    expect(() =>
      model.logDensityGradient(new Float64Array(100_000), new Float64Array(100_000)),
    ).toThrow(/MiB/);
  });

  it('of a calibration are built for each chain with its own data', () => {
    const source = `transformed data { real mu_ = normal_rng(0, 1); real y = normal_rng(mu_, 1); }
parameters { real mu; }
model { mu ~ normal(0, 1); y ~ normal(mu, 1); }
generated quantities { real mu_sim = mu_; }`;
    const settings = { ...chainSettings, calibration: { simulated: null, priorFlag: null } };
    const make = createStanModelMaker();
    const of = (chain: number) =>
      made(make(task(chain, { source, files: undefined }, settings), hooksOf().hooks, true));
    const [first, second] = [of(1), of(2)];
    expect(first.columns).toContain('mu_true__');
    expect(at(second)).not.toBe(at(first));
  });
});
