import { describe, expect, it } from 'vitest';
import type { LogDensity } from '../../../src/engine/fit/fit.ts';
import {
  createFullRank,
  createMeanField,
  type VariationalFamily,
} from '../../../src/engine/fit/variational-family.ts';
import { normalsRng } from '../../support/seeded-rng.ts';

const start = Float64Array.of(1, -2, 0.5);
const z = [2, -1, 3];

/** −½ Σ i x²: its slopes are −x, −2 x, −3 x. */
const density: LogDensity = (q, gradient) => {
  let sum = 0;
  for (let i = 0; i < q.length; i++) {
    gradient[i] = -(i + 1) * q[i];
    sum += 0.5 * q[i] * gradient[i];
  }
  return sum;
};

function drawn(family: VariationalFamily) {
  const q = new Float64Array(family.size);
  const square = family.draw(normalsRng(z), q);
  return { q: [...q], square };
}

function gradientOf(family: VariationalFamily, logDensity = density, count = 2) {
  const out = new Float64Array(family.parameters.length).fill(7);
  family.elboGradient({ logDensity, rng: normalsRng([...z, ...z]), count }, out);
  return [...out];
}

/** Zero density at its first evaluation. */
function undefinedAtFirst(): LogDensity {
  let calls = 0;
  return (q, gradient) => {
    const value = density(q, gradient);
    return calls++ === 0 ? Number.NEGATIVE_INFINITY : value;
  };
}

const close = (values: readonly number[]) => values.map((value) => expect.closeTo(value, 12));

describe('independent normals', () => {
  const made = () => {
    const family = createMeanField(start);
    family.parameters.set([0, Math.log(2), Math.log(0.5)], 3);
    return family;
  };
  const sds = [1, 2, 0.5];
  const q = [1 + 2, -2 - 2, 0.5 + 1.5];

  it('start with standard deviations of 1 around the starting point', () => {
    const family = createMeanField(start);
    expect(family.size).toBe(3);
    expect([...family.parameters]).toEqual([1, -2, 0.5, 0, 0, 0]);
    expect(drawn(family).q).toEqual([3, -3, 3.5]);
  });

  it('draw around their means and compute their entropy', () => {
    const family = made();
    expect(drawn(family)).toEqual({ q: close(q), square: 14 });
    expect(family.entropy()).toBeCloseTo(Math.log(2) + Math.log(0.5), 12);
    const mean = family.mean();
    expect([...mean]).toEqual([...start]);
    mean[0] = 9;
    expect([...family.mean()]).toEqual([...start]);
  });

  it('estimate the gradient of the ELBO, with undefined draws counted as zero', () => {
    const slopes = q.map((value, i) => -(i + 1) * value);
    const scales = slopes.map((slope, i) => slope * z[i] * sds[i]);
    expect(gradientOf(made())).toEqual(close([...slopes, ...scales.map((value) => value + 1)]));
    expect(gradientOf(made(), undefinedAtFirst())).toEqual(
      close([...slopes.map((slope) => slope / 2), ...scales.map((value) => value / 2 + 1)]),
    );
  });
});

describe('a full-rank normal', () => {
  const factor = [2, 0.5, -1, 3, 1, 4];
  const made = () => {
    const family = createFullRank(start);
    family.parameters.set(factor, 3);
    return family;
  };
  // rows of the factor times (2, −1, 3)
  const q = [1 + 4, -2 + 1 + 1, 0.5 + 6 - 1 + 12];

  it('begins as a standard normal around the start', () => {
    const family = createFullRank(start);
    expect([...family.parameters]).toEqual([1, -2, 0.5, 1, 0, 1, 0, 0, 1]);
    expect(drawn(family).q).toEqual([3, -3, 3.5]);
    expect(family.size).toBe(3);
  });

  it('draws around its mean and computes its entropy', () => {
    const family = made();
    expect(drawn(family)).toEqual({ q: close(q), square: 14 });
    expect(family.entropy()).toBeCloseTo(Math.log(2) + Math.log(1) + Math.log(4), 12);
    expect([...family.mean()]).toEqual([...start]);
  });

  it('estimates the gradient of the ELBO, with undefined draws counted as zero', () => {
    const slopes = q.map((value, i) => -(i + 1) * value);
    const triangle = slopes.flatMap((slope, i) => z.slice(0, i + 1).map((one) => slope * one));
    const inverse = [1 / 2, 0, -1, 0, 0, 1 / 4];
    const plus = (values: readonly number[]) => values.map((value, k) => value + inverse[k]);
    expect(gradientOf(made())).toEqual(close([...slopes, ...plus(triangle)]));
    expect(gradientOf(made(), undefinedAtFirst())).toEqual(
      close([...slopes.map((slope) => slope / 2), ...plus(triangle.map((value) => value / 2))]),
    );
  });
});
