/**
 * Posteriors without published draws, compared with the results of rstan 2.21:
 *
 *   npm run bench -- rstan-posteriors [NAME…] [--seed 4711]
 *   npm run bench -- rstan-posteriors [NAME…] --make [--compile] [--rstan-models FOLDER]
 *
 * `--make` samples them with rstan (see the bench "engine" for what it needs), 4 × (1000 + 2000), and writes
 * tests/fixtures/rstan/posteriors.json; with `--compile` it stops once the programs are compiled.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { compileModel } from '../../src/engine/compile-model.ts';
import { openStream } from '../../src/engine/random-streams.ts';
import { runChains } from '../../src/engine/run.ts';
import { defaultSettings } from '../../src/engine/settings.ts';
import type { Settings } from '../../src/engine/settings-table.ts';
import { rhatRank } from '../../src/posterior/rhat.ts';
import { bundleWorker } from '../support/bundle-worker.ts';
import {
  agrees,
  comparedColumns,
  loadRstanPosterior,
  matchRstan,
  type RstanPosterior,
  type RstanReference,
  referenceFile,
  rstanPosteriorNames,
  rstanReferences,
  summaryOf,
} from '../support/rstan-posteriors.ts';
import { rstanModel, sampleByRstan } from './engine/rstan.ts';
import { rstanProgram } from './engine/rstan-program.ts';
import { isNamed } from './posterior-options.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    make: { type: 'boolean', default: false },
    compile: { type: 'boolean', default: false },
    seed: { type: 'string', default: '4711' },
    'rstan-models': { type: 'string', default: path.join(tmpdir(), 'ergodic-rstan') },
  },
});
const named = rstanPosteriorNames.filter((name) => isNamed(name, positionals));

function settingsOf({ adaptDelta, initRadius }: RstanPosterior, numSamples: number): Settings {
  const seed = Number(options.seed);
  return { ...defaultSettings, adaptDelta, initRadius, numSamples, seed };
}

const round = (x: number): number => Number(x.toPrecision(6));

function columnsOf({ source, data }: RstanPosterior): string[] {
  const compiled = compileModel({ source, data, rng: openStream(1, 0, 'transformed-data') });
  if (!compiled.ok) throw new Error(compiled.message);
  return comparedColumns(compiled.model.variables, compiled.model.columns);
}

/** The results of rstan; null if the program is only to be compiled. */
function made(one: RstanPosterior): RstanReference | null {
  const [source] = one.source.split('generated quantities');
  const rstanSource = rstanProgram(source);
  const model = rstanModel({ name: one.name, rstanSource }, options['rstan-models']);
  if (options.compile) return null;
  const folder = mkdtempSync(path.join(tmpdir(), 'ergodic-posteriors-'));
  try {
    const columns = columnsOf(one);
    const request = { source, data: one.data, settings: settingsOf(one, 2000), isWarm: false };
    const { draws, divergences } = sampleByRstan(model, request, columns, folder);
    const summaries = draws.map((chains) => summaryOf(chains));
    const rhats = draws.filter((_, i) => summaries[i][1] > 0).map(rhatRank);
    const values = columns.map((column, i) => [column, summaries[i].map(round)] as const);
    return {
      rhat: round(Math.max(...rhats)),
      divergences,
      values: Object.fromEntries(values) as unknown as RstanReference['values'],
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function makeReferences(): void {
  for (const name of named) {
    const reference = made(loadRstanPosterior(name));
    console.log(name, reference === null ? 'compiled' : `rhat ${reference.rhat}`);
    if (reference === null) continue;
    const all: Record<string, RstanReference> = { ...rstanReferences(), [name]: reference };
    const lines = Object.keys(all)
      .toSorted()
      .map((key) => `${JSON.stringify(key)}: ${JSON.stringify(all[key])}`);
    writeFileSync(referenceFile, `{\n${lines.join(',\n')}\n}\n`);
  }
}

async function compareAll(): Promise<void> {
  const worker = await bundleWorker();
  const references = rstanReferences();
  let numMatched = 0;
  console.log(`${'posterior'.padEnd(22)} verdict values  z mean z spread   rhat  div      s`);
  for (const name of named) {
    const reference = references[name];
    if (reference === undefined) {
      console.log(`${name.padEnd(22)} no numbers of rstan`);
      continue;
    }
    const one = loadRstanPosterior(name);
    const { source, data } = one;
    const settings = settingsOf(one, 1000);
    const { columns, chains } = await runChains({ source, data, settings, workerUrl: worker.url });
    const matches = Object.entries(reference.values).map(([key, summary]) => {
      const c = columns.indexOf(key);
      return matchRstan(
        key,
        chains.map(({ sampling }) => sampling[c]),
        summary,
      );
    });
    const off = matches.filter((match) => !agrees(match));
    if (off.length === 0) numMatched += 1;
    const largest = (f: (match: (typeof matches)[number]) => number) => Math.max(...matches.map(f));
    const total = (f: (progress: NonNullable<(typeof chains)[number]['progress']>) => number) =>
      chains.reduce((sum, { progress }) => sum + (progress === null ? 0 : f(progress)), 0);
    const cells = [
      String(matches.length).padStart(6),
      largest(({ zMean }) => zMean)
        .toFixed(2)
        .padStart(7),
      largest(({ zSpread }) => zSpread)
        .toFixed(2)
        .padStart(8),
      largest(({ rhat }) => rhat)
        .toFixed(3)
        .padStart(6),
      String(total((progress) => progress.divergences)).padStart(4),
      total((progress) => progress.warmupSeconds + progress.samplingSeconds)
        .toFixed(1)
        .padStart(6),
    ];
    const verdict = off.length === 0 ? 'match' : `${off.length} off`;
    console.log(`${name.padEnd(22)} ${verdict.padEnd(7)} ${cells.join(' ')}`);
    for (const match of off) console.log(`    ${JSON.stringify(match)}`);
  }
  const compared = named.filter((name) => references[name] !== undefined);
  console.log(`${numMatched} of ${compared.length} agree with rstan 2.21`);
  await worker.remove();
}

if (options.make) makeReferences();
else await compareAll();
