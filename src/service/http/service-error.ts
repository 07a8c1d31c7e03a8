/** The one error that handlers throw on purpose; the error handler turns its code into a status and an envelope. */
import type { ErrorCode } from '../../contract/errors.ts';

export interface ServiceErrorOptions {
  /** Sent with the code and message. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** Seconds; sent as `Retry-After`. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfterSeconds: number | undefined;

  /** `message` is sent to the caller: whole sentences, no internals. */
  constructor(code: ErrorCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

export const invalidParameter = (message: string, details?: Record<string, unknown>) =>
  new ServiceError('INVALID_PARAMETER', message, { details });

export const notFound = (message = 'There is no such object.') =>
  new ServiceError('NOT_FOUND', message);

export const permissionDenied = (message: string) => new ServiceError('PERMISSION_DENIED', message);

export const notSupported = (message: string) => new ServiceError('NOT_SUPPORTED', message);
