/** Calibration of correct programs and of programs with known faults, as a user runs it. */
import { describe, expect, it } from 'vitest';
import { calibrateProgram, simulationDraws } from '../../support/calibrate.ts';
import { rightPrograms, wrongPrograms } from '../../support/calibration-programs.ts';

describe('simulation-based calibration', () => {
  it.each(Object.entries(rightPrograms))('finds %s uniform', (_, program) => {
    const { verdict, calibration } = calibrateProgram(program);
    expect(verdict.headline).toBe('No miscalibration found in 100 simulations');
    expect(verdict.state).toBe('good');
    expect(calibration.chains).toHaveLength(100);
  });

  it.each(Object.entries(wrongPrograms))('catches %s', (_, program) => {
    const { verdict } = calibrateProgram(program);
    expect(verdict.headline).toMatch(program.says);
    expect(verdict.state).toBe('bad');
  });
});

describe('a simulation', () => {
  const program = rightPrograms['eight schools, non-centred'];
  if (program === undefined) throw new Error('no such program');
  const settings = { num_warmup: 60, num_samples: 40 };

  it('is determined by the seed and its number', () => {
    const first = simulationDraws(program, 3, { seed: 9, settings });
    expect(simulationDraws(program, 3, { seed: 9, settings })).toEqual(first);
    const truthOf = (draws: ReadonlyMap<string, Float64Array>) => draws.get('mu_true__')?.[0];
    const others = [
      simulationDraws(program, 4, { seed: 9, settings }),
      simulationDraws(program, 3, { seed: 10, settings }),
    ];
    for (const other of others) expect(truthOf(other)).not.toBe(truthOf(first));
  });

  it('keeps true values with its draws, including transformed parameters and log density', () => {
    const draws = simulationDraws(program, 1, { settings });
    const value = (name: string) => draws.get(name)?.[0] ?? Number.NaN;
    for (let j = 1; j <= 8; j++)
      expect(value(`theta_true__[${j}]`)).toBeCloseTo(
        value('mu_true__') + value('tau_true__') * value(`theta_tilde_true__[${j}]`),
        12,
      );
    for (const [name, values] of draws)
      if (name.includes('_true__')) expect(new Set(values).size).toBe(1);
    expect(Number.isFinite(value('lp_true__'))).toBe(true);
  });

  it('draws true values from the prior', () => {
    // sd of y is exact in the data, so y_rep shows theta: over many simulations, standardised, it is standard normal
    const draws = Array.from({ length: 60 }, (_, n) =>
      simulationDraws(program, n + 1, { settings: { num_warmup: 60, num_samples: 1 } }),
    );
    const tau = draws.map((one) => one.get('tau_true__')?.[0] ?? Number.NaN);
    // half-normal of scale 5
    const mean = tau.reduce((sum, value) => sum + value, 0) / tau.length;
    expect(Math.abs(mean - 5 * Math.sqrt(2 / Math.PI))).toBeLessThan(4 * (3 / Math.sqrt(60)));
  });

  it('fails with a reason when the program rejects the simulated data', () => {
    const source = `data { real<lower=0> y; int prior_only; }
parameters { real mu; }
model { mu ~ normal(-50, 1); if (prior_only == 0) y ~ normal(mu, 1); }
generated quantities { real y_rep = normal_rng(mu, 1); }`;
    expect(() => simulationDraws({ source, data: { y: 1, prior_only: 0 } }, 1)).toThrow(
      /^The simulation failed: the program rejects its data: .*y/,
    );
  });

  it('samples the posterior whatever the value of the prior flag in the data', () => {
    const set = { ...program, data: { ...program.data, prior_only: 1 } };
    expect(simulationDraws(set, 2, { settings })).toEqual(
      simulationDraws(program, 2, { settings }),
    );
  });
});
