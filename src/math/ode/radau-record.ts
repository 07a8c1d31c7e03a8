/** The steps of the Radau method, recorded like those of `step-record.ts`: each is differentiated exactly, backwards. */
import { factorLuInPlace, solveLuInto } from '../linalg/solve.ts';
import { newLinearisation, type OdeSystem } from './ode-problem.ts';
import { a, nodes } from './radau-method.ts';
import { RecordFull, recordedNumbers } from './step-record.ts';

interface Step {
  readonly t: number;
  readonly h: number;
  readonly before: Float64Array;
  /** What the three stages add to it. */
  readonly stages: Float64Array;
}

export class RadauRecord {
  private readonly steps: Step[] = [];
  /** For each output time, the step at whose end it is. */
  private readonly outputs: number[] = [];

  /** `before`: output times of the steps before these. */
  constructor(private readonly before: number) {}

  /** Throws {@link RecordFull}. */
  addStep(t: number, h: number, before: Float64Array, stages: Float64Array): void {
    if (4 * before.length * this.steps.length > recordedNumbers) throw new RecordFull();
    this.steps.push({ t, h, before: before.slice(), stages: stages.slice() });
  }

  /** The next output time is at the end of the last step. */
  addOutput(): void {
    this.outputs.push(this.steps.length - 1);
  }

  /** Like `StepRecord.reverse`, from the last output time to the beginning of these steps. */
  reverse(system: OdeSystem, outputs: Float64Array, parameters: Float64Array): Float64Array {
    const n = system.numStates;
    const state = new Float64Array(n);
    const reverseStep = stepReverser(system);
    let next = this.outputs.length - 1;
    for (let k = this.steps.length - 1; k >= 0; k--) {
      for (; next >= 0 && this.outputs[next] === k; next--) {
        const from = (this.before + next) * n;
        for (let i = 0; i < n; i++) state[i] += outputs[from + i];
      }
      reverseStep(this.steps[k], state, parameters);
    }
    return state;
  }
}

/**
 * The stages solve Z = h (A ⊗ I) F(y + Z), and the last is the new state. So with M = I − h (A ⊗ I) diag(J) and the adjoint
 * g of the new state, Mᵀ μ = e₃ ⊗ g gives that of the stage equations, and w_q = h Σ_p a_pq μ_p those of the slopes.
 */
function stepReverser(system: OdeSystem) {
  const { numStates: n, numParameters: m } = system;
  const size = 3 * n;
  const linear = nodes.map(() => newLinearisation(system));
  const transposed = new Float64Array(size * size);
  const rowOf = new Int32Array(size);
  const place = new Float64Array(n);
  const right = new Float64Array(size);
  const equations = new Float64Array(size);
  const slope = new Float64Array(n);

  const factor = (h: number) => {
    for (let q = 0; q < 3; q++) {
      const { jy } = linear[q];
      for (let p = 0; p < 3; p++) {
        const scale = -h * a[p][q];
        for (let i = 0; i < n; i++)
          for (let j = 0; j < n; j++)
            transposed[q * n + j + (p * n + i) * size] = scale * jy[i + j * n];
      }
    }
    for (let i = 0; i < size; i++) transposed[i + i * size] += 1;
    factorLuInPlace(transposed, rowOf, size);
  };

  return ({ t, h, before, stages }: Step, state: Float64Array, parameters: Float64Array) => {
    for (let q = 0; q < 3; q++) {
      for (let i = 0; i < n; i++) place[i] = before[i] + stages[q * n + i];
      system.linearise(t + nodes[q] * h, place, linear[q]);
    }
    factor(h);
    right.fill(0);
    right.set(state, 2 * n);
    solveLuInto(transposed, rowOf, right, 1, equations);
    for (let q = 0; q < 3; q++) {
      const { jy, jp } = linear[q];
      for (let i = 0; i < n; i++) {
        slope[i] = 0;
        for (let p = 0; p < 3; p++) slope[i] += h * a[p][q] * equations[p * n + i];
      }
      addProducts(jy, slope, n, state);
      addProducts(jp, slope, m, parameters);
    }
  };
}

/** Adds the products of g with `count` columns. */
function addProducts(columns: Float64Array, g: Float64Array, count: number, out: Float64Array) {
  const n = g.length;
  for (let k = 0; k < count; k++) for (let i = 0; i < n; i++) out[k] += columns[i + k * n] * g[i];
}
