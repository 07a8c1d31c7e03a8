import { describe, expect, it } from 'vitest';
import {
  averagedStepSize,
  learnStepSize,
  startDualAveraging,
} from '../../../src/engine/adaptation/dual-averaging.ts';
import { seededRng } from '../../support/seeded-rng.ts';

describe('dual averaging', () => {
  it('follows the recursion of the paper', () => {
    const state = startDualAveraging(0.5);
    // first step by hand: eta = 1/11, s = (0.8 − 0.3)/11, x = log 5 − s/0.05
    const first = Math.log(5) - 0.5 / 11 / 0.05;
    expect(learnStepSize(state, 0.3, 0.8)).toBeCloseTo(Math.exp(first), 12);
    expect(averagedStepSize(state)).toBeCloseTo(Math.exp(first), 12);
    // second: eta = 1/12, s = 11/12 · 0.5/11 + (0.8 − 1)/12, x = log 5 − s √2/0.05
    const second = Math.log(5) - ((0.5 / 12 - 0.2 / 12) * Math.SQRT2) / 0.05;
    expect(learnStepSize(state, 1.7, 0.8)).toBeCloseTo(Math.exp(second), 12);
    const weight = 2 ** -0.75;
    expect(averagedStepSize(state)).toBeCloseTo(
      Math.exp((1 - weight) * first + weight * second),
      12,
    );
  });

  it.each([0.6, 0.8, 0.95])('finds the step size whose acceptance is %f', (delta) => {
    // acceptance exp(−size), observed with noise: the answer is −log(delta)
    const rng = seededRng(3);
    const state = startDualAveraging(1);
    let size = 1;
    for (let i = 0; i < 3000; i++) {
      const acceptance = Math.exp(-size) + 0.05 * (rng.uniform() - 0.5);
      size = learnStepSize(state, acceptance, delta);
    }
    expect(Math.exp(-averagedStepSize(state))).toBeCloseTo(delta, 2);
  });
});
