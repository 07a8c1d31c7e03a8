/** Compiles, evaluates and differentiates small Stan programs in tests. */
import { compileModel, type ModelOptions } from '../../src/engine/compile-model.ts';
import type { Model } from '../../src/engine/model.ts';
import { render } from '../../src/language/diagnostics.ts';
import type { DataJson } from '../../src/language/program.ts';
import { createRng } from '../../src/math/random/xoshiro.ts';

type Options = Partial<Omit<ModelOptions, 'source' | 'data'>>;

export const testRng = (seed = 1) => createRng(seed, 1, 'transformed data');

/** The model of a program that must compile and accept its data; throws the compiler's message otherwise. */
export function modelOf(source: string, data: DataJson = {}, options: Options = {}): Model {
  const result = compileModel({ source, data, rng: testRng(), ...options });
  if (result.ok) return result.model;
  const problems = result.diagnostics.map((diagnostic) => render(diagnostic, result.files));
  throw new Error([result.message, ...problems].join('\n'));
}

/** The message with which a program or its data is rejected. */
export function refusalOf(source: string, data: DataJson = {}): string {
  const result = compileModel({ source, data, rng: testRng() });
  if (result.ok) throw new Error('the program was accepted');
  return result.message;
}

export function emittedText(source: string): string {
  const result = compileModel({ source, data: {}, rng: testRng() });
  if (!result.ok) throw new Error(result.message);
  return result.program.javascript;
}

/** D standard normal values. */
export function pointOf(model: Model, seed: number): Float64Array {
  const rng = testRng(seed);
  return Float64Array.from({ length: model.numUnconstrained }, () => rng.normal());
}

export function logDensityAt(model: Model, theta: Float64Array): number {
  return model.logDensityGradient(theta, new Float64Array(theta.length));
}

/** Output columns by name at `theta` (default: zeros). */
export function outputsAt(
  model: Model,
  theta: Float64Array = new Float64Array(model.numUnconstrained),
  seed = 1,
): Record<string, number> {
  const out = new Float64Array(model.columns.length);
  model.constrain(theta, testRng(seed), out);
  return Object.fromEntries(model.columns.map((column, i) => [column, out[i]]));
}

/** The largest difference between gradient and central differences, relative to their size, at a random point. */
export function gradientError(model: Model, seed: number): number {
  const theta = pointOf(model, seed);
  const gradient = new Float64Array(theta.length);
  model.logDensityGradient(theta, gradient);
  let worst = 0;
  theta.forEach((x, i) => {
    const h = 1e-4 * Math.max(1, Math.abs(x));
    const at = (step: number) => {
      const moved = theta.slice();
      moved[i] += step;
      return logDensityAt(model, moved);
    };
    // fourth order, so that the differences are accurate to about 1e-10
    const slope = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
    const error = Math.abs(slope - gradient[i]) / Math.max(1, Math.abs(slope));
    worst = Math.max(worst, Number.isNaN(error) ? Number.POSITIVE_INFINITY : error);
  });
  return worst;
}
