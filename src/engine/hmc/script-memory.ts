/**
 * What `trajectory-memory.ts` does, in JavaScript, where kernels are refused. Every sum is in the order of the kernels:
 * elements at even places, those at odd places, then both together.
 */
import type { LowRankValues } from './low-rank.ts';
import type { Motion, PhasePoint } from './phase-point.ts';
import type { TrajectoryMemory } from './trajectory-memory.ts';

export class ScriptMemory implements TrajectoryMemory {
  private metric: LowRankValues = new Float64Array(0);

  constructor(private readonly dimension: number) {}

  vector(): Float64Array {
    return new Float64Array(this.dimension);
  }

  holds(metric: LowRankValues): boolean {
    this.metric = metric;
    return true;
  }

  multiply(x: Float64Array, out: Float64Array): void {
    const { metric } = this;
    const n = x.length;
    const rank = (metric.length - n) / (n + 1);
    for (let i = 0; i < n; i++) out[i] = x[i] * metric[i];
    let k = 0;
    for (; k + 3 < rank; k += 4) correctByFour(metric, out, k);
    for (; k < rank; k++) {
      const at = n + rank + k * n;
      const by = (metric[n + k] - 1) * product(metric, at, out);
      for (let i = 0; i < n; i++) out[i] += by * metric[at + i];
    }
    for (let i = 0; i < n; i++) out[i] *= metric[i];
  }

  beginMove(z: PhasePoint, { velocity, acceleration }: Motion, stepSize: number): void {
    const { q, p, gradient } = z;
    const half = 0.5 * stepSize;
    for (let i = 0; i < q.length; i++) {
      p[i] += half * gradient[i];
      velocity[i] += half * acceleration[i];
      q[i] += stepSize * velocity[i];
    }
  }

  endMove({ p, gradient }: PhasePoint, { velocity, acceleration }: Motion, stepSize: number): void {
    const half = 0.5 * stepSize;
    for (let i = 0; i < p.length; i++) {
      p[i] += half * gradient[i];
      velocity[i] += half * acceleration[i];
    }
  }

  copyVelocity(out: Float64Array, velocity: Float64Array, p: Float64Array): number {
    out.set(velocity);
    return product(velocity, 0, p);
  }

  turnsOver(
    vBegin: Float64Array,
    vEnd: Float64Array,
    rhoA: Float64Array,
    rhoB: Float64Array,
  ): boolean {
    const rho = rhoA.map((value, i) => value + rhoB[i]);
    return !(product(vBegin, 0, rho) > 0 && product(vEnd, 0, rho) > 0);
  }

  add(target: Float64Array, x: Float64Array): void {
    for (let i = 0; i < target.length; i++) target[i] += x[i];
  }

  copy(target: Float64Array, x: Float64Array): void {
    target.set(x);
  }
}

/** Adds four orthonormal directions of the metric, from the one at place k on. */
function correctByFour(metric: LowRankValues, x: Float64Array, k: number): void {
  const n = x.length;
  const rank = (metric.length - n) / (n + 1);
  const a = n + rank + k * n;
  const [b, c, d] = [a + n, a + 2 * n, a + 3 * n];
  const byA = (metric[n + k] - 1) * product(metric, a, x);
  const byB = (metric[n + k + 1] - 1) * product(metric, b, x);
  const byC = (metric[n + k + 2] - 1) * product(metric, c, x);
  const byD = (metric[n + k + 3] - 1) * product(metric, d, x);
  for (let i = 0; i < n; i++)
    x[i] += byA * metric[a + i] + byB * metric[b + i] + (byC * metric[c + i] + byD * metric[d + i]);
}

/** Of the vector at `at` in `values` with x. */
function product(values: Float64Array, at: number, x: Float64Array): number {
  let [even, odd] = [0, 0];
  for (let i = 0; i < x.length; i += 2) even += values[at + i] * x[i];
  for (let i = 1; i < x.length; i += 2) odd += values[at + i] * x[i];
  return even + odd;
}
