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

type Details = Readonly<Record<string, unknown>>;

export const invalidParameter = (message: string, details?: Details) =>
  new ServiceError('INVALID_PARAMETER', message, { details });

/** `problem` continues a sentence that begins with the field: "must be a whole number." */
export const invalidField = (field: string, problem: string) =>
  invalidParameter(`${field} ${problem}`, { field });

export const conflict = (message: string, details?: Details) =>
  new ServiceError('CONFLICT', message, { details });

export const limitExceeded = (message: string, details?: Details) =>
  new ServiceError('LIMIT_EXCEEDED', message, { details });

export const tooLarge = (message: string, details?: Details) =>
  new ServiceError('TOO_LARGE', message, { details });

export const unavailable = (message: string, retryAfterSeconds?: number) =>
  new ServiceError('UNAVAILABLE', message, { retryAfterSeconds });

export const rateLimited = (message: string, retryAfterSeconds?: number) =>
  new ServiceError('RATE_LIMITED', message, { retryAfterSeconds });

export const unauthorized = (message: string) => new ServiceError('UNAUTHORIZED', message);

export const notFound = (message = 'There is no such object.') =>
  new ServiceError('NOT_FOUND', message);

/** Throws NOT_FOUND for null. */
export function orNotFound<T>(value: T | null, message?: string): T {
  if (value === null) throw notFound(message);
  return value;
}

export const permissionDenied = (message: string) => new ServiceError('PERMISSION_DENIED', message);

export const notSupported = (message: string) => new ServiceError('NOT_SUPPORTED', message);
