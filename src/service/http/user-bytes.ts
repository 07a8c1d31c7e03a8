/** The only way for bytes that users made to leave the service: as a download, or confined to a sandbox. */
import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

export interface UserBytes {
  readonly body: Uint8Array | Readable | string;
  /** Any text: it is made harmless here. */
  readonly fileName: string;
  readonly mediaType: string;
  /** Bytes, when known. */
  readonly size?: number;
}

const confined = "sandbox; default-src 'none'; frame-ancestors 'none'";

/** Saved by the browser, never shown. */
export function sendAttachment(reply: FastifyReply, file: UserBytes): FastifyReply {
  reply
    .header('content-disposition', contentDisposition(file.fileName))
    .header('content-security-policy', confined);
  return send(reply, file);
}

/** A report in a frame of the dashboard: its scripts run in an origin of their own and reach no network. */
export function sendSandboxed(
  reply: FastifyReply,
  file: UserBytes,
  frameAncestors: readonly string[],
): FastifyReply {
  const policy = [
    'sandbox allow-scripts',
    "default-src 'none'",
    "script-src 'unsafe-inline'",
    "style-src 'unsafe-inline'",
    'img-src data: blob:',
    'font-src data:',
    `frame-ancestors ${["'self'", ...frameAncestors].join(' ')}`,
  ];
  reply
    .header(
      'content-disposition',
      contentDisposition(file.fileName).replace('attachment', 'inline'),
    )
    .header('content-security-policy', policy.join('; '))
    .removeHeader('x-frame-options');
  return send(reply, file);
}

function send(reply: FastifyReply, { body, mediaType, size }: UserBytes): FastifyReply {
  if (size !== undefined) reply.header('content-length', String(size));
  return reply
    .header('content-type', mediaType)
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'private, no-store')
    .send(
      body instanceof Uint8Array
        ? Buffer.from(body.buffer, body.byteOffset, body.byteLength)
        : body,
    );
}

/** RFC 6266: a plain name for old readers, the whole one percent-encoded. No separators, control or direction marks. */
export function contentDisposition(fileName: string): string {
  const harmless = fileName
    .replace(/[\p{Cc}\p{Cf}\p{Surrogate}]/gu, '')
    .replace(/[\\/:*?"<>|]/g, '_')
    .replace(/^\.+/, '')
    .slice(0, 150)
    .trim();
  const name = harmless === '' ? 'download' : harmless;
  const plain = name.replace(/[^\x20-\x7e]/g, '_').replace(/[%;']/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
