/** Reads request bodies: small ones at once, large ones in a thread, so that nobody waits for another's body. */
import type { FastifyRequest } from 'fastify';
import { parseFormBody, parseJsonBody } from './json-body.ts';
import type { ReadBody } from './prepared.ts';

/** Bytes that are read within a few milliseconds, whatever they hold. */
export const SMALL_BYTES = 64 * 2 ** 10;

export type BodyReader = (request: FastifyRequest, bytes: Buffer) => Promise<ReadBody>;

/** What clients send as a form; JSON is taken there as well. */
const formEndpoints: ReadonlySet<string> = new Set(['exchangeCode']);

/** Reads a body in a thread; `transfer`: buffers of the input that the caller gives away. */
export type LargeBodyReader = (
  input: { readonly bytes: Uint8Array; readonly objid: string },
  transfer: readonly ArrayBuffer[],
) => Promise<ReadBody>;

export function createBodyReader(readLarge: LargeBodyReader): BodyReader {
  return async (request, bytes) => {
    const isForm = formEndpoints.has(request.routeOptions.config.endpoint ?? '');
    const { objid = '' } = (request.params ?? {}) as { objid?: string };
    if (isForm) return { body: parseFormBody(bytes), prepared: {} };
    if (bytes.length <= SMALL_BYTES) {
      const body = parseJsonBody(bytes);
      if (!holdsPackedFile(body)) return { body, prepared: {} };
    }
    const buffer = ownBuffer(bytes);
    return readLarge({ bytes: new Uint8Array(buffer), objid }, [buffer]);
  };
}

/** A packed file is small and may unpack to much, so it is never unpacked where others wait. */
function holdsPackedFile(body: unknown): boolean {
  const { payload } = (body ?? {}) as { payload?: { object_type?: unknown } | null };
  return payload?.object_type === 'workflow.analyzer_result';
}

/** The bytes in a buffer of their own, which can be given away. */
export function ownBuffer(bytes: Uint8Array): ArrayBuffer {
  const { buffer, byteOffset, byteLength } = bytes;
  const isOwn = byteLength === buffer.byteLength && byteLength > SMALL_BYTES;
  return (isOwn ? buffer : buffer.slice(byteOffset, byteOffset + byteLength)) as ArrayBuffer;
}
