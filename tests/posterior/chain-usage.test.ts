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

describe('chainUsage', () => {
  it('uses as many draws of each chain as the shortest has, with a message', () => {
    const usage = chainUsage(stopped);
    expect(usage).toMatchObject({ common: 1608, beyond: 196_784, empty: ['chain#4'], leftOut: [] });
    expect(commonLengthText(usage)).toBe(
      'R-hat, ESS and summary use only the first 1\u202f608 draws of each chain, 4\u202f824 of 201\u202f608: chain 3 is the shortest',
    );
    expect(leftOutText(usage)).toBeNull();
  });

  it('uses every draw of the remaining chains once the short ones are left out', () => {
    const usage = chainUsage(stopped, ['chain#3', 'chain#4']);
    expect(usage).toMatchObject({ common: 100_000, beyond: 0, empty: [] });
    expect(commonLengthText(usage)).toBeNull();
    expect(leftOutText(usage)).toBe('chains 3 and 4 are left out (1\u202f608 draws)');
  });

  it('has no message for chains of equal length', () => {
    const usage = chainUsage(lengthsOf(1000, 1000, 1000));
    expect([commonLengthText(usage), leftOutText(usage)]).toEqual([null, null]);
  });

  it('names all of the shortest chains, and a single draw in the singular', () => {
    expect(commonLengthText(chainUsage(lengthsOf(3, 1, 1)))).toBe(
      'R-hat, ESS and summary use only the first draw of each chain, 3 of 5: chains 2 and 3 are the shortest',
    );
    expect(leftOutText(chainUsage(lengthsOf(3, 0), ['chain#2']))).toBe(
      'chain 2 is left out (no draws)',
    );
  });

  it('ignores names of unknown chains', () => {
    expect(chainUsage(lengthsOf(5, 5), ['chain#9']).leftOut).toEqual([]);
  });

  it('has a common length of 0 if no remaining chain has draws', () => {
    expect(chainUsage(lengthsOf(0, 10), ['chain#2'])).toMatchObject({ common: 0, used: [] });
    expect(chainUsage([])).toMatchObject({ common: 0, beyond: 0 });
  });
});

describe('the chains to leave out', () => {
  it('are the short ones that cost more draws than they add, and those without draws', () => {
    expect(chainsToLeaveOut(chainUsage(stopped))).toEqual(['chain#3', 'chain#4']);
  });

  it('are none if a shorter chain adds more than it costs', () => {
    expect(chainsToLeaveOut(chainUsage(lengthsOf(1000, 1000, 1000, 900)))).toEqual([]);
  });

  it('are only those without draws if all others have the same length', () => {
    expect(chainsToLeaveOut(chainUsage(lengthsOf(500, 0, 500)))).toEqual(['chain#2']);
  });

  it('are found in any order, and are none if leaving one out gains nothing', () => {
    expect(chainsToLeaveOut(chainUsage(lengthsOf(10, 900, 20, 1000, 800)))).toEqual([
      'chain#1',
      'chain#3',
    ]);
    // 3 × 20 from all, or 2 × 30 from two.
    expect(chainsToLeaveOut(chainUsage(lengthsOf(20, 30, 30)))).toEqual([]);
    expect(chainsToLeaveOut(chainUsage(lengthsOf(5, 0)))).toEqual([]);
  });

  it('leave at least two chains, since one cannot show that chains agree', () => {
    expect(chainsToLeaveOut(chainUsage(lengthsOf(100_000, 10)))).toEqual([]);
    expect(chainsToLeaveOut(chainUsage(lengthsOf(100_000, 10, 10)))).toEqual([]);
  });
});
