/**
 * Finished runs of gallery models as CSV files, one per chain, to try an import or a verdict immediately. They are
 * sampled at the first request, always with the same seed, so the package contains no large files.
 */
import { type GalleryEntry, galleryScheme } from '../../contract/system.ts';
import { findGalleryModel } from '../../gallery/gallery.ts';
import type { GalleryModel } from '../../gallery/gallery-model.ts';
import { invariant } from '../../shared/invariant.ts';
import { itemAt } from '../../shared/items.ts';
import { notFound } from '../http/service-error.ts';

const numGalleryChains = 4;

/** Slug → what the run shows. */
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
    const chains = Array.from({ length: numGalleryChains }, (_, i) => i + 1);
    return {
      name: model.name,
      url: chains.map((chain) => `${galleryScheme}${slug}/chain_${chain}.csv`),
      summary,
      origin: model.origin,
    };
  });
}

/** Null when the address is not the gallery's. Throws NOT_FOUND when the gallery has no such file. */
export async function readGalleryFile(
  address: string,
): Promise<{ fileName: string; bytes: Uint8Array } | null> {
  if (!address.startsWith(galleryScheme)) return null;
  const [, slug = '', chain = ''] = addressPattern.exec(address.slice(galleryScheme.length)) ?? [];
  const model = slug in runs ? findGalleryModel(slug) : undefined;
  if (model === undefined || Number(chain) < 1 || Number(chain) > numGalleryChains)
    throw notFound('The gallery has no such file of draws.');
  const files = await sampled(model);
  return { fileName: `${slug}_${chain}.csv`, bytes: itemAt(files, Number(chain) - 1) };
}

const made = new Map<string, Promise<Uint8Array[]>>();

function sampled(model: GalleryModel): Promise<Uint8Array[]> {
  const before = made.get(model.slug);
  if (before !== undefined) return before;
  // loaded at the first request, so that not every start loads the engine
  const files = import('./gallery-chains.ts').then(({ sampleGallery }) =>
    sampleGallery(model, numGalleryChains),
  );
  made.set(model.slug, files);
  return files;
}
