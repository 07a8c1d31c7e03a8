/** The files at an address, or in a repository or snippet, whichever way they are packed. */
import { limits } from '../../contract/limits.ts';
import { decodeText, type ModelFile, type ModelFiles } from '../../formats/model-tree.ts';
import { segmentProblem } from '../../formats/path-segment.ts';
import { ownBuffer } from '../http/body-reader.ts';
import { invalidParameter, tooLarge } from '../http/service-error.ts';
import type { ReadingThreads } from '../reading/reading-threads.ts';
import type { ModelMeta } from '../repositories/model-types.ts';
import { type CodeHost, parseGist, parseRepo } from './code-host.ts';
import type { Fetcher } from './fetcher.ts';
import { isArchive } from './read-archive.ts';

export interface FetchedFiles {
  readonly name: string;
  readonly files: readonly ModelFile[];
  readonly meta: ModelMeta;
}

export interface FetchPlace {
  readonly fetcher: Fetcher;
  readonly codeHost: CodeHost;
}

/** Where archives are accepted: they are unpacked outside the event loop. */
export interface UnpackPlace extends FetchPlace {
  readonly reading: ReadingThreads;
}

const archiveBounds = { maxBytes: limits.body_bytes, timeoutMs: 60_000 };
const answerBounds = {
  maxBytes: 8 * 2 ** 20,
  timeoutMs: 30_000,
  accept: 'application/vnd.github+json',
};

/** A single file, or the files of a zip, tar or tar.gz archive. Throws the fetcher's errors, TOO_LARGE, INVALID_PARAMETER. */
export async function fetchAddress(place: UnpackPlace, address: string): Promise<FetchedFiles> {
  const { fetcher } = place;
  const { bytes, fileName } = await fetcher.fetch(address, archiveBounds);
  const meta = { origin_url: address };
  const name = fileName.replace(/\.(tar\.gz|tgz|tar|zip|[A-Za-z]{1,5})$/, '');
  const packed = await unpack(place, bytes);
  if (packed !== null) return { name, files: withoutTopFolder(packed.files), meta };
  if (bytes.length > limits.file_bytes)
    throw tooLarge(
      `The file has ${bytes.length} bytes; at most ${limits.file_bytes} are allowed.`,
      { limit: limits.file_bytes, size: bytes.length },
    );
  return { name, files: [asFile(fileName, bytes)], meta };
}

/** The files of a repository at its branch's current commit. */
export async function fetchRepo(
  host: UnpackPlace,
  repo: string,
  branch: string,
): Promise<FetchedFiles> {
  const { fetcher, codeHost } = host;
  const { owner, name, branch: ref } = parseRepo(codeHost, repo, branch);
  const at = `${owner}/${name}`;
  const place = `${codeHost.api}/repos/${at}/commits/${ref === '' ? 'HEAD' : encodeURIComponent(ref)}`;
  const { sha } = await fetchJson<{ sha?: unknown }>(fetcher, place);
  if (typeof sha !== 'string' || !/^[0-9a-f]{7,64}$/.test(sha))
    throw invalidParameter(`${at} has no commit ${ref || 'HEAD'}.`);
  const { bytes } = await fetcher.fetch(`${codeHost.archives}/${at}/tar.gz/${sha}`, archiveBounds);
  const packed = await unpack(host, bytes);
  if (packed === null)
    throw invalidParameter(
      `The answer from ${codeHost.archives} for ${at} is not a valid archive.`,
    );
  return {
    name,
    files: withoutTopFolder(packed.files),
    meta: {
      github: at,
      commit_id: sha,
      origin_url: `${codeHost.web}/${at}`,
      fixed_version_url: `${codeHost.web}/${at}/tree/${sha}`,
    },
  };
}

interface GistFile {
  readonly filename?: unknown;
  readonly content?: unknown;
  readonly truncated?: unknown;
  readonly raw_url?: unknown;
}
interface Gist {
  readonly description?: unknown;
  readonly files?: Readonly<Record<string, GistFile | null>>;
  readonly history?: readonly { readonly version?: unknown }[];
}

/** The current files of a snippet; its name is its description, if it has one. */
export async function fetchGist(
  { fetcher, codeHost }: FetchPlace,
  text: string,
): Promise<FetchedFiles> {
  const id = parseGist(codeHost, text);
  const gist = await fetchJson<Gist>(fetcher, `${codeHost.api}/gists/${id}`);
  const listed = Object.values(gist.files ?? {}).filter((file) => file !== null);
  if (listed.length > limits.tree_nodes) throw invalidParameter('The snippet has too many files.');
  const files: ModelFile[] = [];
  for (const file of listed) files.push(await readGistFile(fetcher, file));
  const version = gist.history?.[0]?.version;
  const commit = typeof version === 'string' && /^[0-9a-f]{7,64}$/.test(version) ? version : null;
  const origin = `${codeHost.gists}/${id}`;
  const { description } = gist;
  return {
    name: typeof description === 'string' && description.trim() !== '' ? oneLine(description) : id,
    files,
    meta: {
      commit_id: commit,
      origin_url: origin,
      fixed_version_url: commit === null ? null : `${origin}/${commit}`,
    },
  };
}

const oneLine = (text: string) =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 255);

async function readGistFile(fetcher: Fetcher, file: GistFile): Promise<ModelFile> {
  const { filename, content, truncated, raw_url: address } = file;
  if (typeof filename !== 'string' || segmentProblem(filename) !== null)
    throw invalidParameter('The snippet has a file whose name cannot be used.');
  if (truncated === true && typeof address === 'string')
    return asFile(filename, (await fetcher.fetch(address)).bytes);
  return asFile(filename, new TextEncoder().encode(typeof content === 'string' ? content : ''));
}

async function fetchJson<T extends object>(fetcher: Fetcher, address: string): Promise<T> {
  const { bytes } = await fetcher.fetch(address, answerBounds);
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof value === 'object' && value !== null) return value as T;
  } catch {
    // the error below covers this
  }
  throw invalidParameter('The code host gave an unexpected answer.');
}

const asFile = (path: string, bytes: Uint8Array): ModelFile => ({
  path,
  bytes,
  encoding: decodeText(bytes) === null ? 'base64' : 'text',
});

/** The files of an archive, unpacked in a thread; null: it is not an archive. */
async function unpack({ reading }: UnpackPlace, bytes: Uint8Array): Promise<ModelFiles | null> {
  if (!isArchive(bytes)) return null;
  const buffer = ownBuffer(bytes);
  return reading.run('archive', { bytes: new Uint8Array(buffer) }, [buffer]);
}

/** An archive of a repository contains one folder with everything in it. */
function withoutTopFolder(files: readonly ModelFile[]): ModelFile[] {
  const tops = new Set(files.map(({ path }) => path.split('/')[0]));
  const isOne = tops.size === 1 && files.every(({ path }) => path.includes('/'));
  if (!isOne) return [...files];
  return files.map((file) => ({ ...file, path: file.path.slice(file.path.indexOf('/') + 1) }));
}
