/**
 * Sends a file of any size piece by piece (capability `uploads`). What the server acknowledged is safe there: after a lost
 * connection, in another page or another process, the same file continues where it stopped.
 */
import type { Upload } from '../contract/upload.ts';
import { ApiError } from './api-error.ts';
import type { Client } from './create-client.ts';

export interface SendableFile {
  readonly name: string;
  readonly size: number;
  /** Identical for the same file, different for others. */
  readonly fingerprint: string;
  /** Shorter than requested if the file has become shorter. */
  slice(from: number, to: number): Blob | Promise<Blob>;
}

export interface SendOptions {
  /** Largest piece: `limits.upload_piece_bytes` of the server. */
  readonly pieceBytes: number;
  readonly signal: AbortSignal;
  /** Bytes that are safe on the server, or on their way there. */
  readonly onProgress?: (bytes: number) => void;
  /** The connection was lost, and will be retried after a while; null: it is back. */
  readonly onWaiting?: (reason: string | null) => void;
  /** Waits before another attempt; default: with a timer. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

const SMALLEST_PIECE = 2 ** 18;
const FIRST_PIECE = 2 ** 20;
/** A piece should take this long: little is lost with a connection, and little time goes into answers. */
const SHORT_MS = 1000;
const LONG_MS = 8000;
const LONGEST_WAIT_MS = 30_000;

/** The complete upload. Rejects with an error that retrying cannot fix, or the signal's reason. */
export async function sendFile(
  client: Client,
  file: SendableFile,
  options: SendOptions,
): Promise<Upload> {
  const { signal, onProgress = () => {} } = options;
  const retry = createRetry(options);
  let upload = await retry(() => findOrBegin(client, file, signal));
  let pieceBytes = Math.min(FIRST_PIECE, options.pieceBytes);
  while (upload.offset < file.size) {
    onProgress(upload.offset);
    const { offset } = upload;
    const piece = await file.slice(offset, Math.min(file.size, offset + pieceBytes));
    if (piece.size === 0)
      throw new ApiError('schema', `${file.name} became shorter while it was sent.`);
    const began = performance.now();
    let hasFailed = false;
    upload = await retry(async () => {
      // after a failure it is unknown whether the piece arrived
      if (hasFailed) return findOrBegin(client, file, signal);
      hasFailed = true;
      return append(client, upload, { piece, signal, onProgress });
    });
    const took = performance.now() - began;
    if (took < SHORT_MS) pieceBytes = Math.min(options.pieceBytes, pieceBytes * 2);
    if (took > LONG_MS) pieceBytes = Math.max(SMALLEST_PIECE, pieceBytes / 2);
  }
  onProgress(file.size);
  return upload;
}

/** The earlier upload of the same file, or a new one. */
async function findOrBegin(
  client: Client,
  { name, size, fingerprint }: SendableFile,
  signal: AbortSignal,
): Promise<Upload> {
  const uploads = await client.listUploads({ signal });
  const found = uploads.find(
    (upload) => upload.fingerprint === fingerprint && upload.size === size && upload.name === name,
  );
  return found ?? client.createUpload({ body: { name, size, fingerprint }, signal });
}

async function append(
  client: Client,
  upload: Upload,
  {
    piece,
    signal,
    onProgress,
  }: { piece: Blob; signal: AbortSignal; onProgress: (bytes: number) => void },
): Promise<Upload> {
  try {
    return await client.appendUpload({
      params: { upload_id: upload.upload_id },
      query: { offset: upload.offset },
      body: piece,
      signal,
      onUpload: (sent) => onProgress(upload.offset + Math.min(sent, piece.size)),
    });
  } catch (error) {
    const { code, details } = ApiError.from(error);
    if (code !== 'CONFLICT' || typeof details.offset !== 'number') throw error;
    // another page is sending the same file, or an answer was lost
    return { ...upload, offset: details.offset };
  }
}

type Retry = <T>(attempt: () => Promise<T>) => Promise<T>;

/** Retries as long as the fault may be temporary. */
function createRetry({ signal, onWaiting = () => {}, wait = sleep }: SendOptions): Retry {
  return async (attempt) => {
    for (let pause = 500; ; pause = Math.min(LONGEST_WAIT_MS, pause * 2)) {
      signal.throwIfAborted();
      try {
        const answer = await attempt();
        if (pause > 500) onWaiting(null);
        return answer;
      } catch (error) {
        signal.throwIfAborted();
        const failure = ApiError.from(error);
        if (!mayPass(failure)) throw failure;
        onWaiting(failure.message);
        await wait(Math.max(pause, 1000 * (failure.retryAfterSeconds ?? 0)), signal);
      }
    }
  };
}

function mayPass({ kind, status, details }: ApiError): boolean {
  if (kind === 'network' || kind === 'timeout') return true;
  return kind === 'http' && (status >= 500 || status === 429) && details.reason !== 'disk_full';
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', abort, { once: true });
  });
}
