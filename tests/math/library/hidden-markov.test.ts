import { describe, expect, it } from 'vitest';
import { ActiveMatrix, ActiveVector, Matrix } from '../../../src/math/autodiff/containers.ts';
import { Tape } from '../../../src/math/autodiff/tape.ts';
import { DomainError } from '../../../src/math/errors.ts';
import { hiddenMarkovPart } from '../../../src/math/library/families/hidden-markov.ts';
import { createRng } from '../../../src/math/random/xoshiro.ts';

const omega = new Matrix(2, 3, Float64Array.of(-1, -0.3, 0.2, -2, -0.5, -0.6));
const gamma = new Matrix(2, 2, Float64Array.of(0.7, 0.4, 0.3, 0.6));
const rho = Float64Array.of(0.6, 0.4);

/** Probability of every state path and the observations, by enumeration. */
function paths(): { path: number[]; p: number }[] {
  return Array.from({ length: 8 }, (_, code) => {
    const path = [code & 1, (code >> 1) & 1, (code >> 2) & 1];
    let p = rho[path[0]] * Math.exp(omega.data[path[0]]);
    for (let t = 1; t < 3; t++) {
      p *= gamma.data[path[t - 1] + 2 * path[t]] * Math.exp(omega.data[path[t] + 2 * t]);
    }
    return { path, p };
  });
}

const total = paths().reduce((s, { p }) => s + p, 0);

describe('hmm_marginal', () => {
  it('sums over all state paths', () => {
    expect(hiddenMarkovPart.hmm_marginal__MMR(omega, gamma, rho)).toBeCloseTo(Math.log(total), 13);
  });

  it('has the derivatives of that sum', () => {
    const tape = new Tape();
    tape.reset(Float64Array.of(...omega.data, ...gamma.data, ...rho));
    const slot = hiddenMarkovPart.hmm_marginal__WWV(
      tape,
      new ActiveMatrix(2, 3, 1),
      new ActiveMatrix(2, 2, 7),
      new ActiveVector(2, 11),
    ) as number;
    const gradient = new Float64Array(12);
    tape.sweep(slot, gradient);
    // each entry is a factor of a path as often as the path uses it: d log p = expected uses / entry
    const uses = (count: (path: number[]) => number) =>
      paths().reduce((s, { path, p }) => s + (p / total) * count(path), 0);
    for (let t = 0; t < 3; t++) {
      for (let k = 0; k < 2; k++)
        expect(gradient[k + 2 * t]).toBeCloseTo(
          uses((path) => (path[t] === k ? 1 : 0)),
          12,
        );
    }
    for (let i = 0; i < 2; i++) {
      for (let j = 0; j < 2; j++) {
        const moves = uses(
          (path) => [1, 2].filter((t) => path[t - 1] === i && path[t] === j).length,
        );
        expect(gradient[6 + i + 2 * j]).toBeCloseTo(moves / gamma.data[i + 2 * j], 12);
      }
      expect(gradient[10 + i]).toBeCloseTo(uses((path) => (path[0] === i ? 1 : 0)) / rho[i], 12);
    }
  });

  it('refuses transitions that do not sum to one', () => {
    const broken = new Matrix(2, 2, Float64Array.of(0.7, 0.4, 0.4, 0.6));
    expect(() => hiddenMarkovPart.hmm_marginal__MMR(omega, broken, rho)).toThrow(DomainError);
  });
});

describe('hmm_hidden_state_prob and hmm_latent_rng', () => {
  const expected = Array.from({ length: 6 }, (_, at) =>
    paths().reduce(
      (s, { path, p }) => s + (path[Math.floor(at / 2)] === at % 2 ? p / total : 0),
      0,
    ),
  );

  it('return the posterior probability of each state', () => {
    const { data } = hiddenMarkovPart.hmm_hidden_state_prob__MMR(omega, gamma, rho) as Matrix;
    for (const [at, p] of expected.entries()) expect(data[at]).toBeCloseTo(p, 13);
  });

  it('draw paths in proportion to their probability', () => {
    const rng = createRng(3, 1, 'hmm');
    const counts = new Float64Array(8);
    const n = 20_000;
    for (let k = 0; k < n; k++) {
      const states = hiddenMarkovPart.hmm_latent_rng(rng, 'MMR', omega, gamma, rho) as Int32Array;
      counts[states[0] - 1 + 2 * (states[1] - 1) + 4 * (states[2] - 1)]++;
    }
    for (const [code, { p }] of paths().entries()) {
      const q = p / total;
      expect(Math.abs(counts[code] / n - q)).toBeLessThan(4.5 * Math.sqrt((q * (1 - q)) / n));
    }
  });
});
