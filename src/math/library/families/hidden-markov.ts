/**
 * Hidden Markov models with finite states: `hmm_marginal`, `hmm_hidden_state_prob`, `hmm_latent_rng`
 * (Stan functions reference, "Hidden Markov models"). log_omega is states × observations.
 */
import { Matrix } from '../../autodiff/containers.ts';
import { DomainError, ShapeError } from '../../errors.ts';
import { drawCategorical } from '../../random/discrete.ts';
import type { Rng } from '../../random/rng.ts';
import type { LibraryPart } from '../machinery/implementation.ts';
import { type MatrixFunction, matrixForms } from '../machinery/matrix-forms.ts';

/** Scaled forward and backward passes (Rabiner 1989, sections III.A and V.A). */
interface Passes {
  readonly states: number;
  readonly steps: number;
  /** P(state | observations so far), one column per observation. */
  readonly forward: Float64Array;
  /** Likelihood of the later observations, scaled by the same factors. */
  readonly backward: Float64Array;
  /** exp(log_omega − its column's maximum). */
  readonly emission: Float64Array;
  readonly scales: Float64Array;
  readonly logLikelihood: number;
}

function checkInputs(name: string, omega: Matrix, gamma: Matrix, rho: Matrix): void {
  const k = omega.rows;
  if (gamma.rows !== k || gamma.cols !== k || rho.data.length !== k) {
    throw new ShapeError(
      `${name}: ${k} states, but Gamma is ${gamma.rows} × ${gamma.cols} and rho has ${rho.data.length}`,
    );
  }
  for (let i = 0; i < k; i++) {
    let sum = 0;
    for (let j = 0; j < k; j++) sum += gamma.data[i + j * k];
    if (!(Math.abs(sum - 1) <= 1e-8)) {
      throw new DomainError(`${name}: row ${i + 1} of Gamma sums to ${sum}, but must be a simplex`);
    }
  }
  const total = rho.data.reduce((a, b) => a + b, 0);
  if (!(Math.abs(total - 1) <= 1e-8))
    throw new DomainError(`${name}: rho sums to ${total}, but must be a simplex`);
}

function passes(omega: Matrix, gamma: Matrix, rho: Matrix): Passes {
  const { rows: k, cols: n } = omega;
  const forward = new Float64Array(k * n);
  const backward = new Float64Array(k * n);
  const emission = new Float64Array(k * n);
  const scales = new Float64Array(n);
  let logLikelihood = 0;
  for (let t = 0; t < n; t++) {
    let max = -Infinity;
    for (let i = 0; i < k; i++) max = Math.max(max, omega.data[i + t * k]);
    let total = 0;
    for (let j = 0; j < k; j++) {
      let p = t === 0 ? rho.data[j] : 0;
      for (let i = 0; t > 0 && i < k; i++) p += forward[i + (t - 1) * k] * gamma.data[i + j * k];
      emission[j + t * k] = Math.exp(omega.data[j + t * k] - max);
      forward[j + t * k] = p * emission[j + t * k];
      total += forward[j + t * k];
    }
    for (let j = 0; j < k; j++) forward[j + t * k] /= total;
    scales[t] = total;
    logLikelihood += max + Math.log(total);
  }
  for (let t = n - 1; t >= 0; t--) {
    for (let i = 0; i < k; i++) {
      if (t === n - 1) backward[i + t * k] = 1;
      else {
        let s = 0;
        for (let j = 0; j < k; j++) {
          s += gamma.data[i + j * k] * emission[j + (t + 1) * k] * backward[j + (t + 1) * k];
        }
        backward[i + t * k] = s / scales[t + 1];
      }
    }
  }
  return { states: k, steps: n, forward, backward, emission, scales, logLikelihood };
}

/** log p(observations), with the states summed out; its derivatives are the posterior state and transition weights. */
const marginal: MatrixFunction = {
  f(omega, gamma, rho) {
    checkInputs('hmm_marginal', omega, gamma, rho);
    return new Matrix(
      1,
      1,
      Float64Array.of(omega.cols === 0 ? 0 : passes(omega, gamma, rho).logLikelihood),
    );
  },
  reverse({ args: [omega, gamma, rho], dy, d: [dOmega, dGamma, dRho] }) {
    const g = dy.data[0];
    const { states: k, steps: n, forward, backward, emission, scales } = passes(omega, gamma, rho);
    for (let t = 0; t < n; t++) {
      for (let j = 0; j < k; j++) {
        const at = j + t * k;
        if (dOmega !== null) dOmega[at] += g * forward[at] * backward[at];
        const later = (emission[at] * backward[at]) / scales[t];
        if (t === 0 && dRho !== null) dRho[j] += g * later;
        for (let i = 0; t > 0 && dGamma !== null && i < k; i++) {
          dGamma[i + j * k] += g * forward[i + (t - 1) * k] * later;
        }
      }
    }
  },
};

function stateProbabilities(omega: Matrix, gamma: Matrix, rho: Float64Array): Matrix {
  const start = new Matrix(rho.length, 1, rho);
  checkInputs('hmm_hidden_state_prob', omega, gamma, start);
  const { forward, backward } = passes(omega, gamma, start);
  return new Matrix(
    omega.rows,
    omega.cols,
    forward.map((f, i) => f * backward[i]),
  );
}

/** States drawn backwards from their joint posterior. */
function drawStates(
  rng: Rng,
  _kinds: string,
  omega: Matrix,
  gamma: Matrix,
  rho: Float64Array,
): Int32Array {
  const start = new Matrix(rho.length, 1, rho);
  checkInputs('hmm_latent_rng', omega, gamma, start);
  const { states: k, steps: n, forward } = passes(omega, gamma, start);
  const out = new Int32Array(n);
  for (let t = n - 1; t >= 0; t--) {
    const weights = Float64Array.from({ length: k }, (_, i) => {
      const next = t === n - 1 ? 1 : gamma.data[i + (out[t + 1] - 1) * k];
      return forward[i + t * k] * next;
    });
    const total = weights.reduce((a, b) => a + b, 0);
    out[t] = drawCategorical(
      rng,
      weights.map((w) => w / total),
    );
  }
  return out;
}

export const hiddenMarkovPart: LibraryPart = {
  ...matrixForms('hmm_marginal', ['mmc>s'], marginal),
  hmm_hidden_state_prob__MMR: stateProbabilities,
  hmm_latent_rng: drawStates,
};
