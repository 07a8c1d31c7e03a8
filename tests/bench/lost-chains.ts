/**
 * How far apart the log densities and step sizes of chains are in runs that have converged. The limits of
 * `posterior/lost-chains.ts` must stay clear of these values.
 *
 *   npm run bench -- lost-chains [NAME…] [--seeds 10]
 */
import { parseArgs } from 'node:util';
import { createChain } from '../../src/engine/chain.ts';
import { settingsOfChain } from '../../src/engine/chain-settings.ts';
import { compileModel } from '../../src/engine/compile-model.ts';
import { blockColumn } from '../../src/engine/events.ts';
import { openStream } from '../../src/engine/random-streams.ts';
import { defaultSettings } from '../../src/engine/settings.ts';
import { lostChains, regionOf } from '../../src/posterior/lost-chains.ts';
import { rhatRank } from '../../src/posterior/rhat.ts';
import { readData, readProgram, referencePosteriors } from '../support/posteriordb.ts';

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { seeds: { type: 'string', default: '10' } },
});

const usual = [
  'garch11',
  'hmm_example',
  'gp_regr',
  'momiq',
  'logmesquite',
  'sblrc',
  'arma11',
  'schools',
  'nes2000',
];
let numRuns = 0;
let numNamed = 0;
for (const [name, posterior] of Object.entries(referencePosteriors)) {
  if (!(names.length > 0 ? names : usual).some((part) => name.includes(part))) continue;
  const data = readData(posterior.data);
  if (data === null) continue;
  const source = readProgram(posterior.model);
  const compiled = compileModel({ source, data, rng: openStream(1, 1, 'transformed-data') });
  if (!compiled.ok) throw new Error(compiled.message);
  const { model } = compiled;
  let gap = 0;
  let steps = 1;
  let stuck = 0;
  let missed = 0;
  for (let seed = 1; seed <= Number(options.seeds); seed++) {
    const settings = {
      ...defaultSettings,
      numSamples: 200,
      adaptDelta: posterior.adapt_delta,
      maxTreeDepth: posterior.max_treedepth,
    };
    const chains = [1, 2, 3, 4].map((chain) => {
      const machine = createChain({
        model,
        settings: settingsOfChain(settings, { seed, chain, streamWarmup: false }),
        chain,
      });
      const { blocks } = machine.advance();
      const lp = Float64Array.from(blocks.flatMap((block) => [...blockColumn(block, 0)]));
      return { lp, region: regionOf(`chain#${chain}`, lp, machine.progress().stepSize) };
    });
    const named = lostChains(chains.map(({ region }) => region)).length;
    if (rhatRank(chains.map(({ lp }) => lp)) > 1.1) {
      stuck += 1;
      if (named === 0) missed += 1;
      continue;
    }
    numRuns += 1;
    if (named > 0) numNamed += 1;
    const known = chains.flatMap(({ region }) => region.logDensity ?? []);
    const sd = known.map((one) => one.sd).toSorted((a, b) => a - b)[2];
    const means = known.map(({ mean }) => mean);
    gap = Math.max(gap, (Math.max(...means) - Math.min(...means)) / sd);
    const sizes = chains.map(({ region }) => region.stepSize ?? 1);
    steps = Math.max(steps, Math.max(...sizes) / Math.min(...sizes));
  }
  console.log(
    `${name.padEnd(44)} gap ${gap.toFixed(2)} sd, steps differ ${steps.toFixed(1)} ×; ${stuck} runs with chains apart, ${missed} of them without a name`,
  );
}
console.log(`${numNamed} of ${numRuns} converged runs name a chain.`);
