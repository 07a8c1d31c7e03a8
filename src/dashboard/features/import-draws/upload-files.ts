/** Sends chosen files piece by piece, one after the other, and reports the progress of each. */
import type { Client } from '../../../client/create-client.ts';
import { sendFile } from '../../../client/send-file.ts';
import { fingerprintOf } from '../../../formats/file-fingerprint.ts';
import type { PickedFile, UploadLimits } from './picked-files.ts';

export interface UploadProgress {
  /** Bytes by file. */
  readonly sent: ReadonlyMap<number, number>;
  /** Bytes that had arrived before this page began, which say nothing about the speed. */
  readonly before: number;
  /** Milliseconds, by `performance.now()`. */
  readonly since: number;
  /** Why nothing moves at the moment; null: it does. */
  readonly waiting: string | null;
}

export interface UploadOptions {
  readonly limits: UploadLimits;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: UploadProgress) => void;
}

/** Ids of the uploads, in the order of the files. */
export async function uploadFiles(
  client: Client,
  files: readonly PickedFile[],
  { limits, signal, onProgress }: UploadOptions,
): Promise<string[]> {
  const ids: string[] = [];
  let progress: UploadProgress = {
    sent: new Map(),
    before: 0,
    since: performance.now(),
    waiting: null,
  };
  const change = (next: Partial<UploadProgress>) => {
    progress = { ...progress, ...next };
    onProgress(progress);
  };
  for (const { key, file } of files) {
    const upload = await sendFile(client, await sendable(file), {
      pieceBytes: limits.pieceBytes,
      signal,
      wait: waitForConnection,
      onWaiting: (waiting) => change({ waiting }),
      onProgress(bytes) {
        const before = progress.sent.has(key) ? progress.before : progress.before + bytes;
        change({ sent: new Map(progress.sent).set(key, bytes), before, waiting: null });
      },
    });
    ids.push(upload.upload_id);
  }
  return ids;
}

async function sendable(file: File) {
  const slice = (from: number, to: number) => file.slice(from, to);
  const { name, size, lastModified: modified } = file;
  return { name, size, slice, fingerprint: await fingerprintOf({ size, modified, slice }) };
}

/** Deletes the uploads. */
export async function discardUploads(client: Client, files: readonly PickedFile[]): Promise<void> {
  const uploads = await client.listUploads();
  for (const { file } of files) {
    const { name, size, fingerprint } = await sendable(file);
    const found = uploads.find(
      (upload) =>
        upload.fingerprint === fingerprint && upload.size === size && upload.name === name,
    );
    if (found !== undefined) await client.deleteUpload({ params: { upload_id: found.upload_id } });
  }
}

/** For the time given, or until the browser says that it is online again. */
function waitForConnection(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => () => {
      clearTimeout(timer);
      window.removeEventListener('online', go);
      signal.removeEventListener('abort', stop);
      settle();
    };
    const go = end(resolve);
    const stop = end(() => reject(signal.reason as Error));
    const timer = setTimeout(go, milliseconds);
    window.addEventListener('online', go);
    signal.addEventListener('abort', stop);
  });
}
