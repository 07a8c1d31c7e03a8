/**
 * How many chains get stuck in a far mode, for each way of finding starting points:
 *
 *   npm run bench -- starts [NAME…] [--seeds 50] [--inits random,pathfinder,multi-pathfinder]
 *
 * A chain is stuck if all its log densities are below those of the reference by more than chance allows.
 */
import { parseArgs } from 'node:util';
import { createChain } from '../../src/engine/chain.ts';
import { settingsOfChain } from '../../src/engine/chain-settings.ts';
import { blockColumn } from '../../src/engine/events.ts';
import { defaultSettings } from '../../src/engine/settings.ts';
import type { Settings } from '../../src/engine/settings-table.ts';
import { referencePosteriors } from '../support/posteriordb.ts';
import { isNamed, modelFor, referenceOption } from './posterior-options.ts';

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    reference: referenceOption,
    seeds: { type: 'string', default: '50' },
    inits: { type: 'string', default: 'random,pathfinder,multi-pathfinder' },
  },
});

const numChains = 4;
/** Further below the best chain's mean than chains of the same mode ever differ. */
const farBelow = 10;

for (const [name, posterior] of Object.entries(referencePosteriors)) {
  if (!isNamed(name, names.length > 0 ? names : ['arma11', 'low_dim_gauss_mix'])) continue;
  const model = modelFor(posterior, options.reference);
  if (model === null) continue;
  const runs = options.inits.split(',').map((inits) => {
    const settings: Settings = {
      ...defaultSettings,
      numWarmup: 300,
      numSamples: 50,
      inits: inits === 'random' ? null : inits,
    };
    const means: number[][] = [];
    for (let seed = 1; seed <= Number(options.seeds); seed++) {
      means.push(
        Array.from({ length: numChains }, (_, c) => {
          const place = { seed, chain: c + 1, streamWarmup: false };
          const chain = createChain({
            model,
            settings: settingsOfChain(settings, place),
            chain: c + 1,
          });
          const { blocks, status } = chain.advance();
          if (status !== 'finished') throw new Error(`${name}: chain ${c + 1} ${status}`);
          const lp = blocks.flatMap((block) => [...blockColumn(block, 0)]);
          return lp.reduce((sum, value) => sum + value, 0) / lp.length;
        }),
      );
    }
    return { inits, means };
  });
  const best = Math.max(...runs.flatMap(({ means }) => means.flat()));
  for (const { inits, means } of runs) {
    const stuck = means.map((lps) => lps.filter((lp) => lp < best - farBelow).length);
    const seeds = stuck.filter((count) => count > 0).length;
    const chains = stuck.reduce((sum, count) => sum + count, 0);
    console.log(
      `${name.padEnd(40)} ${inits.padEnd(18)} ${seeds} of ${means.length} seeds with a stuck chain, ${chains} of ${means.length * numChains} chains`,
    );
  }
}
