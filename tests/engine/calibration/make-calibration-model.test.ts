import { describe, expect, it } from 'vitest';
import { makeCalibrationModel } from '../../../src/engine/calibration/make-calibration-model.ts';
import type { CalibrationSettings } from '../../../src/engine/chain-state.ts';
import { chainSettings } from '../../support/run-model.ts';
import { seededRng } from '../../support/seeded-rng.ts';

const program = (flag = 'prior_only', bound = '') => `
data { int N; vector${bound}[N] y; int<lower=0, upper=1> ${flag}; }
transformed data { real shift = normal_rng(0, 1); }
parameters { real mu; }
model { mu ~ normal(3, 1); if (${flag} == 0) y ~ normal(mu, 1); }
generated quantities {
  vector[N] y_rep;
  for (n in 1:N) y_rep[n] = normal_rng(mu, 1);
  real shifted = shift;
}`;
const data = { N: 4, y: [1, 2, 3, 4] };
const settings = { ...chainSettings, numWarmup: 30, numSamples: 10 };

function make(
  chain: number,
  {
    source = program(),
    given = data as Readonly<Record<string, unknown>>,
    choice = {} as Partial<CalibrationSettings>,
    beat = () => {},
  } = {},
) {
  return makeCalibrationModel({
    options: { source, data: given },
    settings,
    choice: { simulated: null, priorFlag: null, ...choice },
    chain,
    log: () => {},
    beat,
  });
}

function modelOf(...request: Parameters<typeof make>) {
  const made = make(...request);
  if (!made.ok) throw new Error(made.message);
  return made.model;
}

/** Density and slope at mu = 0 and 1. */
function densities(...request: Parameters<typeof make>) {
  const model = modelOf(...request);
  return [0, 1].map((mu) => {
    const gradient = new Float64Array(1);
    return [model.logDensityGradient(Float64Array.of(mu), gradient), gradient[0]];
  });
}

describe('the model of a simulation', () => {
  it('is the posterior of its own simulated data, which depend on the chain', () => {
    const first = densities(1);
    // prior and four observations
    expect(first[1][1] - first[0][1]).toBeCloseTo(-5, 10);
    expect(densities(1)).toEqual(first);
    expect(densities(2)[0]).not.toEqual(first[0]);
    const { columns } = modelOf(1);
    expect(columns.slice(-2)).toEqual(['lp_true__', 'mu_true__']);
  });

  it('shares transformed data with the other chains', () => {
    const shift = (chain: number) => {
      const model = modelOf(chain);
      const out = new Float64Array(model.columns.length);
      model.constrain(Float64Array.of(0), seededRng(1), out);
      return out[model.columns.indexOf('shifted')];
    };
    expect(shift(2)).toBe(shift(1));
  });

  it('needs no prior flag in the data and ignores one that is present', () => {
    const first = densities(1);
    for (const flag of [0, 1])
      expect(densities(1, { given: { ...data, prior_only: flag } })).toEqual(first);
    const named = { source: program('no_lik'), choice: { priorFlag: 'no_lik' } };
    expect(densities(1, named)).toEqual(first);
  });

  it('sends heartbeats while it simulates', () => {
    let beats = 0;
    make(1, {
      beat: () => {
        beats += 1;
      },
    });
    expect(beats).toBe(40);
  });

  it('fails when the program rejects the simulated data', () => {
    const source = program('prior_only', '<upper=-100>');
    const given = { ...data, y: [-101, -102, -103, -104] };
    expect(() => make(1, { source, given })).toThrow(
      expect.objectContaining({
        reason: 'no-simulation',
        message: expect.stringMatching(
          /^The simulation failed: the program rejects its data: `y\[1\]` is .*at most -100/,
        ),
      }),
    );
  });

  it('is refused for a program that cannot simulate its data, and for invalid programs or data', () => {
    expect(() =>
      make(1, { source: 'parameters { real mu; } model { mu ~ normal(0, 1); }' }),
    ).toThrow(
      expect.objectContaining({
        reason: 'program-invalid',
        message: expect.stringMatching(/^This program cannot simulate its data\./),
      }),
    );
    expect(make(1, { source: 'parameters { real mu }' })).toMatchObject({ ok: false });
    expect(make(1, { given: { N: 4 } })).toMatchObject({
      ok: false,
      message: expect.stringContaining('`y` is missing from the data'),
    });
  });
});
