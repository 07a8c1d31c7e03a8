/** The only way for user content to leave the service: as a download, or confined to a sandbox. */
import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

export interface UserBytes {
  readonly body: Uint8Array | Readable | string;
  /** Any text: it is sanitised here. */
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

/**
 * A report in a frame of the dashboard: its scripts run in a separate origin and reach no network. Alone in a tab it
 * could navigate to another address with the data it shows, so there it is framed as well.
 */
export function sendSandboxed(
  reply: FastifyReply,
  file: UserBytes,
  frameAncestors: readonly string[],
): FastifyReply {
  reply.header('vary', 'sec-fetch-dest');
  if (reply.request.headers['sec-fetch-dest'] === 'document') return sendFramed(reply, file);
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

/** A page that shows the file in a frame, which may load only our files. */
function sendFramed(reply: FastifyReply, { fileName, body }: UserBytes): FastifyReply {
  if (!(body instanceof Uint8Array) && typeof body !== 'string') body.destroy();
  const address = (reply.request.raw.url ?? '').replace(/\?.*$/s, '');
  const policy = [
    "default-src 'none'",
    "frame-src 'self'",
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  reply.header('content-security-policy', policy.join('; '));
  const title = escapeHtml(fileName);
  const page = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${title}</title>
<style>html, body, iframe { display: block; width: 100%; height: 100%; margin: 0; border: 0 }</style>
<iframe sandbox="allow-scripts" src="${escapeHtml(address)}" title="${title}"></iframe></html>
`;
  return send(reply, { body: page, fileName, mediaType: 'text/html; charset=utf-8' });
}

const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

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

/** RFC 6266: a plain name for old clients, the full one percent-encoded. No separators, control or direction marks. */
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
