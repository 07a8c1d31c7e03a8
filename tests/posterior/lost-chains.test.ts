/** Chains in another region, and what the verdict says about them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChainRegion, lostChains, regionOf } from '../../src/posterior/lost-chains.ts';
import { lostCheck } from '../../src/posterior/lost-check.ts';
import { judge } from '../../src/posterior/verdict.ts';

const at = (index: number, mean: number, stepSize = 0.5, sd = 2): ChainRegion => ({
  name: `chain#${index}`,
  logDensity: { mean, sd },
  stepSize,
});
const all = (...means: readonly number[]) => means.map((mean, index) => at(index + 1, mean));
const namesOf = (chains: readonly ChainRegion[]) => lostChains(chains).map(({ name }) => name);

describe('lost chains', () => {
  it('are those whose log density is far below or above that of most', () => {
    expect(lostChains(all(-10, -11, -131, -10.5))).toEqual([{ name: 'chain#3', below: 120.5 }]);
    expect(lostChains(all(-131, -130, -10, -132))).toEqual([{ name: 'chain#3', below: -121 }]);
    expect(namesOf(all(-10, -900, -11, -131, -10.5))).toEqual(['chain#2', 'chain#4']);
  });

  it('are none among chains that vary within one region', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -4, max: 4, noNaN: true }), { maxLength: 8 }),
        (means) => {
          expect(namesOf(all(...means))).toEqual([]);
        },
      ),
    );
  });

  it('cannot be found without a majority', () => {
    expect(namesOf(all(-10, -100))).toEqual([]);
    expect(namesOf(all(-10, -11, -100, -101))).toEqual([]);
    expect(namesOf(all(-10, -100, -1000))).toEqual([]);
  });

  it('include one that moves by tiny steps', () => {
    const chains = [at(1, -10), at(2, -10, 0.4), at(3, -10, 0.001), at(4, -10, 0.6)];
    expect(lostChains(chains)).toEqual([{ name: 'chain#3', timesSmaller: 450 }]);
    expect(namesOf([at(1, -10), at(2, -10, 0.1), at(3, -10, 0.4)])).toEqual([]);
  });

  it('start beyond five standard deviations or with steps over twenty times smaller', () => {
    expect(namesOf(all(-10, -20, -10))).toEqual([]);
    expect(lostChains(all(-10, -20.5, -10))).toEqual([{ name: 'chain#2', below: 10.5 }]);
    expect(lostChains(all(-10, 0.5, -10))).toEqual([{ name: 'chain#2', below: -10.5 }]);
    const steps = (...sizes: number[]) =>
      lostChains(sizes.map((size, index) => at(index + 1, -10, size)));
    expect(steps(1, 0.05, 1)).toEqual([]);
    expect(steps(1, 0.04, 1)).toEqual([{ name: 'chain#2', timesSmaller: 25 }]);
    expect(steps(1, 1, 0.5, 0.03)).toEqual([{ name: 'chain#4', timesSmaller: 25 }]);
  });

  it('are judged by the typical location and spread of the others', () => {
    // halfway between the two middle ones: −12
    expect(lostChains(all(-10, -11, -13, -14, -50))).toEqual([{ name: 'chain#5', below: 38 }]);
    // a wandering chain's own spread does not excuse it
    const wandering = { ...at(3, -90), logDensity: { mean: -90, sd: 400 } };
    expect(namesOf([at(1, -10), at(2, -11), wandering])).toEqual(['chain#3']);
    // each is close to its neighbour, however far apart the ends of the group are
    expect(namesOf(all(-10, -19, -28, -37))).toEqual([]);
  });

  it('list those in other regions first, each chain once', () => {
    const chains = [at(1, -10), at(2, -10, 0.001), at(3, -99, 0.001), at(4, -10)];
    const [apart, stuck, ...more] = lostChains([...chains, at(5, -10)]);
    expect([apart, stuck, more]).toEqual([
      { name: 'chain#3', below: 89 },
      { name: 'chain#2', timesSmaller: 500 },
      [],
    ]);
  });

  it('are not judged by means or step sizes that are missing or unusable', () => {
    const odd = (index: number, mean: number, sd: number, stepSize: number | null) => ({
      name: `chain#${index}`,
      logDensity: { mean, sd },
      stepSize,
    });
    expect(
      namesOf([at(1, -10), at(2, -11), at(3, -10.5), odd(4, NaN, 1, null), odd(5, -900, NaN, 0)]),
    ).toEqual([]);
    // two chains with a step size, and two with a location, do not judge each other
    expect(namesOf([at(1, -10, 1), at(2, -900, 0.001), odd(3, NaN, 1, null)])).toEqual([]);
    expect(namesOf([at(1, -10, 1), at(2, -10, 0.001), odd(3, -10, 1, -1)])).toEqual([]);
  });

  it('are none if nothing is recorded', () => {
    const nothing = { logDensity: null, stepSize: null };
    expect(namesOf([1, 2, 3].map((index) => ({ name: `chain#${index}`, ...nothing })))).toEqual([]);
    const few = new Float64Array(19).fill(-3);
    for (const draws of [undefined, Float64Array.of(1, 2), few])
      expect(regionOf('chain#1', draws, undefined)).toEqual({ name: 'chain#1', ...nothing });
    expect(regionOf('chain#1', new Float64Array(20).fill(-3), null)).toEqual({
      name: 'chain#1',
      logDensity: { mean: -3, sd: 0 },
      stepSize: null,
    });
  });
});

it('a region is the mean and the standard deviation of the log densities', () => {
  const draws = Float64Array.from({ length: 21 }, (_, i) => i - 10);
  const { logDensity, stepSize } = regionOf('chain#1', draws, 0.25);
  expect(logDensity?.mean).toBeCloseTo(0, 12);
  // Σ i² / 20 for i = −10 … 10
  expect(logDensity?.sd).toBeCloseTo(Math.sqrt(770 / 20), 12);
  expect(stepSize).toBe(0.25);
});

describe('the verdict', () => {
  const row = {
    variable: 'x',
    rhat: 1.9,
    ess_bulk: 6,
    ess_tail: 20,
    non_finite: 0,
    constant: false,
  };
  const verdictOn = (regions: readonly ChainRegion[], leftOut: readonly string[] = []) =>
    judge({
      rows: [row],
      leftOut,
      isHamiltonian: true,
      chains: regions.map((region) => ({
        name: region.name,
        region,
        numDraws: 200,
        divergences: 0,
        treedepthHits: 0,
        ebfmi: 1,
      })),
    });

  it('begins with the lost chain, since it explains the rest', () => {
    const verdict = verdictOn(all(-10, -11, -131, -10.5));
    expect(verdict.state).toBe('bad');
    expect(verdict.checks[0]).toMatchObject({
      name: 'lost_chains',
      status: 'failed',
      chain: 'chain#3',
      count: 1,
      message: 'chain 3 is in a different region: its log density is 121 below that of the others',
    });
    expect(verdict.headline).toBe(
      'Chain 3 is in a different region: its log density is 121 below that of the others; 4 checks failed',
    );
  });

  it('does not mention lost chains that are left out', () => {
    const { checks } = verdictOn(all(-10, -11, -131, -10.5), ['chain#3']);
    expect(checks.map(({ name }) => name)).not.toContain('lost_chains');
  });

  it('names the lost chains, and describes a stuck one', () => {
    expect(lostCheck(lostChains(all(-10, -900, -11, -131, -10.5)))?.message).toBe(
      'chains 2 and 4 are in different regions: the log density of chain 2 is 890 below that of the others',
    );
    expect(lostCheck([{ name: 'chain#3', timesSmaller: 450 }])?.message).toBe(
      'chain 3 is stuck: steps 450 times smaller than those of the others',
    );
    expect(lostCheck([])).toBeNull();
  });

  it('is bad, and has the farthest chain and the limit that it exceeds', () => {
    const [near, far] = [
      { name: 'chain#2', below: -8.25 },
      { name: 'chain#4', below: -10 },
    ];
    const failed = { name: 'lost_chains', status: 'failed', tone: 'bad' };
    const above = (name: string, distance: string) =>
      `the log density of ${name} is ${distance} above that of the others`;
    expect(lostCheck([near])).toEqual({
      ...failed,
      value: -8.25,
      threshold: 5,
      chain: 'chain#2',
      count: 1,
      message: 'chain 2 is in a different region: its log density is 8.3 above that of the others',
    });
    for (const lost of [
      [near, far],
      [far, near],
      [{ name: 'chain#2', timesSmaller: 30 }, far],
    ])
      expect(lostCheck(lost)).toEqual({
        ...failed,
        value: -10,
        threshold: 5,
        chain: 'chain#4',
        count: 2,
        message: `chains ${lost[0] === far ? '4 and 2' : '2 and 4'} are in different regions: ${above('chain 4', '10')}`,
      });
    expect(
      lostCheck([
        { ...near, below: 9 },
        { ...far, below: -9 },
      ])?.chain,
    ).toBe('chain#2');
  });

  it('reports how much smaller the steps of the first of several stuck chains are', () => {
    const stuck = [
      { name: 'chain#1', timesSmaller: 41.6 },
      { name: 'chain#3', timesSmaller: 30 },
    ];
    expect(lostCheck(stuck)).toEqual({
      name: 'lost_chains',
      status: 'failed',
      tone: 'bad',
      value: 41.6,
      threshold: 20,
      chain: 'chain#1',
      count: 2,
      message: 'chains 1 and 3 are stuck: steps 42 times smaller than those of the others',
    });
  });
});
