import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Hamiltonian } from '../../../src/engine/hmc/hamiltonian.ts';
import {
  buildTree,
  createTree,
  joinTrees,
  logAddExp,
  type Tree,
  type TreeBuild,
} from '../../../src/engine/hmc/nuts-tree.ts';
import { createPhasePoint } from '../../../src/engine/hmc/phase-point.ts';
import { leapfrogStep } from '../../../src/engine/hmc/trajectory-step.ts';
import { seededRng } from '../../support/seeded-rng.ts';

/** Position moves by step size times momentum, momentum stays, energy is a function of the position. */
function driftingHamiltonian(energyAt: (q: number) => number = () => 0): Hamiltonian {
  return {
    dimension: 1,
    sampleMomentum: (_rng, { p }) => p.fill(1),
    energy(z, velocity) {
      velocity.set(z.p);
      return energyAt(z.q[0]);
    },
    leapfrog(z, stepSize) {
      z.q[0] += stepSize * z.p[0];
    },
  };
}

function setUp(hamiltonian: Hamiltonian, p = 1) {
  const z = createPhasePoint(1);
  z.p[0] = p;
  const build: TreeBuild = {
    step: leapfrogStep(hamiltonian),
    rng: seededRng(1),
    tally: { numLeapfrog: 0, sumAccept: 0, numAccept: 0 },
    pool: Array.from({ length: 8 }, () => createTree(1)),
    initialEnergy: 0,
    stepSize: 1,
  };
  return { z, build, tree: createTree(1) };
}

describe('buildTree', () => {
  it.each([0, 1, 2, 3, 4, 5])('takes 2^%i steps and ends where they lead', (depth) => {
    const { z, build, tree } = setUp(driftingHamiltonian());
    expect(buildTree(build, depth, z, tree)).toBe('complete');
    const steps = 2 ** depth;
    expect(build.tally).toMatchObject({ numLeapfrog: steps, sumAccept: steps });
    expect(z.q[0]).toBe(steps);
    expect(tree.rho[0]).toBe(steps);
    expect(tree.logSumWeight).toBeCloseTo(Math.log(steps), 12);
  });

  it('goes back in time with a negative step size', () => {
    const { z, build, tree } = setUp(driftingHamiltonian());
    build.stepSize = -0.5;
    expect(buildTree(build, 2, z, tree)).toBe('complete');
    expect(z.q[0]).toBe(-2);
  });

  it('stops at the first point whose energy is 1000 too high', () => {
    const { z, build, tree } = setUp(driftingHamiltonian((q) => (q > 2.5 ? 1001 : 0)));
    expect(buildTree(build, 3, z, tree)).toBe('diverging');
    expect(build.tally.numLeapfrog).toBe(3);
  });

  it('accepts an energy error of exactly 1000, as Stan does', () => {
    const { z, build, tree } = setUp(driftingHamiltonian(() => 1000));
    expect(buildTree(build, 1, z, tree)).toBe('complete');
  });

  it('stops before a step that cannot be retraced', () => {
    const { z, build, tree } = setUp(driftingHamiltonian());
    let steps = 0;
    const step: TreeBuild['step'] = {
      take(at, velocity) {
        velocity.set(at.p);
        return ++steps === 3 ? Number.NaN : 0;
      },
    };
    expect(buildTree({ ...build, step }, 3, z, tree)).toBe('one-way');
    expect(steps).toBe(3);
  });

  it('stops as soon as a half turns', () => {
    const turning: Hamiltonian = {
      ...driftingHamiltonian(),
      leapfrog(z) {
        z.q[0] += z.p[0];
        z.p[0] = -z.p[0];
      },
    };
    const { z, build, tree } = setUp(turning);
    expect(buildTree(build, 3, z, tree)).toBe('turning');
    expect(build.tally.numLeapfrog).toBe(2);
  });

  it('counts the acceptance of each point', () => {
    const { z, build, tree } = setUp(driftingHamiltonian((q) => q * Math.LN2));
    buildTree(build, 1, z, tree);
    expect(build.tally.sumAccept).toBeCloseTo(1 / 2 + 1 / 4, 12);
    expect(tree.logSumWeight).toBeCloseTo(Math.log(3 / 4), 12);
  });

  it('draws its proposal in proportion to exp(−H)', () => {
    const energies = [0, 0.3, 1.1, 0.2, 2, 0.7, 0.1, 1.5, 0.9];
    const counts = energies.map(() => 0);
    const { build, tree } = setUp(driftingHamiltonian((q) => energies[Math.round(q)]));
    const numTrees = 20_000;
    for (let t = 0; t < numTrees; t++) {
      const z = createPhasePoint(1);
      z.p[0] = 1;
      buildTree(build, 3, z, tree);
      expect(tree.proposalEnergy).toBe(energies[Math.round(tree.proposal.q[0])]);
      counts[Math.round(tree.proposal.q[0])] += 1;
    }
    const weights = energies.map((h, i) => (i === 0 ? 0 : Math.exp(-h)));
    const total = weights.reduce((a, b) => a + b, 0);
    weights.forEach((weight, i) => {
      const share = weight / total;
      const standardError = Math.sqrt((share * (1 - share)) / numTrees);
      expect(Math.abs(counts[i] / numTrees - share)).toBeLessThanOrEqual(4.5 * standardError);
    });
  });
});

/** A tree of which only the ends and the sum of momenta matter; the metric is the identity. */
function stretch(first: number[], last: number[], rho: number[]): Tree {
  const tree = createTree(first.length);
  tree.pFirst.set(first);
  tree.vFirst.set(first);
  tree.pLast.set(last);
  tree.vLast.set(last);
  tree.rho.set(rho);
  tree.logSumWeight = 0;
  return tree;
}

describe('joinTrees', () => {
  it('continues while both ends move along the summed momentum', () => {
    const first = stretch([1, 0], [1, 0.1], [2, 0.1]);
    const second = stretch([1, 0.2], [1, 0.3], [2, 0.5]);
    expect(joinTrees(first, second, false)).toBe('complete');
    expect([...first.rho]).toEqual([4, 0.6]);
    expect([...first.pLast]).toEqual([1, 0.3]);
  });

  it('turns when an end moves against the summed momentum', () => {
    const first = stretch([1, 0], [0.5, 0], [1.5, 0]);
    const second = stretch([0.1, 0], [-0.2, 0], [-0.1, 0]);
    expect(joinTrees(first, second, false)).toBe('turning');
  });

  it('turns when an end is at right angles to the summed momentum', () => {
    const along = () => stretch([1, 0], [1, 0], [2, 0]);
    const across = () => stretch([0, 1], [1, 0], [1, 1]);
    expect(joinTrees(along(), along(), false)).toBe('complete');
    const first = across();
    first.rho.set([2, 0]);
    expect(joinTrees(first, along(), false)).toBe('turning');
    const last = stretch([1, 0], [0, 1], [2, 0]);
    expect(joinTrees(along(), last, false)).toBe('turning');
  });

  it('turns at the seam when only the first half and the next point turn', () => {
    // whole: rho (2, 1); first half and next point: rho (2, 0) + (−4, 3) = (−2, 3), against the first end
    const first = stretch([1, 0], [1, 0], [2, 0]);
    const second = stretch([-4, 3], [0.1, 1], [0, 1]);
    expect(joinTrees(first, second, false)).toBe('turning');
  });

  it('turns at the seam when only the point before and the second half turn', () => {
    // whole: rho (2, 1); last point before and second half: (−4, 3) + (2, 0) = (−2, 3), against the last end
    const first = stretch([0.1, 1], [-4, 3], [0, 1]);
    const second = stretch([1, 0], [1, 0], [2, 0]);
    expect(joinTrees(first, second, false)).toBe('turning');
  });

  it('decides the same in both directions of time', () => {
    const vector = fc.array(fc.double({ min: -2, max: 2, noNaN: true }), {
      minLength: 2,
      maxLength: 2,
    });
    fc.assert(
      fc.property(vector, vector, vector, vector, vector, vector, (a, b, r, c, d, s) => {
        const forwards = joinTrees(stretch(a, b, r), stretch(c, d, s), false);
        const backwards = joinTrees(stretch(d, c, s), stretch(b, a, r), false);
        expect(backwards).toBe(forwards);
      }),
    );
  });

  it('swaps proposals only when asked to', () => {
    for (const takeSecond of [false, true]) {
      const first = stretch([1], [1], [1]);
      const second = stretch([1], [1], [1]);
      first.proposal.q[0] = 1;
      second.proposal.q[0] = 2;
      joinTrees(first, second, takeSecond);
      expect(first.proposal.q[0]).toBe(takeSecond ? 2 : 1);
    }
  });
});

describe('logAddExp', () => {
  it('adds without overflow', () => {
    expect(logAddExp(1000, 1000)).toBeCloseTo(1000 + Math.LN2, 10);
    expect(logAddExp(-3, -1000)).toBe(-3);
    expect(logAddExp(0, Math.log(3))).toBeCloseTo(Math.log(4), 14);
    for (const other of [3, Number.POSITIVE_INFINITY])
      expect(logAddExp(Number.POSITIVE_INFINITY, other)).toBe(Number.POSITIVE_INFINITY);
    expect(logAddExp(Number.NEGATIVE_INFINITY, -3)).toBe(-3);
    expect(logAddExp(Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY)).toBe(
      Number.NEGATIVE_INFINITY,
    );
  });
});
