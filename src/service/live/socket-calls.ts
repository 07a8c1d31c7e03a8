/** The first message of a socket, which says who is calling, and the handling of errors on a socket. */

import { limits } from '../../contract/limits.ts';
import { authorizationSchema, socketClosed } from '../../contract/live.ts';
import { parseJsonBody } from '../http/json-body.ts';
import { invalidParameter, ServiceError, unauthorized } from '../http/service-error.ts';
import type { LiveSocket } from './live-socket.ts';

export interface Credentials {
  /** Null: none was sent. */
  readonly token: string | null;
  readonly shareId: string;
  /** Null: none was sent. */
  readonly password: string | null;
}

/** Accepts any text, JSON or not: throws INVALID_PARAMETER. */
export function readMessage(text: string): unknown {
  try {
    return parseJsonBody(Buffer.from(text));
  } catch {
    throw invalidParameter('A message must be JSON.');
  }
}

export function readCredentials(text: string): Credentials {
  // the caller is not yet authenticated, so only short messages are parsed
  const isSmall = text.length <= limits.small_body_bytes;
  const parsed = isSmall ? authorizationSchema.safeParse(readMessage(text)) : null;
  if (parsed === null || !parsed.success) {
    throw unauthorized(
      'The first message must be {"action": "authorization"} with a token, or a share_id and its password.',
    );
  }
  const { token, share_id: shareId = '', password } = parsed.data;
  // Clients of the documented API send the token as in a header.
  const bare = token?.replace(/^bearer +/i, '').trim();
  return { token: bare ? bare : null, shareId, password: password ?? null };
}

/** The next message, or UNAUTHORIZED when none comes in time. */
export function firstText(socket: LiveSocket, waitMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const message = `No authorization came within ${waitMs / 1000} s.`;
      reject(unauthorized(message));
    }, waitMs);
    socket.onText((text) => {
      socket.onText(null);
      clearTimeout(timer);
      resolve(text);
    });
    void socket.closed.then(() => {
      clearTimeout(timer);
      reject(unauthorized('The socket was closed.'));
    });
  });
}

/** The code with which a socket closes after an error. 1011 and 1013 are the protocol's: a fault, and try later. */
export function closeCodeOf(error: ServiceError): number {
  switch (error.code) {
    case 'RATE_LIMITED':
    case 'LIMIT_EXCEEDED':
      return socketClosed.tooMany;
    case 'INTERNAL':
      return 1011;
    case 'UNAVAILABLE':
      return 1013;
    default:
      return socketClosed.unauthorized;
  }
}

export function errorData({ code, message, details, retryAfterSeconds }: ServiceError) {
  return { code, message, details, retry_after: retryAfterSeconds };
}
