/** Chains of different lengths: what a summary uses, and what to leave out. */
import { describe, expect, it } from 'vitest';
import {
  chainsToLeaveOut,
  chainUsage,
  commonLengthText,
  leftOutText,
} from '../../src/posterior/chain-usage.ts';

const lengthsOf = (...draws: number[]) =>
  draws.map((count, index) => ({ name: `chain#${index + 1}`, draws: count }));
const stopped = lengthsOf(100_000, 100_000, 1608, 0);

describe('what is used', () => {
  it('is as many draws of each chain as the shortest has, and says so', () => {
    const usage = chainUsage(stopped);
    expect(usage).toMatchObject({ common: 1608, beyond: 196_784, empty: ['chain#4'], leftOut: [] });
    expect(commonLengthText(usage)).toBe(
      'R-hat, ESS and summary use only the first 1\u202f608 draws of each chain, 4\u202f824 of 201\u202f608: chain 3 is the shortest',
    );
    expect(leftOutText(usage)).toBeNull();
  });

  it('is every draw of the chains that are kept once the short ones are left out', () => {
    const usage = chainUsage(stopped, ['chain#3', 'chain#4']);
    expect(usage).toMatchObject({ common: 100_000, beyond: 0, empty: [] });
    expect(commonLengthText(usage)).toBeNull();
    expect(leftOutText(usage)).toBe('chains 3 and 4 are left out (1\u202f608 draws)');
  });

  it('says nothing of chains that have the same length', () => {
    const usage = chainUsage(lengthsOf(1000, 1000, 1000));
    expect([commonLengthText(usage), leftOutText(usage)]).toEqual([null, null]);
  });

  it('names all of the shortest, and a single draw in the singular', () => {
    expect(commonLengthText(chainUsage(lengthsOf(3, 1, 1)))).toBe(
      'R-hat, ESS and summary use only the first draw of each chain, 3 of 5: chains 2 and 3 are the shortest',
    );
    expect(leftOutText(chainUsage(lengthsOf(3, 0), ['chain#2']))).toBe(
      'chain 2 is left out (no draws)',
    );
  });

  it('ignores names of chains that are not there', () => {
    expect(chainUsage(lengthsOf(5, 5), ['chain#9']).leftOut).toEqual([]);
  });

  it('has no common length without a chain that has draws', () => {
    expect(chainUsage(lengthsOf(0, 10), ['chain#2'])).toMatchObject({ common: 0, used: [] });
    expect(chainUsage([])).toMatchObject({ common: 0, beyond: 0 });
  });
});

describe('which chains to leave out', () => {
  it('are the short ones that cost more draws than they bring, and those without draws', () => {
    expect(chainsToLeaveOut(chainUsage(stopped))).toEqual(['chain#3', 'chain#4']);
  });

  it('are none where a shorter chain brings more than it costs', () => {
    expect(chainsToLeaveOut(chainUsage(lengthsOf(1000, 1000, 1000, 900)))).toEqual([]);
  });

  it('are only those without draws where all others are as long', () => {
    expect(chainsToLeaveOut(chainUsage(lengthsOf(500, 0, 500)))).toEqual(['chain#2']);
  });

  it('are found whatever their order, and none is left out where that gains nothing', () => {
    expect(chainsToLeaveOut(chainUsage(lengthsOf(10, 900, 20, 1000, 800)))).toEqual([
      'chain#1',
      'chain#3',
    ]);
    // 3 × 20 from all, or 2 × 30 from two.
    expect(chainsToLeaveOut(chainUsage(lengthsOf(20, 30, 30)))).toEqual([]);
    expect(chainsToLeaveOut(chainUsage(lengthsOf(5, 0)))).toEqual([]);
  });

  it('leave two chains at least, since one cannot show that chains agree', () => {
    expect(chainsToLeaveOut(chainUsage(lengthsOf(100_000, 10)))).toEqual([]);
    expect(chainsToLeaveOut(chainUsage(lengthsOf(100_000, 10, 10)))).toEqual([]);
  });
});
