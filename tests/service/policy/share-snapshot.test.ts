/** What is read of a frozen share, and what an old one that lacks it gives. */
import { expect, it } from 'vitest';
import {
  analysisOf,
  boundsOf,
  chainsOf,
  grantOf,
  hasSharedData,
  leftOutOf,
  revisionOf,
  snapshotEntry,
} from '../../../src/service/policy/share-snapshot.ts';
import type { ShareRow } from '../../../src/service/repositories/shares.ts';

const shareOf = (snapshot: object) =>
  ({ short_id: 'S0000001', password_version: 3, snapshot }) as unknown as ShareRow;
const experiment = { object_type: 'experiment', meta: { chains_left_out: ['chain#2'] } };

it('has bounds by chain, chains, revision, analysis, data and chains left out', () => {
  const chains = [{ name: 'chain#1' }];
  const share = shareOf({
    view: experiment,
    bounds: [
      { name: 'chain#1', sampling: 30 },
      { name: 'chain#2', sampling: 0 },
    ],
    chains,
    revision: 7,
    analysis: { id: 5 },
    has_data: true,
  });
  expect([...boundsOf(share)]).toEqual([
    ['chain#1', 30],
    ['chain#2', 0],
  ]);
  expect(chainsOf(share)).toEqual(chains);
  expect(revisionOf(share)).toBe(7);
  expect(analysisOf(share)).toEqual({ id: 5 });
  expect(hasSharedData(share)).toBe(true);
  expect(leftOutOf(share)).toEqual(['chain#2']);
  expect(grantOf(share)).toEqual({ share: 'S0000001', passwordVersion: 3 });
});

it('has none of them where nothing was frozen', () => {
  const share = shareOf({ view: { ...experiment, object_type: 'model' } });
  expect([...boundsOf(share)]).toEqual([]);
  expect(chainsOf(share)).toEqual([]);
  expect(revisionOf(share)).toBe(0);
  expect(analysisOf(share)).toBeNull();
  expect(hasSharedData(share)).toBe(false);
  expect(leftOutOf(share)).toEqual([]);
});

it('lists an experiment with a whole verdict, and other objects as they were frozen', () => {
  const verdict = { state: 'good', divergences: 0 };
  const meta = { verdict: { ...verdict, rhat_max: 1, ess_bulk_min: 900, ess_tail_min: 900 } };
  const full = { ...meta.verdict, treedepth_hits: 0, ebfmi_min: 1 };
  const view = { object_type: 'experiment', num_chains: 4, meta: { verdict: full } };
  expect(snapshotEntry(shareOf({ view }))).toMatchObject({
    meta: { verdict: { headline: 'Looks converged' } },
  });
  const model = { ...view, object_type: 'model' };
  expect(snapshotEntry(shareOf({ view: model }))).toEqual(model);
});
