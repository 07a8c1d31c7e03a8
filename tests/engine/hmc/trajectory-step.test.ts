import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createChain } from '../../../src/engine/chain.ts';
import { blockColumn } from '../../../src/engine/events.ts';
import {
  createHamiltonian,
  type Hamiltonian,
  updateDensity,
} from '../../../src/engine/hmc/hamiltonian.ts';
import { createMetric } from '../../../src/engine/hmc/metric.ts';
import {
  copyPhasePoint,
  createPhasePoint,
  type PhasePoint,
} from '../../../src/engine/hmc/phase-point.ts';
import { adaptiveStep, leapfrogStep } from '../../../src/engine/hmc/trajectory-step.ts';
import { createNutsSampler } from '../../../src/engine/hmc/transition.ts';
import type { Rng } from '../../../src/math/random/rng.ts';
import { analyticModel, funnelModel, standardNormalModel } from '../../support/analytic-models.ts';
import { seededRng } from '../../support/seeded-rng.ts';

function hamiltonianOf(n: number) {
  const model = funnelModel(n);
  const dimension = model.numUnconstrained;
  return {
    model,
    hamiltonian: createHamiltonian({ model, metric: createMetric('unit', dimension) }),
  };
}

/** An exact draw from the funnel. */
function exactDraw(model: ReturnType<typeof funnelModel>, rng: Rng) {
  const z = createPhasePoint(model.numUnconstrained);
  z.q[0] = 3 * rng.normal();
  for (let i = 1; i < z.q.length; i++) z.q[i] = Math.exp(z.q[0] / 2) * rng.normal();
  updateDensity(model, z);
  return z;
}

const nothing = () => ({ numLeapfrog: 0, sumAccept: 0, numAccept: 0 });

describe('leapfrogStep', () => {
  /** Every point has this energy. */
  const energyIs = (energy: number): Hamiltonian => ({
    dimension: 1,
    sampleMomentum: () => {},
    energy: () => energy,
    leapfrog: () => {},
  });
  const take = (energy: number, initialEnergy: number) => {
    const tally = nothing();
    const request = { stepSize: 0.1, initialEnergy, tally };
    const returned = leapfrogStep(energyIs(energy)).take(
      createPhasePoint(1),
      new Float64Array(1),
      request,
    );
    return { returned, ...tally };
  };

  it('counts an acceptance of exp(−ΔH) for a step to higher energy', () => {
    const once = { numLeapfrog: 1, numAccept: 1 };
    expect(take(7, 5)).toEqual({ returned: 7, ...once, sumAccept: Math.exp(-2) });
    expect(take(-3, -4)).toEqual({ returned: -3, ...once, sumAccept: Math.exp(-1) });
    expect(take(Number.POSITIVE_INFINITY, 5)).toMatchObject({ ...once, sumAccept: 0 });
  });

  it('counts an acceptance of 1 for a step to lower or equal energy', () => {
    expect(take(5, 7)).toEqual({ returned: 5, numLeapfrog: 1, numAccept: 1, sumAccept: 1 });
    expect(take(5, 5)).toMatchObject({ sumAccept: 1 });
  });
});

describe('adaptiveStep', () => {
  it('is bit-identical to one leapfrog step if that conserves the energy', () => {
    const model = standardNormalModel(3);
    const hamiltonian = createHamiltonian({
      model,
      metric: createMetric('unit', model.numUnconstrained),
    });
    const [ours, plain] = [adaptiveStep, leapfrogStep].map((make) => {
      const z = createPhasePoint(model.numUnconstrained);
      z.q.fill(0.3);
      z.p.fill(-0.7);
      updateDensity(model, z);
      const tally = nothing();
      const velocity = new Float64Array(z.q.length);
      const energy = make(hamiltonian).take(z, velocity, {
        stepSize: 0.1,
        initialEnergy: 0,
        tally,
      });
      return { z, velocity, energy, gradients: tally.numLeapfrog };
    });
    expect(ours).toEqual(plain);
  });

  it('is reversible in the same number of steps', () => {
    const { model, hamiltonian } = hamiltonianOf(2);
    const step = adaptiveStep(hamiltonian);
    const velocity = new Float64Array(3);
    let divided = 0;
    fc.assert(
      fc.property(fc.nat(), fc.double({ min: 0.05, max: 3, noNaN: true }), (seed, stepSize) => {
        const rng = seededRng(seed);
        const start = exactDraw(model, rng);
        hamiltonian.sampleMomentum(rng, start);
        const z = createPhasePoint(3);
        copyPhasePoint(start, z);
        const there = nothing();
        const request = { stepSize, initialEnergy: 0, tally: there };
        if (!Number.isFinite(step.take(z, velocity, request))) return;
        const end = createPhasePoint(3);
        copyPhasePoint(z, end);
        step.take(z, velocity, { ...request, stepSize: -stepSize, tally: nothing() });
        if (there.numLeapfrog > 1) divided += 1;
        const scale = Math.max(...start.q.map(Math.abs), ...end.q.map(Math.abs));
        for (let i = 0; i < 3; i++)
          expect(Math.abs(z.q[i] - start.q[i])).toBeLessThan(1e-8 * scale);
      }),
      { seed: 1, numRuns: 500 },
    );
    expect(divided).toBeGreaterThan(50);
  });

  it('diverges when no division conserves the energy', () => {
    const wall = analyticModel({
      names: ['x'],
      density: ([x], gradient) => {
        gradient[0] = 0;
        return x < 0.5 ? 0 : Number.NEGATIVE_INFINITY;
      },
    });
    const hamiltonian = createHamiltonian({ model: wall, metric: createMetric('unit', 1) });
    const z = createPhasePoint(1);
    z.p[0] = 1;
    updateDensity(wall, z);
    const tally = nothing();
    const request = { stepSize: 1, initialEnergy: 0.5, tally };
    expect(adaptiveStep(hamiltonian).take(z, new Float64Array(1), request)).toBe(
      Number.POSITIVE_INFINITY,
    );
    expect(tally.sumAccept).toBe(0);
  });
});

/** Moves by step size times momentum; `note` stores in the point what its energy reads. */
function scripted(
  note: (z: PhasePoint, stepSize: number) => void,
  energy: (z: PhasePoint) => number = (z) => z.gradient[0],
): Hamiltonian {
  return {
    dimension: 1,
    sampleMomentum: (_rng, { p }) => p.fill(1),
    energy(z, velocity) {
      velocity.set(z.p);
      return energy(z);
    },
    leapfrog(z, stepSize) {
      z.q[0] += stepSize * z.p[0];
      note(z, stepSize);
    },
  };
}

/** One step of size ±1 from 0, with momentum 1. */
function stepOf(hamiltonian: Hamiltonian, stepSize = 1) {
  const z = createPhasePoint(1);
  z.p[0] = 1;
  z.logDensity = 0;
  const tally = nothing();
  const velocity = new Float64Array(1);
  const energy = adaptiveStep(hamiltonian).take(z, velocity, { stepSize, initialEnergy: 0, tally });
  return { energy, q: z.q[0], velocity: velocity[0], ...tally };
}

describe('the divisions of a step', () => {
  it.each([1, -1])(
    'are the fewest that conserve the energy there and back, in direction %d',
    (time) => {
      const hamiltonian = scripted((z, size) => {
        if (Math.abs(size) > 0.25) z.gradient[0] = 10;
      });
      // 1 + 2 + 4 steps there, and 1 + 2 back
      expect(stepOf(hamiltonian, time)).toEqual({
        energy: 0,
        q: time,
        velocity: 1,
        numLeapfrog: 10,
        numAccept: 1,
        sumAccept: Math.exp(-10),
      });
    },
  );

  it('are not needed when the energy changes by one half', () => {
    const hamiltonian = scripted(
      () => {},
      (z) => 0.5 * z.q[0],
    );
    expect(stepOf(hamiltonian)).toMatchObject({
      energy: 0.5,
      numLeapfrog: 1,
      sumAccept: Math.exp(-0.5),
    });
  });

  it.each([0, 0.5])('end the trajectory when a single step back has an error of %d', (error) => {
    const hamiltonian = scripted((z, size) => {
      if (size === 1) z.gradient[0] = 10;
      if (size === -1) z.gradient[0] = error;
    });
    expect(stepOf(hamiltonian)).toMatchObject({
      energy: Number.NaN,
      numLeapfrog: 1 + 2 + 1,
      numAccept: 1,
      sumAccept: 0,
    });
  });

  it('number at most 256, and are abandoned where the density ends', () => {
    const always = scripted((z) => {
      z.gradient[0] = 10;
    });
    const diverged = { energy: Number.POSITIVE_INFINITY, numAccept: 1, sumAccept: 0 };
    expect(stepOf(always)).toMatchObject({ ...diverged, numLeapfrog: 511 });
    const outside = scripted((z) => {
      z.logDensity = Number.NEGATIVE_INFINITY;
    });
    expect(stepOf(outside)).toMatchObject({ ...diverged, numLeapfrog: 9 });
  });
});

describe('a transition of WALNUTS', () => {
  /** Statistics of the funnel with their exact means and standard deviations. */
  const statistics: readonly (readonly [string, (q: Float64Array) => number, number, number])[] = [
    ['v', (q) => q[0], 0, 3],
    ['v²', (q) => q[0] ** 2, 9, 9 * Math.SQRT2],
    ['v below −4', (q) => (q[0] < -4 ? 1 : 0), 0.09121, 0.2879],
    ['scaled x²', (q) => q[1] ** 2 * Math.exp(-q[0]), 1, Math.SQRT2],
  ];

  it.each([0.4, 1.2, 3])(
    'leaves the distribution of the funnel invariant, with steps of %d',
    (stepSize) => {
      const { model, hamiltonian } = hamiltonianOf(3);
      const sample = createNutsSampler(hamiltonian, 6, adaptiveStep(hamiltonian));
      const rng = seededRng(11);
      const count = 6000;
      const sums = statistics.map(() => 0);
      for (let n = 0; n < count; n++) {
        const { draw } = sample({ start: exactDraw(model, rng), stepSize, rng });
        for (const [k, [, of]] of statistics.entries()) sums[k] += of(draw.q);
      }
      for (const [k, [name, , mean, sd]] of statistics.entries()) {
        const z = (sums[k] / count - mean) / (sd / Math.sqrt(count));
        expect(Math.abs(z), `${name}: ${z}`).toBeLessThan(4);
      }
    },
  );

  it('reaches the neck of a funnel, which NUTS does not', () => {
    const model = funnelModel(9);
    const shareBelow = (sampler?: 'walnuts'): number => {
      const found = [1, 2, 3, 4].flatMap((chain) => {
        const settings = {
          seed: 5,
          numWarmup: 1000,
          numSamples: 3000,
          thin: 1,
          initRadius: 2,
          adaptDelta: 0.8,
          maxTreeDepth: 10,
          metric: 'diag' as const,
          inits: null,
          streamWarmup: false,
          ...(sampler === undefined ? {} : { sampler }),
        };
        const made = createChain({ model, settings, chain });
        const v = made.columns.indexOf('v');
        return made.advance().blocks.flatMap((block) => [...blockColumn(block, v)]);
      });
      return found.filter((v) => v < -5).length / found.length;
    };
    // 4.8 % of the funnel
    expect(shareBelow('walnuts')).toBeGreaterThan(0.025);
    expect(shareBelow()).toBeLessThan(0.015);
  });
});
