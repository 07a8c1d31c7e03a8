/** One HTTP request to one address that was chosen before; its response is limited as it streams in. */

import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { rootCertificates } from 'node:tls';
import { ownValue } from '../../shared/items.ts';
import { unpackers } from '../http/body-bounds.ts';

export type FaultKind =
  | 'late'
  | 'unreachable'
  | 'certificate'
  | 'status'
  | 'too-large'
  | 'encoding';

/** Why there is no response; it never includes what the other side said. */
export class FetchFault extends Error {
  constructor(
    readonly why: FaultKind,
    readonly status = 0,
  ) {
    super(why);
  }
}

export interface RequestOptions {
  /** The IP address to connect to; the URL's host is used for Host and SNI. */
  readonly address: string;
  readonly maxBytes: number;
  readonly accept: string;
  readonly signal: AbortSignal;
  readonly certificates?: readonly string[];
}

export interface Answered {
  /** Target of a redirect; null: this is the final response. */
  readonly location: string | null;
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly disposition: string;
}

const redirects = [301, 302, 303, 307, 308];

/** Throws `FetchFault`. Sends no cookies or credentials, and closes the connection. */
export async function request(url: URL, options: RequestOptions): Promise<Answered> {
  const response = await open(url, options);
  const { statusCode = 0, headers } = response;
  const nothing = { bytes: new Uint8Array(), mediaType: '', disposition: '' };
  try {
    if (redirects.includes(statusCode) && headers.location !== undefined)
      return { ...nothing, location: headers.location };
    if (statusCode !== 200) throw new FetchFault('status', statusCode);
    if (Number(headers['content-length'] ?? 0) > options.maxBytes)
      throw new FetchFault('too-large');
    const [mediaType = ''] = (headers['content-type'] ?? '').split(';');
    return {
      location: null,
      bytes: await readBounded(response, options),
      mediaType: mediaType.trim().toLowerCase(),
      disposition: headers['content-disposition'] ?? '',
    };
  } finally {
    response.destroy();
  }
}

function open(url: URL, options: RequestOptions): Promise<http.IncomingMessage> {
  const { address, accept, signal, certificates } = options;
  const isSecure = url.protocol === 'https:';
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    const sent = (isSecure ? https : http).request({
      host: address,
      port: url.port === '' ? undefined : Number(url.port),
      path: url.pathname + url.search,
      method: 'GET',
      agent: false,
      signal,
      headers: {
        host: url.host,
        accept,
        'accept-encoding': 'identity',
        'user-agent': 'ergodic',
        connection: 'close',
      },
      ...(isSecure && isIP(hostname) === 0 ? { servername: hostname } : {}),
      ...(certificates === undefined ? {} : { ca: [...rootCertificates, ...certificates] }),
    });
    sent.once('response', resolve);
    sent.on('error', (error: NodeJS.ErrnoException) => reject(faultOf(error, signal)));
    sent.end();
  });
}

function faultOf(error: NodeJS.ErrnoException, signal: AbortSignal): FetchFault {
  if (signal.aborted) return new FetchFault('late');
  const code = error.code ?? '';
  const isCertificate = /CERT|SSL|TLS|ISSUER|SELF_SIGNED|ALTNAME/.test(code);
  return new FetchFault(isCertificate ? 'certificate' : 'unreachable');
}

/** Counts the bytes received and the bytes after decompression: neither may exceed the limit. */
async function readBounded(
  response: http.IncomingMessage,
  { maxBytes, signal }: RequestOptions,
): Promise<Uint8Array> {
  const coding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const unpacker = ownValue(unpackers, coding);
  if (coding !== 'identity' && unpacker === undefined) throw new FetchFault('encoding');
  const source: Readable = unpacker === undefined ? response : response.pipe(unpacker());
  const end = () => source.destroy(new FetchFault('late'));
  signal.addEventListener('abort', end, { once: true });
  response.on('error', (error) => source.destroy(error));
  // a connection that closes early does not mark the end of the file
  response.on('aborted', () => source.destroy(new FetchFault('unreachable')));
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of source) {
      size += (chunk as Buffer).length;
      if (size > maxBytes) throw new FetchFault('too-large');
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    if (error instanceof FetchFault) throw error;
    if (signal.aborted) throw new FetchFault('late');
    throw new FetchFault(unpacker === null ? 'unreachable' : 'encoding');
  } finally {
    signal.removeEventListener('abort', end);
    source.destroy();
  }
  return Buffer.concat(chunks);
}
