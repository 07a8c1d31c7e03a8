/** Runs a gallery model and writes its chains as CSV files. A separate module, since it loads the engine. */
import { setImmediate } from 'node:timers/promises';
import { createChain } from '../../engine/chain.ts';
import { settingsOfChain } from '../../engine/chain-settings.ts';
import { compileModel } from '../../engine/compile-model.ts';
import { blockColumn, type DrawBlock } from '../../engine/events.ts';
import { openStream } from '../../engine/random-streams.ts';
import { adaptationOf } from '../../engine/run.ts';
import { defaultSettings } from '../../engine/settings.ts';
import type { Settings } from '../../engine/settings-table.ts';
import { parseDataJson } from '../../formats/data-json.ts';
import type { GalleryModel } from '../../gallery/gallery-model.ts';
import type { DataJson } from '../../language/program.ts';
import { invariant } from '../../shared/invariant.ts';
import { chainCsv } from '../results/chain-csv.ts';

const fixedSettings = {
  ...defaultSettings,
  numWarmup: 500,
  numSamples: 250,
  adaptDelta: 0.95,
  // larger steps, so that the second model has its divergences
  metric: 'diag',
  adaptation: 'stan',
  seed: 20_251_121,
} satisfies Settings;

export async function sampleGallery(
  { slug, files, entranceFile, data }: GalleryModel,
  numChains: number,
): Promise<Uint8Array[]> {
  const settings: Settings = { ...fixedSettings, numChains };
  const values = parseDataJson(data.json);
  invariant(values.ok, 'the data of the gallery are JSON');
  const source = files[entranceFile];
  invariant(source !== undefined, 'the entrance is one of the files');
  const seed = settings.seed ?? 1;
  const compiled = compileModel({
    source,
    data: values.value.value as DataJson,
    rng: openStream(seed, 0, 'transformed-data'),
  });
  invariant(compiled.ok, 'the models of the gallery compile');
  const csv: Uint8Array[] = [];
  for (let chain = 1; chain <= settings.numChains; chain++) {
    // lets other requests be served between two chains
    await setImmediate();
    const place = { chain, seed, streamWarmup: false };
    const sampler = createChain({
      model: compiled.model,
      settings: settingsOfChain(settings, place),
      chain,
    });
    const { status, blocks } = sampler.advance();
    invariant(status === 'finished', 'a chain without limits finishes');
    const adaptation = adaptationOf(sampler.checkpoint());
    const sampling = sampler.columns.map((_, column) => joined(blocks, column));
    const pieces = chainCsv(
      {
        chain,
        outcome: { status: 'complete' },
        warmup: [],
        sampling,
        progress: null,
        adaptation,
      },
      { columns: sampler.columns, seed, settings, model: slug },
    );
    csv.push(new TextEncoder().encode([...pieces].join('')));
  }
  return csv;
}

function joined(blocks: readonly DrawBlock[], column: number): Float64Array {
  const values = new Float64Array(fixedSettings.numSamples);
  for (const block of blocks)
    if (block.phase === 'sampling')
      values.set(blockColumn(block, column), block.firstIteration - 1);
  return values;
}
