/** The address of the file of all draws: polls until the server has built it. Documented way, also for downloads. */
import { ApiError } from '../../../client/api-error.ts';
import type { Client } from '../../../client/create-client.ts';
import type { Access } from '../../objects/object-queries.ts';

const longestWaitMs = 600_000;
const pauseMs = 1000;

/**
 * Signed address of the long CSV. Polls every second while the tab is visible, for at most ten minutes.
 * Throws `ApiError` with the server's reason.
 */
export function waitForSampleFile(
  client: Client,
  id: string,
  access: Access,
  signal?: AbortSignal,
): Promise<string> {
  return waitForFile(client, { id, access, fmt: 'csv' }, signal);
}

export interface FileRequest {
  readonly id: string;
  readonly access: Access;
  readonly fmt: 'csv' | 'grist' | 'arviz' | 'parquet';
}

/** The same for a file of any format. */
export async function waitForFile(
  client: Client,
  { id, access, fmt }: FileRequest,
  signal?: AbortSignal,
): Promise<string> {
  for (let waited = 0; waited < longestWaitMs; waited += pauseMs) {
    const answer = await client.viewObject({
      params: { objid: id },
      query: { sampledata: true, fmt, share_id: access.shareId ?? '' },
      sharePassword: access.password,
      signal,
    });
    if (!('progress' in answer))
      throw new ApiError('schema', 'The server answered without sample data.');
    if (answer.url !== null && answer.url !== '') return fileAddress(answer.url);
    if (answer.progress === 'error')
      throw new ApiError('http', answer.message || 'The server did not say why.');
    await pause(pauseMs, signal);
    await whenSeen(signal);
  }
  throw new ApiError('timeout', 'The server took more than ten minutes to build the file.');
}

/** An address that is safe to fetch and to link to. Throws `ApiError` for anything except a file on the web. */
export function fileAddress(address: string): string {
  const url = URL.canParse(address, document.baseURI) ? new URL(address, document.baseURI) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new ApiError('schema', 'The server gave an address that is not a web address.');
  return url.href;
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(ApiError.from(signal?.reason));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** Resolves immediately in a visible tab; a hidden one sends no requests. */
function whenSeen(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (!document.hidden) return resolve();
    const settle = () => {
      if (document.hidden && signal?.aborted !== true) return;
      document.removeEventListener('visibilitychange', settle);
      signal?.removeEventListener('abort', settle);
      if (signal?.aborted === true) reject(ApiError.from(signal.reason));
      else resolve();
    };
    document.addEventListener('visibilitychange', settle);
    signal?.addEventListener('abort', settle);
  });
}
