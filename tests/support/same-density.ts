/** Compares two equivalent programs at a few points. Separate from `stan-program.ts`, which benchmarks use without vitest. */
import { expect } from 'vitest';
import type { Model } from '../../src/engine/model.ts';
import { pointOf } from './stan-program.ts';

/** Checks that log density and gradient of two programs with the same parameters agree at three points. */
export function expectSameDensity(a: Model, b: Model, relative: number): void {
  for (const seed of [1, 2, 3]) {
    const theta = pointOf(a, seed);
    const [first, second] = [a, b].map((model) => {
      const gradient = new Float64Array(theta.length);
      return [model.logDensityGradient(theta, gradient), ...gradient];
    });
    for (const [i, x] of first.entries())
      expect(Math.abs(x - second[i])).toBeLessThan(relative * Math.max(1, Math.abs(x)));
  }
}
