/** Profiles: what is counted and timed, and that it changes nothing else. */
import { describe, expect, it } from 'vitest';
import { createChain } from '../../src/engine/chain.ts';
import { combineProfiles, Profiler, profileFigures } from '../../src/engine/profiler.ts';
import { Tape } from '../../src/math/autodiff/tape.ts';
import { chainSettings } from '../support/run-model.ts';
import { expectSameDensity } from '../support/same-density.ts';
import { logDensityAt, modelOf, outputsAt } from '../support/stan-program.ts';

const program = (profile: (name: string) => string) => `
functions { real twice(real x) { ${profile('inner')} { return 2 * x; } } }
data { int N; vector[N] y; }
parameters { real mu; real<lower=0> sigma; }
transformed parameters { real shifted = twice(mu) - mu; }
model {
  ${profile('prior')} { mu ~ normal(0, 5); sigma ~ exponential(1); }
  ${profile('likelihood')} {
    vector[N] scaled = (y - shifted) / sigma;
    for (n in 1:N) target += -0.5 * square(scaled[n]) - log(sigma);
    if (mu > 100) reject("too far");
  }
}
generated quantities { ${profile('draws')} { } real rep = normal_rng(mu, sigma); }`;

const profiled = program((name) => `profile("${name}")`);
const data = { N: 4, y: [0.3, -1, 2, 0.4] };

describe('a program with profiles', () => {
  it('has the same density and gradient as without profiles', () => {
    expectSameDensity(
      modelOf(profiled, data),
      modelOf(
        program(() => ''),
        data,
      ),
      1e-13,
    );
  });

  it('counts evaluations with derivatives and without', () => {
    const model = modelOf(profiled, data);
    for (let k = 0; k < 3; k++) logDensityAt(model, Float64Array.of(0.1 * k, 0));
    outputsAt(model);
    const calls = model.profiles?.().map((one) => [one.name, one.gradientCalls, one.valueCalls]);
    expect(calls).toEqual([
      ['inner', 3, 1],
      ['prior', 3, 0],
      ['likelihood', 3, 0],
      ['draws', 0, 1],
    ]);
    for (const { forwardSeconds, reverseSeconds } of model.profiles?.() ?? []) {
      expect(forwardSeconds).toBeGreaterThan(0);
      expect(reverseSeconds).toBeGreaterThanOrEqual(0);
    }
  });

  it('counts a rejected point and continues', () => {
    const model = modelOf(profiled, data);
    expect(() => logDensityAt(model, Float64Array.of(200, 0))).toThrow('too far');
    logDensityAt(model, Float64Array.of(0, 0));
    const likelihood = model.profiles?.().find(({ name }) => name === 'likelihood');
    expect(likelihood?.gradientCalls).toBe(2);
  });
});

it('a profile times only its statements and their reverse sweep', () => {
  let now = 0;
  const profiler = new Profiler(() => now);
  const tape = new Tape();
  tape.reset(Float64Array.of(3));
  const waits = (ms: number) =>
    tape.block(1, () => {
      now += ms;
    });
  waits(1000);
  profiler.begin('outer', tape);
  now += 5;
  waits(20);
  profiler.begin('inner', tape);
  now += 2;
  waits(7);
  profiler.end('inner', tape);
  profiler.end('outer', tape);
  const last = waits(1000);
  tape.sweep(last, new Float64Array(1));
  const [outer, inner] = profiler.times();
  expect(outer).toMatchObject({ name: 'outer', forwardSeconds: 0.007, reverseSeconds: 0.027 });
  expect(inner).toMatchObject({ name: 'inner', forwardSeconds: 0.002, reverseSeconds: 0.007 });
});

it('a profile that is left before its end counts no reverse sweep', () => {
  let now = 0;
  const profiler = new Profiler(() => ++now);
  const tape = new Tape();
  tape.reset(Float64Array.of(3));
  profiler.begin('left', tape);
  tape.sweep(
    tape.block(1, () => {}),
    new Float64Array(1),
  );
  expect(profiler.times()).toEqual([
    { name: 'left', forwardSeconds: 0, reverseSeconds: 0, gradientCalls: 0, valueCalls: 0 },
  ]);
});

it('a profile times every call of a recursive function', () => {
  let now = 0;
  const profiler = new Profiler(() => now);
  const enter = (depth: number) => {
    profiler.begin('f', null);
    now += 1;
    if (depth > 0) enter(depth - 1);
    profiler.end('f', null);
  };
  enter(2);
  profiler.end('f', null);
  profiler.end('never begun', null);
  // 3 + 2 + 1 milliseconds
  expect(profiler.times()).toEqual([
    { name: 'f', forwardSeconds: 0.006, reverseSeconds: 0, gradientCalls: 0, valueCalls: 3 },
  ]);
});

describe('times of profiles', () => {
  const a = {
    name: 'a',
    forwardSeconds: 0.5,
    reverseSeconds: 0.25,
    gradientCalls: 5,
    valueCalls: 7,
  };
  const b = { ...a, name: 'b' };
  const half = {
    name: 'b',
    forwardSeconds: 0.25,
    reverseSeconds: 0.125,
    gradientCalls: 2,
    valueCalls: 3,
  };

  it('are added and subtracted name by name', () => {
    expect(combineProfiles([a], [])).toEqual([a]);
    expect(combineProfiles([], [a])).toEqual([a]);
    expect(combineProfiles([a, b], [half])).toEqual([
      a,
      {
        name: 'b',
        forwardSeconds: 0.75,
        reverseSeconds: 0.375,
        gradientCalls: 7,
        valueCalls: 10,
      },
    ]);
    expect(combineProfiles([b], [half, a], -1)).toEqual([
      { name: 'b', forwardSeconds: 0.25, reverseSeconds: 0.125, gradientCalls: 3, valueCalls: 4 },
      {
        name: 'a',
        forwardSeconds: -0.5,
        reverseSeconds: -0.25,
        gradientCalls: -5,
        valueCalls: -7,
      },
    ]);
  });

  it('are named as in CmdStan', () => {
    expect(profileFigures(a)).toEqual({
      name: 'a',
      total_time: 0.75,
      forward_time: 0.5,
      reverse_time: 0.25,
      autodiff_calls: 5,
      no_autodiff_calls: 7,
    });
  });
});

describe('a chain', () => {
  const settings = { ...chainSettings, numWarmup: 30, numSamples: 20 };

  it('reports its own profiles, not those of an earlier chain on the same model', () => {
    const model = modelOf(profiled, data);
    const gradientsOf = (chain: number) => {
      const made = createChain({ model, settings, chain });
      made.advance();
      return made.progress().profiles?.find(({ name }) => name === 'prior')?.gradientCalls;
    };
    const alone = gradientsOf(1);
    expect(alone).toBeGreaterThan(50);
    gradientsOf(2);
    expect(gradientsOf(1)).toBe(alone);
  });

  it('continues counting from its checkpoint', () => {
    const whole = createChain({ model: modelOf(profiled, data), settings, chain: 1 });
    whole.advance();
    const first = createChain({ model: modelOf(profiled, data), settings, chain: 1 });
    first.advance({ maxIterations: 25 });
    const checkpoint = JSON.parse(JSON.stringify(first.checkpoint()));
    const second = createChain({ model: modelOf(profiled, data), settings, chain: 1, checkpoint });
    second.advance();
    const calls = (chain: typeof whole) =>
      chain.progress().profiles?.map((one) => [one.name, one.gradientCalls, one.valueCalls]);
    expect(calls(second)).toEqual(calls(whole));
  });

  it('without profiles reports none', () => {
    const chain = createChain({
      model: modelOf(
        program(() => ''),
        data,
      ),
      settings,
      chain: 1,
    });
    chain.advance();
    expect('profiles' in chain.progress() || 'profiles' in chain.checkpoint()).toBe(false);
  });
});
