/** Hand-written models whose posteriors are known, for tests of the sampler without the language. */

import type { Model } from '../../src/engine/model.ts';
import { DomainError } from '../../src/math/errors.ts';
import type { Rng } from '../../src/math/random/rng.ts';

interface AnalyticModel {
  readonly names: readonly string[];
  readonly density: (theta: Float64Array, gradient: Float64Array) => number;
  /** Constrained parameters, then generated quantities; the unconstrained values if absent. */
  readonly constrain?: (theta: Float64Array, rng: Rng, out: Float64Array) => void;
  readonly unconstrain?: (inits: Readonly<Record<string, unknown>>, theta: Float64Array) => void;
  readonly generated?: readonly string[];
}

/** A model with scalar parameters, from its density. */
export function analyticModel(parts: AnalyticModel): Model {
  const columns = [...parts.names, ...(parts.generated ?? [])];
  return {
    numUnconstrained: parts.names.length,
    columns,
    variables: columns.map((name, i) => ({
      name,
      block: i < parts.names.length ? ('parameters' as const) : ('generated quantities' as const),
      dims: [],
      isInt: false,
    })),
    logDensityGradient: parts.density,
    constrain: parts.constrain ?? ((theta, _rng, out) => out.set(theta)),
    unconstrain:
      parts.unconstrain ??
      ((inits, theta) => {
        parts.names.forEach((name, i) => {
          if (name in inits) theta[i] = Number(inits[name]);
        });
      }),
  };
}

/** Independent normals with the given means and standard deviations, with one normal draw as a generated quantity. */
export function normalModel(means: readonly number[], sds: readonly number[]): Model {
  return analyticModel({
    names: means.map((_, i) => `x${i + 1}`),
    generated: ['noise'],
    density(theta, gradient) {
      let sum = 0;
      for (let i = 0; i < means.length; i++) {
        const z = (theta[i] - means[i]) / sds[i];
        gradient[i] = -z / sds[i];
        sum -= 0.5 * z * z;
      }
      return sum;
    },
    constrain(theta, rng, out) {
      out.set(theta);
      out[theta.length] = rng.normal();
    },
  });
}

/** `numParameters` independent standard normals. */
export function standardNormalModel(numParameters: number): Model {
  return normalModel(
    Array.from({ length: numParameters }, () => 0),
    Array.from({ length: numParameters }, () => 1),
  );
}

/** Two standard normals with correlation `rho`: precision [[1, −ρ], [−ρ, 1]] / (1 − ρ²). */
export function correlatedNormalModel(rho: number): Model {
  return analyticModel({
    names: ['x1', 'x2'],
    density([x1, x2], gradient) {
      const scale = 1 / (1 - rho * rho);
      gradient[0] = -scale * (x1 - rho * x2);
      gradient[1] = -scale * (x2 - rho * x1);
      return 0.5 * (x1 * gradient[0] + x2 * gradient[1]);
    },
  });
}

/** Neal's funnel: v ~ normal(0, 3), x ~ normal(0, exp(v / 2)). Step sizes that suit its mouth diverge in its neck. */
export function funnelModel(numX = 9): Model {
  return analyticModel({
    names: ['v', ...Array.from({ length: numX }, (_, i) => `x${i + 1}`)],
    density(theta, gradient) {
      const v = theta[0];
      const precision = Math.exp(-v);
      let squares = 0;
      for (let i = 1; i <= numX; i++) {
        squares += theta[i] * theta[i];
        gradient[i] = -theta[i] * precision;
      }
      gradient[0] = -v / 9 - numX / 2 + 0.5 * squares * precision;
      return (-v * v) / 18 - (numX * v) / 2 - 0.5 * squares * precision;
    },
  });
}

/** sigma ~ half-normal(0, scale), sampled as log sigma: E[sigma] = scale √(2/π), E[sigma²] = scale². */
export function halfNormalModel(scale: number): Model {
  return analyticModel({
    names: ['sigma'],
    density([logSigma], gradient) {
      const z = Math.exp(logSigma) / scale;
      gradient[0] = 1 - z * z;
      return logSigma - 0.5 * z * z;
    },
    constrain: (theta, _rng, out) => {
      out[0] = Math.exp(theta[0]);
    },
    unconstrain(inits, theta) {
      if (!('sigma' in inits)) return;
      const sigma = Number(inits.sigma);
      if (!(sigma > 0)) throw new DomainError(`sigma must be positive, but is ${sigma}`);
      theta[0] = Math.log(sigma);
    },
  });
}

/** No parameters: one uniform generated quantity per draw. */
export function generatedOnlyModel(): Model {
  return analyticModel({
    names: [],
    generated: ['u'],
    density: () => 0,
    constrain: (_theta, rng, out) => {
      out[0] = rng.uniform();
    },
  });
}
