/**
 * Draws pinned by seed. They may change only with `engineVersion`, or `fitVersion` for other algorithms than NUTS:
 * then write the new ones to the file.
 */
import { describe, expect, it } from 'vitest';
import { engineVersion, fitVersion } from '../../src/engine/checkpoint.ts';
import pinned from '../fixtures/engine/pinned-draws.json' with { type: 'json' };
import { type PinnedSummary, pinnedChains, summaryOf } from '../support/pinned-draws.ts';

const chains: Readonly<Record<string, PinnedSummary>> = pinned.chains;

describe('the same seed gives the same draws', () => {
  it('for the pinned versions of engine and fit', () => {
    expect({ engineVersion, fitVersion }).toEqual(pinned.versions);
  });

  it.each(Object.entries(pinnedChains))('%s', (name, chain) => {
    const { means, log } = summaryOf(chain);
    const expected = chains[name];
    expect(log).toEqual(expected.log);
    expect(means).toHaveLength(expected.means.length);
    // other machines may round differently
    expected.means.forEach((mean, c) => {
      const error = Math.abs(means[c] - mean) / Math.max(1e-3, Math.abs(mean));
      expect(error, `column ${c}`).toBeLessThan(1e-6);
    });
  });
});
