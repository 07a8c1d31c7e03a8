/** Passes over vectors of a trajectory: kernels and JavaScript give the same bits, and what the metric's definition gives. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createHamiltonian } from '../../../src/engine/hmc/hamiltonian.ts';
import { multiplyLowRank } from '../../../src/engine/hmc/low-rank.ts';
import { createMetric, setInvMetric } from '../../../src/engine/hmc/metric.ts';
import {
  createMovingPoint,
  createPhasePoint,
  type Motion,
  type PhasePoint,
} from '../../../src/engine/hmc/phase-point.ts';
import { ScriptMemory } from '../../../src/engine/hmc/script-memory.ts';
import {
  openTrajectoryMemory,
  type TrajectoryMemory,
} from '../../../src/engine/hmc/trajectory-memory.ts';
import { createNutsSampler } from '../../../src/engine/hmc/transition.ts';
import type { Rng } from '../../../src/math/random/rng.ts';
import { testRng } from '../../support/stan-program.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** Even and odd, with every remainder of four directions. */
const sizes = [32, 33, 47, 64, 101].flatMap((n) =>
  [0, 1, 3, 4, 6, 9, 16].map((rank) => [n, rank] as const),
);

/** Scales, Λ and directions: orthonormal only where that is said to matter, since nothing here relies on it. */
function metricOf(n: number, rank: number, seed: number): Float64Array {
  const rng = testRng(seed);
  const values = Float64Array.from({ length: n + rank * (n + 1) }, () => rng.normal());
  for (let i = 0; i < n + rank; i++) values[i] = Math.exp(values[i]);
  for (let i = n + rank; i < values.length; i++) values[i] /= Math.sqrt(n);
  return values;
}

function vectorOf(memory: TrajectoryMemory, rng: ReturnType<typeof testRng>): Float64Array {
  const vector = memory.vector();
  for (let i = 0; i < vector.length; i++) vector[i] = rng.normal();
  return vector;
}

/** Everything that a memory computes, from the same numbers. */
function computed(memory: TrajectoryMemory, n: number, rank: number): unknown {
  const rng = testRng(7 * n + rank);
  const next = () => vectorOf(memory, rng);
  const motion: Motion = { velocity: next(), acceleration: next(), memory, isKnown: true };
  const z: PhasePoint = { q: next(), p: next(), gradient: next(), logDensity: 0, motion };
  // a metric with more directions was here before
  expect(memory.holds(metricOf(n, rank + 5, 1))).toBe(true);
  memory.multiply(z.p, motion.velocity);
  expect(memory.holds(metricOf(n, rank, 2))).toBe(true);
  memory.beginMove(z, motion, -0.3);
  memory.multiply(z.gradient, motion.acceleration);
  memory.endMove(z, motion, -0.3);
  const out = memory.vector();
  const along = memory.copyVelocity(out, motion.velocity, z.p);
  const turns = [0, 1, 2, 3].map(() => memory.turnsOver(next(), next(), next(), next()));
  turns.push(memory.turnsOver(out, out, out, out));
  const sum = next();
  memory.add(sum, out);
  const copied = next();
  memory.copy(copied, sum);
  return [z.q, z.p, motion.velocity, motion.acceleration, out, sum, copied, along, turns];
}

const mostVectors = 40;
const open = (n: number) => openTrajectoryMemory(n, mostVectors) as TrajectoryMemory;

describe('a memory for trajectories', () => {
  it.each(sizes)('of %i parameters and rank %i computes what JavaScript computes', (n, rank) => {
    const memory = open(n);
    expect(memory).not.toBeInstanceOf(ScriptMemory);
    expect(computed(memory, n, rank)).toEqual(computed(new ScriptMemory(n), n, rank));
  });

  it.each(sizes)('of %i parameters multiplies by a metric of rank %i', (n, rank) => {
    const memory = open(n);
    const rng = testRng(3);
    // one at a time, since more are only equal for orthonormal directions
    const metric = metricOf(n, Math.min(rank, 1), 4);
    const x = vectorOf(memory, rng);
    const out = memory.vector();
    memory.holds(metric);
    memory.multiply(x, out);
    const expected = new Float64Array(n);
    multiplyLowRank(metric, x, expected);
    expected.forEach((value, i) => expect(out[i]).toBeCloseTo(value, 12));
  });

  it('is only for models with many parameters', () => {
    expect(openTrajectoryMemory(31, 1)).toBeNull();
    expect(openTrajectoryMemory(32, 1)).not.toBeNull();
  });

  it('has the vectors it was asked for, which share nothing', () => {
    const memory = openTrajectoryMemory(33, 3) as TrajectoryMemory;
    const vectors = [1, 2, 3].map((value) => memory.vector().fill(value));
    memory.holds(metricOf(33, 16, 5));
    expect(vectors.map((vector) => [vector.length, ...new Set(vector)])).toEqual([
      [33, 1],
      [33, 2],
      [33, 3],
    ]);
    expect(() => memory.vector()).toThrow('no room');
  });

  it('refuses a metric with too many directions, and keeps the last one', () => {
    const memory = open(1000);
    const small = metricOf(1000, 2, 6);
    expect(memory.holds(small)).toBe(true);
    expect(memory.holds(metricOf(1000, 40, 6))).toBe(false);
    expect(memory.holds(small)).toBe(true);
    const [x, out] = [memory.vector().fill(1), memory.vector()];
    memory.multiply(x, out);
    const expected = new ScriptMemory(1000);
    expected.holds(small);
    const wanted = expected.vector();
    expected.multiply(x, wanted);
    expect(out).toEqual(wanted);
  });
});

/** Independent normals of different scales. */
const model = {
  numUnconstrained: 41,
  logDensityGradient(q: Float64Array, gradient: Float64Array) {
    let sum = 0;
    for (let i = 0; i < q.length; i++) {
      gradient[i] = -q[i] / (1 + i);
      sum += 0.5 * q[i] * gradient[i];
    }
    return sum;
  },
};

function drawn(modules: { hamiltonian: typeof createHamiltonian; nuts: typeof createNutsSampler }) {
  const metric = createMetric('low-rank', model.numUnconstrained);
  setInvMetric(metric, metricOf(model.numUnconstrained, 6, 8));
  const hamiltonian = modules.hamiltonian({ model, metric });
  const sample = modules.nuts(hamiltonian, 8);
  const start = createPhasePoint(model.numUnconstrained);
  start.q.fill(1);
  const rng = testRng(9) as unknown as Rng;
  const draws: number[][] = [];
  for (let n = 0; n < 20; n++) {
    start.logDensity = model.logDensityGradient(start.q, start.gradient);
    const { draw } = sample({ start, stepSize: 0.05, rng });
    start.q.set(draw.q);
    draws.push([...draw.q]);
  }
  return draws;
}

describe('a sampler', () => {
  it('has the same draws where WebAssembly is refused', async () => {
    const own = drawn({ hamiltonian: createHamiltonian, nuts: createNutsSampler });
    expect(new Set(own.map(String)).size).toBe(20);
    vi.stubGlobal('WebAssembly', undefined);
    vi.resetModules();
    const { createHamiltonian: hamiltonian } = await import(
      '../../../src/engine/hmc/hamiltonian.ts'
    );
    const { createNutsSampler: nuts } = await import('../../../src/engine/hmc/transition.ts');
    expect(drawn({ hamiltonian, nuts })).toEqual(own);
  });

  it('moves by a metric for which its memory has no room', () => {
    const n = 1000;
    const memory = open(n);
    const z = createMovingPoint(n, memory);
    const metric = createMetric('low-rank', n);
    setInvMetric(metric, metricOf(n, 40, 10));
    const flat = { numUnconstrained: n, logDensityGradient: () => 0 };
    const hamiltonian = createHamiltonian({ model: flat, metric });
    hamiltonian.sampleMomentum(testRng(11) as unknown as Rng, z);
    hamiltonian.leapfrog(z, 0.5);
    const velocity = new Float64Array(n);
    multiplyLowRank(metric.kind === 'low-rank' ? metric.invMetric : velocity, z.p, velocity);
    expect([...z.q]).toEqual([...velocity].map((value) => 0.5 * value));
  });
});
