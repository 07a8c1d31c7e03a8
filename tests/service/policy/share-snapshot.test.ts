/** What is read from a frozen share, and what an old one without it returns. */
import { expect, it } from 'vitest';
import {
  analysisOf,
  boundsOf,
  chainsOf,
  grantOf,
  hasSharedData,
  labelsOf,
  leftOutOf,
  matchedOf,
  revisionOf,
  settingsOf,
  snapshotEntry,
} from '../../../src/service/policy/share-snapshot.ts';
import type { ShareRow } from '../../../src/service/repositories/shares.ts';

const shareOf = (snapshot: object) =>
  ({ short_id: 'S0000001', password_version: 3, snapshot }) as unknown as ShareRow;
const labels = { coords: { school: ['A'] }, dims: { theta: ['school'] } };
const observation = { variable: 'log_lik[1]', pareto_k: 0.2, elpd_loo: -1, moves: 1 };
const meta = {
  chains_left_out: ['chain#2'],
  labels,
  settings: { num_samples: 30 },
  moment_match: { state: 'done', observations: [observation] },
};
const experiment = { object_type: 'experiment', meta };

it('a snapshot has the frozen parts of a run and of its sources', () => {
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
  expect(labelsOf(share)).toEqual(labels);
  expect(settingsOf(share)).toEqual({ num_samples: 30 });
  expect(matchedOf(share)).toEqual({ 'log_lik[1]': { pareto_k: 0.2, elpd_loo: -1 } });
  expect(grantOf(share)).toEqual({ share: 'S0000001', passwordVersion: 3 });
});

it.each([
  ['of another object', { ...experiment, object_type: 'model' }],
  ['of a run without a note', { object_type: 'experiment' }],
])('a snapshot has none of these parts if nothing was frozen: %s', (_, view) => {
  const share = shareOf({ view });
  expect([...boundsOf(share)]).toEqual([]);
  expect(chainsOf(share)).toEqual([]);
  expect(revisionOf(share)).toBe(0);
  expect(analysisOf(share)).toBeNull();
  expect(hasSharedData(share)).toBe(false);
  expect(leftOutOf(share)).toEqual([]);
  expect(labelsOf(share)).toEqual({ coords: {}, dims: {} });
  expect(settingsOf(share)).toBeNull();
  expect(matchedOf(share)).toEqual({});
});

it('a snapshot lists an experiment with its complete verdict, and other objects as frozen', () => {
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
