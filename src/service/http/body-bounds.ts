/** Unpacks compressed bodies from signed-in users, and stops those that unpack to far more than was sent. */

import { pipeline, Transform, type TransformCallback } from 'node:stream';
import zlib from 'node:zlib';
import type { FastifyInstance, FastifyRequest, RequestPayload } from 'fastify';
import { limits } from '../../contract/limits.ts';
import { ownValue } from '../../shared/items.ts';
import { invalidParameter, ServiceError, tooLarge } from './service-error.ts';

/** Any body may unpack to this size: a text of one repeated letter is not an attack. */
const FREE_BYTES = 2 ** 20;

/** By content coding. */
export const unpackers: Readonly<Record<string, () => Transform>> = {
  gzip: () => zlib.createGunzip(),
  'x-gzip': () => zlib.createGunzip(),
  deflate: () => zlib.createInflate(),
  br: () => zlib.createBrotliDecompress(),
};

/** The unpacked body; the size limit applies to what comes out. */
export function addUnpacking(app: FastifyInstance): void {
  app.addHook('preParsing', async (request, _reply, payload) => {
    const encoding = encodingOf(request);
    return encoding === null ? payload : unpack(payload, unpackerOf(request, encoding)(), encoding);
  });
}

/** Throws before the body is read. */
export function checkEncoding(request: FastifyRequest): void {
  const encoding = encodingOf(request);
  if (encoding !== null) unpackerOf(request, encoding);
}

function unpackerOf(request: FastifyRequest, encoding: string): () => Transform {
  const details = { field: 'content-encoding' };
  if (request.viewer.user === null)
    throw invalidParameter(
      'Send the body uncompressed: compressed bodies are accepted only after signing in.',
      details,
    );
  const unpacker = ownValue(unpackers, encoding);
  if (unpacker === undefined)
    throw invalidParameter(
      `The body is sent as ${encoding.slice(0, 40)}; send it as gzip, deflate or br, or uncompressed.`,
      details,
    );
  return unpacker;
}

/** Lower case; null: not compressed. */
function encodingOf(request: FastifyRequest): string | null {
  const encoding = (request.headers['content-encoding'] ?? '').trim().toLowerCase();
  return encoding === '' || encoding === 'identity' ? null : encoding;
}

function unpack(payload: RequestPayload, unpacker: Transform, encoding: string): RequestPayload {
  const bounded = new BoundedRatio(encoding);
  payload.on('data', (chunk: Buffer) => {
    bounded.receivedEncodedLength += chunk.length;
  });
  // the error reaches the reader of the last stream
  pipeline(payload, unpacker, bounded, () => {});
  return bounded as unknown as RequestPayload;
}

class BoundedRatio extends Transform {
  /** Read by the framework, which compares it with Content-Length. */
  receivedEncodedLength = 0;
  private unpacked = 0;

  constructor(private readonly encoding: string) {
    super();
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.unpacked += chunk.length;
    const allowed = limits.body_ratio;
    if (this.unpacked <= FREE_BYTES || this.unpacked <= allowed * this.receivedEncodedLength) {
      done(null, chunk);
      return;
    }
    const message = `body unpacks to more than ${allowed} times its size (body_ratio); send it uncompressed.`;
    done(tooLarge(message, { limit: 'body_ratio', allowed }));
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const isOurs = error === null || error instanceof ServiceError;
    done(isOurs ? error : invalidParameter(`The body cannot be unpacked as ${this.encoding}.`));
  }
}
