/** Models made from addresses: a file or archive, a repository at a commit, a snippet. */
import type * as z from 'zod/mini';
import type { createModelSchema } from '../../../contract/model.ts';
import type { ModelFile } from '../../../formats/model-tree.ts';
import { itemAt } from '../../../shared/items.ts';
import { envOf, langOf, readFilesContent } from '../../content/model-content.ts';
import type { CoreContext } from '../../context.ts';
import { readPlace } from '../../fetching/code-host.ts';
import {
  type FetchedFiles,
  fetchAddress,
  fetchGist,
  fetchRepo,
} from '../../fetching/fetch-files.ts';
import { ownBuffer, SMALL_BYTES } from '../../http/body-reader.ts';
import { invalidParameter } from '../../http/service-error.ts';
import { insertModel, type ModelRow, type NewModelContent } from '../../repositories/models.ts';

export type ModelRequest = Pick<
  z.output<typeof createModelSchema>,
  | 'type'
  | 'name'
  | 'description'
  | 'env'
  | 'tags'
  | 'lang'
  | 'single_instance'
  | 'lambda_image'
  | 'entrance_file'
  | 'source_url'
  | 'repo'
  | 'branch'
>;

/**
 * Throws the fetcher's `ServiceError`s, INVALID_PARAMETER for anything that is not a model. A model with no name gets
 * that of the repository, the snippet's description, or the file's name.
 */
export async function importModel(
  context: CoreContext,
  ownerId: number,
  request: ModelRequest,
): Promise<ModelRow> {
  const { name, files, meta } = await fetchRequested(context, request);
  const content = await contentOf(context, files, request.entrance_file || entranceOf(files));
  const env = envOf((request.env ?? '').slice(0, 64), content.entranceFile ?? '');
  return insertModel(context.pool, {
    ownerId,
    name: request.name || name.slice(0, 255),
    description: request.description ?? '',
    tags: request.tags ?? ['model'],
    env,
    lang: request.lang?.slice(0, 64) || langOf(env),
    singleInstance: request.single_instance,
    lambdaImage: request.lambda_image,
    meta,
    content,
  });
}

async function contentOf(
  { reading }: CoreContext,
  files: readonly ModelFile[],
  entrance: string,
): Promise<NewModelContent> {
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (size <= SMALL_BYTES) return readFilesContent(files, entrance);
  const buffers = files.map(({ bytes }) => ownBuffer(bytes));
  const moved = files.map((file, i) => ({
    ...file,
    bytes: new Uint8Array(itemAt(buffers, i)),
  }));
  return reading.run('filesContent', { files: moved, entrance }, buffers);
}

async function fetchRequested(context: CoreContext, request: ModelRequest): Promise<FetchedFiles> {
  const { type, repo, source_url: address, branch } = request;
  const named = repo || address;
  if (named === '')
    throw invalidParameter(
      type === 'url' ? 'payload.source_url is missing.' : 'payload.repo is missing.',
      { field: type === 'url' ? 'payload.source_url' : 'payload.repo' },
    );
  if (type === 'repo') return fetchRepo(context, named, branch);
  if (type === 'gist') return fetchGist(context, named);
  const place = readPlace(context.codeHost, address || repo);
  if (place.kind === 'repo') return fetchRepo(context, address, branch);
  if (place.kind === 'gist') return fetchGist(context, address);
  return fetchAddress(context, place.address);
}

/** The entrance file named in our table of the project's file; empty if there is none. */
function entranceOf(files: readonly ModelFile[]): string {
  const project = files.find(({ path }) => path === 'Project.toml');
  if (project === undefined) return '';
  const named = readTomlText(new TextDecoder().decode(project.bytes), 'ergodic', 'entrance_file');
  return named !== null && files.some(({ path }) => path === named) ? named : '';
}

/** Our table is near the beginning of a project's file. */
const MOST_TOML = 64 * 1024;

/** The string at a key in a table of a TOML document; only plain one-line strings are supported. */
export function readTomlText(text: string, table: string, key: string): string | null {
  let current = '';
  for (const raw of text.slice(0, MOST_TOML).split('\n')) {
    const line = raw.trim();
    const header = tableOf(line);
    if (header !== null) current = header;
    const pair = /^"?([\w-]+)"?\s*=\s*(?:"([^"\\]*)"|'([^']*)')\s*(?:#.*)?$/.exec(line);
    if (pair !== null && current === table && pair[1] === key) return pair[2] ?? pair[3] ?? '';
  }
  return null;
}

/** The name in `[name]`; null: not a table header. Not a regular expression: it took minutes on many spaces. */
function tableOf(line: string): string | null {
  if (!line.startsWith('[')) return null;
  const end = line.indexOf(']');
  const rest = line.slice(end + 1).trimStart();
  if (end < 0 || (rest !== '' && !rest.startsWith('#'))) return null;
  const name = line.slice(1, end).trim();
  return name === '' || name.includes('[') ? null : name.replaceAll('"', '');
}

/** The request for a model of which only the address is given. */
export const fetchedModel: ModelRequest = {
  type: 'url',
  name: '',
  env: null,
  tags: null,
  lang: null,
  source_url: '',
  repo: '',
  branch: '',
  single_instance: true,
  lambda_image: false,
  entrance_file: '',
};
