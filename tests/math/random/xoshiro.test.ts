import { describe, expect, it } from 'vitest';
import type { Rng } from '../../../src/math/random/rng.ts';
import { createRng, rngFromState } from '../../../src/math/random/xoshiro.ts';
import { phi } from '../../../src/math/special/erf.ts';

const take = (rng: Rng, n: number): number[] => Array.from({ length: n }, () => rng.uint32());

/** Largest distance of the empirical distribution of `draws` from `cdf`, times √n (Kolmogorov). */
function kolmogorov(draws: number[], cdf: (x: number) => number): number {
  const sorted = [...draws].sort((a, b) => a - b);
  const n = sorted.length;
  const distances = sorted.map((x, i) => Math.max(cdf(x) - i / n, (i + 1) / n - cdf(x)));
  return Math.sqrt(n) * Math.max(...distances);
}

describe('createRng', () => {
  it('repeats a stream for the same seed, chain and purpose', () => {
    expect(take(createRng(7, 2, 'sampler'), 50)).toEqual(take(createRng(7, 2, 'sampler'), 50));
  });

  it('gives different streams for different seeds, chains and purposes', () => {
    const streams = [
      createRng(7, 2, 'sampler'),
      createRng(8, 2, 'sampler'),
      createRng(7 + 2 ** 32, 2, 'sampler'),
      createRng(7, 3, 'sampler'),
      createRng(7, 2 + 1024, 'sampler'),
      createRng(7, 2, 'inits'),
    ].map((rng) => take(rng, 8).join());
    expect(new Set(streams).size).toBe(streams.length);
  });

  it('follows the reference sequence of xoshiro128++ from a given state', () => {
    // first outputs for the state 1, 2, 3, 4: result = rotl(s0 + s3, 7) + s0, worked out by hand for the first two
    const rng = rngFromState([1, 2, 3, 4]);
    expect(rng.uint32()).toBe(((5 << 7) >>> 0) + 1);
    // state after one step: s2 = 3^1 = 2, s3 = 4^2 = 6, s1 = 2^2 = 0, s0 = 1^6 = 7, s2 ^= 2<<9, s3 = rotl(6, 11)
    expect(rng.state()).toEqual([7, 0, 2 ^ (2 << 9), 6 << 11]);
    expect(rng.uint32()).toBe((((7 + (6 << 11)) << 7) >>> 0) + 7);
  });

  it('jumps chains of one run so far that neighbours share no state', () => {
    const a = createRng(1, 1, 'sampler');
    const seen = new Set(Array.from({ length: 2000 }, () => (a.uint32(), a.state().join())));
    const b = createRng(1, 2, 'sampler');
    for (let i = 0; i < 2000; i++) {
      b.uint32();
      expect(seen.has(b.state().join())).toBe(false);
    }
  });
});

describe('state', () => {
  it('continues bit-identically after any mix of draws', () => {
    const rng = createRng(99, 4, 'sampler');
    for (let i = 0; i < 137; i++) {
      rng.normal();
      rng.uniform();
      rng.exponential();
    }
    const copy = rngFromState(rng.state());
    const rest = (r: Rng) =>
      Array.from({ length: 100 }, () => [r.normal(), r.uniform(), r.exponential()]);
    expect(rest(copy)).toEqual(rest(rng));
  });

  it('survives JSON', () => {
    const rng = createRng(5, 1, 'inits');
    const copy = rngFromState(JSON.parse(JSON.stringify(rng.state())) as number[]);
    expect(copy.normal()).toBe(rng.normal());
  });
});

describe('distributions of the generator', () => {
  const n = 40_000;
  // 1.95 is exceeded once in a thousand times; the seeds are fixed
  const limit = 1.95;

  it('draws uniforms', () => {
    const rng = createRng(1, 1, 'test');
    expect(
      kolmogorov(
        Array.from({ length: n }, () => rng.uniform()),
        (x) => x,
      ),
    ).toBeLessThan(limit);
  });

  it('draws normals', () => {
    const rng = createRng(2, 1, 'test');
    expect(
      kolmogorov(
        Array.from({ length: n }, () => rng.normal()),
        phi,
      ),
    ).toBeLessThan(limit);
  });

  it('draws exponentials', () => {
    const rng = createRng(3, 1, 'test');
    const draws = Array.from({ length: n }, () => rng.exponential());
    expect(kolmogorov(draws, (x) => -Math.expm1(-x))).toBeLessThan(limit);
  });

  it('draws normals beyond the ziggurat edge as often as it should', () => {
    const rng = createRng(4, 1, 'test');
    let count = 0;
    const total = 1_000_000;
    for (let i = 0; i < total; i++) if (Math.abs(rng.normal()) > 3.442619855899) count++;
    const expected = 2 * phi(-3.442619855899) * total;
    expect(Math.abs(count - expected)).toBeLessThan(4 * Math.sqrt(expected));
  });

  it('keeps uniforms strictly inside (0, 1), even when all bits are equal', () => {
    const extreme = (word: number) => {
      const high = word >>> 6;
      return (high * 0x4000000 + high + 0.5) * 2 ** -52;
    };
    expect(extreme(0)).toBeGreaterThan(0);
    expect(extreme(0xffffffff)).toBeLessThan(1);
  });
});
