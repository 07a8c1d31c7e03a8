/** Sends draw files to a service: piece by piece if it accepts uploads, otherwise in one request. */
import type { Stats } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Client } from '../client/create-client.ts';
import { expectKind } from '../client/expect-kind.ts';
import { type SendableFile, sendFile } from '../client/send-file.ts';
import type { Experiment } from '../contract/experiment.ts';
import type { ServerConfig } from '../contract/system.ts';
import { fingerprintOf } from '../formats/file-fingerprint.ts';
import type { ImportType } from '../formats/imported-draws.ts';
import { StartError } from '../service/start-error.ts';
import type { ByteProgress } from './byte-progress.ts';

export interface ImportRequest {
  /** Paths, and https addresses. */
  readonly files: readonly string[];
  readonly name: string;
  readonly type: Exclude<ImportType, 'draws csv'> | null;
}

export interface SendContext {
  readonly progress: ByteProgress;
  readonly signal: AbortSignal;
}

/** Files up to this total size go in one request, whose response is the finished run. */
const SMALL_BYTES = 8 * 2 ** 20;

const isAddress = (file: string) => /^https?:\/\//.test(file);

export async function sendFiles(
  client: Client,
  request: ImportRequest,
  context: SendContext,
): Promise<Experiment> {
  const paths = request.files.filter((file) => !isAddress(file));
  const sizes: number[] = [];
  for (const file of paths) sizes.push((await statOf(file)).size);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const config = await client.viewConfig({ signal: context.signal });
  const takesUploads = config.capabilities.includes('uploads');
  const isLarge = total > SMALL_BYTES || request.files.length > config.max_upload_sample_file;
  const files =
    takesUploads && isLarge
      ? { data_uploads: await uploadFiles(client, paths, { ...context, total, config }) }
      : { data_files: await readFiles(paths, request.type), ...namesOf(paths) };
  const payload = {
    object_type: 'experiment' as const,
    name:
      request.name ||
      basename(request.files[0])
        .replace(/(?:\.gz)?$/, '')
        .replace(/\.[^.]+$/, ''),
    data_file_type: request.type,
    data_uris: request.files.filter(isAddress),
    ...files,
  };
  const { signal } = context;
  return expectKind(await client.createObject({ body: { payload }, signal }), 'experiment');
}

const namesOf = (paths: readonly string[]) =>
  paths.length === 0 ? {} : { meta: { file_names: paths.map((file) => basename(file)) } };

interface UploadContext extends SendContext {
  /** Bytes of all files. */
  readonly total: number;
  readonly config: ServerConfig;
}

async function uploadFiles(
  client: Client,
  paths: readonly string[],
  { progress, signal, total, config }: UploadContext,
): Promise<string[]> {
  const ids: string[] = [];
  let before = 0;
  for (const path of paths) {
    const file = await openFile(path);
    const what = `Uploading ${file.name}`;
    try {
      const { upload_id: id } = await sendFile(client, file, {
        pieceBytes: config.limits?.upload_piece_bytes ?? 2 ** 20,
        signal,
        onProgress: (bytes) => progress.update(what, before + bytes, total),
        onWaiting: (reason) => reason !== null && progress.note(`${reason} Trying again …`),
      });
      ids.push(id);
      before += file.size;
    } finally {
      await file.close();
    }
  }
  return ids;
}

/** An upload is recognised by the file's name, size, time and the bytes at both ends. */
async function openFile(path: string): Promise<SendableFile & { close(): Promise<void> }> {
  const { size, mtimeMs } = await statOf(path);
  const handle = await open(path);
  const slice = async (from: number, to: number) => {
    const { bytesRead, buffer } = await handle.read(
      Buffer.allocUnsafe(to - from),
      0,
      to - from,
      from,
    );
    return new Blob([buffer.subarray(0, bytesRead)]);
  };
  return {
    name: basename(path),
    size,
    fingerprint: await fingerprintOf({ size, modified: mtimeMs, slice }),
    slice,
    close: () => handle.close(),
  };
}

async function statOf(file: string): Promise<Stats> {
  try {
    const found = await stat(file);
    if (!found.isFile()) throw new StartError(`${file} is not a file.`);
    if (found.size === 0) throw new StartError(`${file} is empty.`);
    return found;
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw cannotRead(file, error);
  }
}

const cannotRead = (file: string, error: unknown) =>
  new StartError(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}.`);

async function readFiles(paths: readonly string[], type: ImportRequest['type']): Promise<string[]> {
  const texts: string[] = [];
  for (const file of paths)
    texts.push(
      wireText(
        await readFile(file).catch((error: unknown) => {
          throw cannotRead(file, error);
        }),
        type,
      ),
    );
  return texts;
}

/** Tables as text, everything else as base64. */
function wireText(bytes: Buffer, type: ImportRequest['type']): string {
  const isTable = type === 'stan csv' || type === 'turing csv' || !bytes.includes(0);
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return isTable && !isPacked && type !== 'arviz netcdf'
    ? bytes.toString('utf8')
    : bytes.toString('base64');
}
