/** Chains in another region, and what the verdict says of them. */
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
  it('are those far below or above what most have in common', () => {
    expect(lostChains(all(-10, -11, -131, -10.5))).toEqual([{ name: 'chain#3', below: 120.5 }]);
    expect(lostChains(all(-131, -130, -10, -132))).toEqual([{ name: 'chain#3', below: -121 }]);
    expect(namesOf(all(-10, -900, -11, -131, -10.5))).toEqual(['chain#2', 'chain#4']);
  });

  it('are none where chains differ as chains of one region do', () => {
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

  it('are not looked for where nothing is recorded', () => {
    const nothing = { logDensity: null, stepSize: null };
    expect(namesOf([1, 2, 3].map((index) => ({ name: `chain#${index}`, ...nothing })))).toEqual([]);
    expect(regionOf('chain#1', Float64Array.of(1, 2), undefined)).toEqual({
      name: 'chain#1',
      ...nothing,
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

  it('begins with the chain that is lost, since it explains the rest', () => {
    const verdict = verdictOn(all(-10, -11, -131, -10.5));
    expect(verdict.state).toBe('bad');
    expect(verdict.checks[0]).toMatchObject({
      name: 'lost_chains',
      status: 'failed',
      chain: 'chain#3',
      count: 1,
      message: 'chain 3 is in a different region: its log density is 121 below that of the others',
    });
    expect(verdict.headline).toMatch(/^Chain 3 is in a different region/i);
  });

  it('says nothing of chains that are left out', () => {
    const { checks } = verdictOn(all(-10, -11, -131, -10.5), ['chain#3']);
    expect(checks.map(({ name }) => name)).not.toContain('lost_chains');
  });

  it('says how many are lost, and what a stuck one looks like', () => {
    expect(lostCheck(lostChains(all(-10, -900, -11, -131, -10.5)))?.message).toBe(
      'chains 2 and 4 are in different regions: the log density of chain 2 is 890 below that of the others',
    );
    expect(lostCheck([{ name: 'chain#3', timesSmaller: 450 }])?.message).toBe(
      'chain 3 is stuck: steps 450 times smaller than those of the others',
    );
    expect(lostCheck([])).toBeNull();
  });
});
