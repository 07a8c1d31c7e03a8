/** The one place where a thrown error becomes a response. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { bodyLimitOf } from '../../contract/endpoints.ts';
import { type BodyLimit, limits } from '../../contract/limits.ts';
import { errorState, isConflict, isDiskFull, isUnavailable } from '../repositories/database.ts';
import { errorEnvelope, statusOf } from './envelope.ts';
import { invalidParameter, ServiceError, tooLarge } from './service-error.ts';

export function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (isGone(request)) {
    // there is no client left to answer, and its disconnection caused the failure
    request.log.info(
      { requestId: request.id, req: request.raw },
      'a client went away before its request was complete',
    );
    void reply.hijack();
    return;
  }
  const known =
    error instanceof ServiceError
      ? error
      : translateError(error, bodyLimitOf(request.routeOptions?.config?.endpoint));
  if (known === null) {
    request.log.error({ err: error, requestId: request.id }, 'request failed');
    const message = `The service failed to answer; see request ${request.id} in its log.`;
    send(reply, new ServiceError('INTERNAL', message));
    return;
  }
  if (known.code === 'INTERNAL' || known.code === 'UNAVAILABLE')
    request.log.error({ err: error, requestId: request.id }, 'request failed');
  send(reply, known);
}

/** The connection ended before the body did. */
const isGone = ({ raw }: FastifyRequest) => raw.destroyed && !raw.complete;

function send(reply: FastifyReply, error: ServiceError): void {
  if (error.retryAfterSeconds !== undefined)
    reply.header('retry-after', String(Math.max(1, Math.ceil(error.retryAfterSeconds))));
  void reply
    .code(statusOf(error.code))
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(JSON.stringify(errorEnvelope(error.code, error.message, error.details)));
}

/** Errors of the framework and the database that mean something to the caller; null for a fault of the service. */
export function translateError(
  error: unknown,
  bodyLimit: BodyLimit = 'body_bytes',
): ServiceError | null {
  if (isDiskFull(error)) return diskFull(error);
  if (isUnavailable(error)) {
    const message = 'The database is not available at the moment; try again.';
    return new ServiceError('UNAVAILABLE', message, { retryAfterSeconds: 2, cause: error });
  }
  if (isConflict(error)) {
    const message = 'This change conflicted with another one and was not made; try again.';
    return new ServiceError('UNAVAILABLE', message, { retryAfterSeconds: 1, cause: error });
  }
  if (errorState(error) === '22003')
    return new ServiceError('INVALID_PARAMETER', 'A number is larger than can be stored.', {
      cause: error,
    });
  // untranslatable and invalid characters: NUL cannot be stored as text
  if (['22021', '22P05'].includes(errorState(error) ?? ''))
    return invalidParameter('A text contains a character that cannot be stored.');
  const { code: name, statusCode } = (error ?? {}) as Partial<FastifyError>;
  if (name === 'FST_ERR_CTP_BODY_TOO_LARGE') return bodyTooLarge(null, bodyLimit);
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500 && isFramework(name))
    return new ServiceError('INVALID_PARAMETER', 'The request cannot be read.', { cause: error });
  return null;
}

export function diskFull(cause?: unknown): ServiceError {
  const message =
    "The server's disk is full, so nothing more can be stored. Delete objects that are no longer needed (draws of " +
    'experiments take the most space), then choose Delete for good on the Account page.';
  return new ServiceError('UNAVAILABLE', message, {
    retryAfterSeconds: 60,
    details: { reason: 'disk_full' },
    cause,
  });
}

const isFramework = (name: unknown) => typeof name === 'string' && name.startsWith('FST_');

/** `size`: from Content-Length, if it was sent. */
export function bodyTooLarge(size: number | null, limit: BodyLimit): ServiceError {
  const allowed = limits[limit];
  const found = size === null ? 'body is larger' : `body has ${size} bytes, more`;
  return tooLarge(`${found} than ${limit} allows (${allowed}).`, {
    limit,
    allowed,
    ...(size === null ? {} : { size }),
  });
}
