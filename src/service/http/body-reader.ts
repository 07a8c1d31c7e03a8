/** Reads request bodies: small ones directly, large ones in a thread, so that no request waits for another's body. */
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { bodyLimitOf, type Endpoint, endpoints } from '../../contract/endpoints.ts';
import { limits } from '../../contract/limits.ts';
import { collectBody } from './collect-body.ts';
import { bodyTooLarge } from './error-handler.ts';
import { parseFormBody, parseJsonBody } from './json-body.ts';
import type { ReadBody } from './prepared.ts';

const isBinary = ({ body }: Endpoint) => body === 'binary';

/** A body of this size is read within a few milliseconds, whatever it contains. */
export const SMALL_BYTES = 64 * 2 ** 10;

export type BodyReader = (request: FastifyRequest, payload: IncomingMessage) => Promise<ReadBody>;

/** Endpoints to which clients send forms; they also accept JSON. */
const formEndpoints: ReadonlySet<string> = new Set(['exchangeCode']);

/** Reads a body in a thread; `transfer`: input buffers whose ownership passes to the thread. */
export type LargeBodyReader = (
  input: { readonly blocks: readonly Uint8Array[]; readonly objid: string },
  transfer: readonly ArrayBuffer[],
) => Promise<ReadBody>;

export function createBodyReader(readLarge: LargeBodyReader): BodyReader {
  return async (request, payload) => {
    const { endpoint } = request.routeOptions.config;
    const limit = bodyLimitOf(endpoint);
    const length = request.headers['content-length'];
    const { blocks, size } = await collectBody(payload, {
      limit: limits[limit],
      length: length === undefined ? null : Number(length),
      tooLarge: () => bodyTooLarge(null, limit),
    });
    if (endpoint !== undefined && isBinary(endpoints[endpoint]))
      return { body: blocks, prepared: {} };
    if (size <= SMALL_BYTES) {
      const bytes = Buffer.concat(blocks);
      const isForm = formEndpoints.has(endpoint ?? '');
      const body = isForm ? parseFormBody(bytes) : parseJsonBody(bytes);
      if (!holdsPackedFile(body)) return { body, prepared: {} };
    }
    const { objid = '' } = (request.params ?? {}) as { objid?: string };
    const buffers = blocks.map(({ buffer }) => buffer as ArrayBuffer);
    return readLarge({ blocks, objid }, buffers);
  };
}

/** A packed file is small but may unpack to a lot, so it is never unpacked on the event loop. */
function holdsPackedFile(body: unknown): boolean {
  const { payload } = (body ?? {}) as { payload?: { object_type?: unknown } | null };
  return payload?.object_type === 'workflow.analyzer_result';
}

/** The bytes in a separate buffer, which can be transferred. */
export function ownBuffer(bytes: Uint8Array): ArrayBuffer {
  const { buffer, byteOffset, byteLength } = bytes;
  const isOwn = byteLength === buffer.byteLength && byteLength > SMALL_BYTES;
  return (isOwn ? buffer : buffer.slice(byteOffset, byteOffset + byteLength)) as ArrayBuffer;
}
