/** The gallery as the API returns it, and models, data and settings made from its entries. */
import { stringify } from 'yaml';
import type { GalleryEntry } from '../../contract/system.ts';
import { galleryScheme } from '../../contract/system.ts';
import { buildTree } from '../../formats/model-tree.ts';
import { findGalleryModel, gallery } from '../../gallery/gallery.ts';
import type { GalleryModel } from '../../gallery/gallery-model.ts';
import { envOf, langOf, readContent } from '../content/model-content.ts';
import { notFound } from '../http/service-error.ts';
import { type DataRow, insertData } from '../repositories/data.ts';
import type { Executor } from '../repositories/database.ts';
import { insertModel, type ModelRow } from '../repositories/models.ts';
import { listGalleryRuns } from './gallery-draws.ts';

/** The group's name in the API, if the gallery has only one group. */
const group = 'Stan';

export function listGallery(): {
  models: Record<string, GalleryEntry[]>;
  MCMC: Record<string, GalleryEntry[]>;
} {
  const entries = gallery.map(({ slug, name, summary, origin }) => ({
    name,
    url: [galleryScheme + slug],
    summary,
    origin,
  }));
  return { models: { [group]: entries }, MCMC: { [group]: listGalleryRuns() } };
}

/** The entry that an address names; null for an address outside the gallery. Throws NOT_FOUND for an unknown entry. */
export function findByAddress(address: string): GalleryModel | null {
  if (!address.startsWith(galleryScheme)) return null;
  const model = findGalleryModel(address.slice(galleryScheme.length));
  if (model === undefined) throw notFound('The gallery has no such model.');
  return model;
}

export async function insertGalleryModel(
  db: Executor,
  ownerId: number,
  model: GalleryModel,
): Promise<ModelRow> {
  const files = Object.entries(model.files).map(([path, text]) => ({
    path,
    bytes: new TextEncoder().encode(text),
    encoding: 'text' as const,
  }));
  const tree = buildTree({ files, emptyFolders: [] });
  if (!tree.ok) throw new Error(`gallery model ${model.slug}: ${tree.error.message}`);
  const content = readContent({ tree: tree.value }, model.entranceFile);
  const env = envOf('', model.entranceFile);
  return insertModel(db, {
    ownerId,
    name: model.name,
    description: model.summary,
    tags: ['model'],
    env,
    lang: langOf(env),
    meta: { origin_url: galleryScheme + model.slug },
    content,
  });
}

export async function insertGalleryData(
  db: Executor,
  ownerId: number,
  { data, origin }: GalleryModel,
): Promise<DataRow> {
  const content = { bytes: new TextEncoder().encode(data.json), fmt: 'json' };
  return insertData(db, { ownerId, name: data.name, description: origin.slice(0, 2048), content });
}

/** The settings text of a workflow for this entry. */
export function gallerySettings({ settings = {} }: GalleryModel): string {
  return stringify({ sampling: settings });
}
