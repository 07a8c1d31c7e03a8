/**
 * The same calls as the typed client, over plain HTTP on a socket: written from the document alone, it shares no code
 * with the client, checks nothing, and fills in nothing.
 */
import http from 'node:http';
import { ApiError } from '../../src/client/api-error.ts';
import type { Client } from '../../src/client/create-client.ts';
import { type Endpoint, type EndpointName, endpoints } from '../../src/contract/endpoints.ts';

export interface PlainInput {
  readonly params?: Record<string, string>;
  readonly query?: Record<string, unknown>;
  readonly body?: unknown;
  readonly sharePassword?: string;
}

export interface PlainCall {
  readonly endpoint: Endpoint;
  readonly input: PlainInput;
  readonly status: number;
  readonly mediaType: string;
  /** The entire envelope, for JSON. */
  readonly answer: unknown;
}

/** `token`: sent with the scheme in lower case, as public clients do. */
export function createPlainClient(
  port: () => number,
  token: string | null,
  watch: (call: PlainCall) => void = () => {},
): Client {
  const call = async (endpoint: Endpoint, input: PlainInput = {}): Promise<unknown> => {
    const { status, headers, bytes } = await send(port(), endpoint, input, token);
    const mediaType = String(headers['content-type']).split(';')[0];
    const isJson = mediaType === 'application/json';
    const answer: unknown = isJson ? JSON.parse(bytes.toString('utf8')) : null;
    watch({ endpoint, input, status, mediaType, answer });
    if (status === 200 && endpoint.response === 'binary')
      return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const envelope = JSON.parse(bytes.toString('utf8'));
    if (status === 200) return envelope.data;
    const { code, message, details } = envelope;
    const retryAfter = headers['retry-after'];
    throw new ApiError('http', message, {
      status,
      code,
      details,
      retryAfterSeconds: retryAfter === undefined ? null : Number(retryAfter),
    });
  };
  return Object.fromEntries(
    (Object.keys(endpoints) as EndpointName[]).map((name) => [
      name,
      (input?: PlainInput) => call(endpoints[name], input),
    ]),
  ) as unknown as Client;
}

function send(
  port: number,
  { method, path, aliases }: Endpoint,
  { params = {}, query = {}, body, sharePassword }: PlainInput,
  token: string | null,
): Promise<{ status: number; headers: http.IncomingHttpHeaders; bytes: Buffer }> {
  // an older name of the same endpoint, if there is one of the same shape
  const template = aliases?.find((alias) => !alias.includes('share')) ?? path;
  const filled = template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name]));
  const pairs = new URLSearchParams();
  for (const [key, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined) pairs.append(key, String(one));
  const headers: Record<string, string> = { accept: 'application/json; view=full' };
  if (token !== null) headers.authorization = `bearer ${token}`;
  if (sharePassword !== undefined) headers['x-share-password'] = sharePassword;
  return new Promise((resolve, reject) => {
    const request = http.request(
      { host: '127.0.0.1', port, method, path: `${filled}?${pairs}`, headers, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            bytes: Buffer.concat(chunks),
          }),
        );
        response.on('error', reject);
      },
    );
    request.on('error', reject);
    if (body instanceof Blob)
      void body.arrayBuffer().then((bytes) => request.end(Buffer.from(bytes)));
    else request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
