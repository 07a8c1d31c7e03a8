/**
 * Finished runs of gallery models as CSV files, one a chain, for who wants to see an import or a verdict at once. They
 * are sampled when they are first asked for, always with the same seed, so that nothing large lies in the package.
 */

import { setImmediate } from 'node:timers/promises';
import { type GalleryEntry, galleryScheme } from '../../contract/system.ts';
import { createChain } from '../../engine/chain.ts';
import { settingsOfChain } from '../../engine/chain-settings.ts';
import { compileModel } from '../../engine/compile-model.ts';
import { blockColumn, type DrawBlock } from '../../engine/events.ts';
import { openStream } from '../../engine/random-streams.ts';
import { adaptationOf } from '../../engine/run.ts';
import { defaultSettings } from '../../engine/settings.ts';
import { type Settings } from '../../engine/settings-table.ts';
import { parseDataJson } from '../../formats/data-json.ts';
import { findGalleryModel } from '../../gallery/gallery.ts';
import type { GalleryModel } from '../../gallery/gallery-model.ts';
import type { DataJson } from '../../language/program.ts';
import { invariant } from '../../shared/invariant.ts';
import { itemAt } from '../../shared/items.ts';
import { notFound } from '../http/service-error.ts';
import { chainCsv } from '../results/chain-csv.ts';

const settings: Settings = {
  ...defaultSettings,
  numChains: 4,
  numWarmup: 500,
  numSamples: 250,
  adaptDelta: 0.95,
  // larger steps, so that the second has its divergences
  metric: 'diag',
  adaptation: 'stan',
  seed: 20_251_121,
};

/** Slug → what is to be seen in it. */
const runs: Readonly<Record<string, string>> = {
  'eight-schools': 'Four chains that agree.',
  'eight-schools-centred': 'Divergent draws: the verdict says why not to trust them.',
};

const addressPattern = /^([\w-]+)\/chain_(\d)\.csv$/;

/** Entries of `/sys/gallery`: `url` is what `data_uris` takes. */
export function listGalleryRuns(): GalleryEntry[] {
  return Object.entries(runs).map(([slug, summary]) => {
    const model = findGalleryModel(slug);
    invariant(model !== undefined, 'a finished run belongs to a model of the gallery');
    const chains = Array.from({ length: settings.numChains }, (_, i) => i + 1);
    return {
      name: model.name,
      url: chains.map((chain) => `${galleryScheme}${slug}/chain_${chain}.csv`),
      summary,
      origin: model.origin,
    };
  });
}

/** Null when the address is not one of the gallery's. Throws NOT_FOUND when the gallery has no such file. */
export async function readGalleryFile(
  address: string,
): Promise<{ fileName: string; bytes: Uint8Array } | null> {
  if (!address.startsWith(galleryScheme)) return null;
  const [, slug = '', chain = ''] = addressPattern.exec(address.slice(galleryScheme.length)) ?? [];
  const model = slug in runs ? findGalleryModel(slug) : undefined;
  if (model === undefined || Number(chain) < 1 || Number(chain) > settings.numChains)
    throw notFound('The gallery has no such file of draws.');
  const files = await sampled(model);
  return { fileName: `${slug}_${chain}.csv`, bytes: itemAt(files, Number(chain) - 1) };
}

const made = new Map<string, Promise<Uint8Array[]>>();

function sampled(model: GalleryModel): Promise<Uint8Array[]> {
  const before = made.get(model.slug);
  if (before !== undefined) return before;
  const files = sample(model);
  made.set(model.slug, files);
  return files;
}

async function sample({ slug, files, entranceFile, data }: GalleryModel): Promise<Uint8Array[]> {
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
    // others are served between two chains
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
  const values = new Float64Array(settings.numSamples);
  for (const block of blocks)
    if (block.phase === 'sampling')
      values.set(blockColumn(block, column), block.firstIteration - 1);
  return values;
}
