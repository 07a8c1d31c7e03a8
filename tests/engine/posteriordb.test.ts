/** Reference posteriors that are fast to sample; `npm run bench -- posteriordb` runs all of them. */
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runChains } from '../../src/engine/run.ts';
import { defaultSettings } from '../../src/engine/settings.ts';
import { type BundledWorker, bundleWorker } from '../support/bundle-worker.ts';
import {
  isMatch,
  matchKey,
  type ReferenceKey,
  readData,
  readProgram,
  referencePosteriors,
} from '../support/posteriordb.ts';

let worker: BundledWorker;
beforeAll(async () => {
  worker = await bundleWorker();
});
afterAll(() => worker.remove());

const quick = [
  'eight_schools-eight_schools_noncentered',
  'garch-garch11',
  'hmm_example-hmm_example',
  'gp_pois_regr-gp_regr',
  'kidiq-kidscore_momhs',
  'kidiq-kidscore_momhsiq',
  'kidiq_with_mom_work-kidscore_interaction_c',
  'kidiq_with_mom_work-kidscore_interaction_z',
  'kidiq_with_mom_work-kidscore_mom_work',
  'mesquite-logmesquite_logvolume',
  'mesquite-logmesquite',
  'mesquite-logmesquite_logvas',
  'sblrc-blr',
  'sblri-blr',
  'nes2000-nes',
];

describe('reference posteriors', () => {
  it.each(quick)(
    '%s is matched',
    async (name) => {
      const { model, data, adapt_delta, max_treedepth, keys } = referencePosteriors[name];
      const values = readData(data);
      if (values === null || keys === null) throw new Error('the fixtures lack data or draws');
      const result = await runChains({
        source: readProgram(model),
        data: values,
        settings: {
          ...defaultSettings,
          seed: 4711,
          adaptDelta: adapt_delta,
          maxTreeDepth: max_treedepth,
        },
        parallel: 2,
        workerUrl: worker.url,
      });
      expect(result.chains.map((chain) => chain.outcome)).toEqual(
        Array.from({ length: 4 }, () => ({ status: 'complete' })),
      );
      const matches = Object.entries(keys).map(([key, reference]) => {
        const c = result.columns.indexOf(key);
        return matchKey(
          key,
          result.chains.map((chain) => chain.sampling[c]),
          reference,
        );
      });
      expect(matches.filter((match) => !isMatch(model, match))).toEqual([]);
    },
    120_000,
  );

  it('every posterior has its program', () => {
    const programs = readdirSync(new URL('posteriordb/', import.meta.url));
    for (const { model } of Object.values(referencePosteriors)) {
      expect(programs).toContain(`${model}.stan`);
    }
  });
});

/** 0.5, 1.5, … 999.5 in thousandths, shuffled into four chains: as even as draws can be. */
function evenDraws(shift: number): Float64Array[] {
  const chains = Array.from({ length: 4 }, () => new Float64Array(250));
  for (let i = 0; i < 1000; i++) {
    const k = (i * 389) % 1000;
    chains[i % 4][Math.floor(i / 4)] = (k + 0.5) / 1000 + shift;
  }
  return chains;
}

describe('the match rule', () => {
  const uniform: ReferenceKey = {
    num_draws: 10_000,
    mean: 1 / 2,
    sd: Math.sqrt(1 / 12),
    mean_square: 1 / 3,
    sd_square: Math.sqrt(1 / 5 - 1 / 9),
    q5: 0.05,
    q50: 0.5,
    q95: 0.95,
  };

  it('accepts draws of the reference and refuses shifted or wider ones', () => {
    expect(isMatch('any', matchKey('x', evenDraws(0), uniform))).toBe(true);
    expect(isMatch('any', matchKey('x', evenDraws(0.06), uniform))).toBe(false);
    const wider = evenDraws(0).map((chain) => chain.map((x) => 0.5 + 1.2 * (x - 0.5)));
    expect(isMatch('any', matchKey('x', wider, { ...uniform, mean_square: 1 / 2 }))).toBe(false);
  });

  it('refuses chains that disagree', () => {
    const [first, ...others] = evenDraws(0);
    const apart = [
      first.map((x) => x + 0.5),
      ...others.map((chain) => chain.map((x) => x - 1 / 6)),
    ];
    const match = matchKey('x', apart, uniform);
    expect(match.zMean).toBeLessThan(4.5);
    expect(isMatch('any', match)).toBe(false);
  });

  it('judges heavy tails by quantiles', () => {
    const draws = evenDraws(0);
    draws[0][7] = 1e9;
    const match = matchKey('x', draws, uniform);
    expect(match.zQuantile).toBeLessThan(4.5);
    expect(isMatch('one_comp_mm_elim_abs', match)).toBe(true);
  });
});
