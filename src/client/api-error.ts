/** Everything that can go wrong with a call, as one typed error. */
import type { ErrorCode } from '../contract/errors.ts';

export type ApiErrorKind =
  /** No answer: offline, refused, or the server does not allow pages from this address. */
  | 'network'
  | 'timeout'
  /** The caller aborted. */
  | 'aborted'
  /** An answer with an error status or envelope: `status`, `code`, `details`. */
  | 'http'
  /** An answer that does not fit the contract; the message names the path. */
  | 'schema';

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly kind: ApiErrorKind;
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** A code of the contract, another server's own code, or empty. */
  readonly code: ErrorCode | (string & {});
  readonly details: Readonly<Record<string, unknown>>;
  /** Seconds to wait before trying again, when the server says. */
  readonly retryAfterSeconds: number | null;

  constructor(
    kind: ApiErrorKind,
    message: string,
    options: {
      status?: number;
      code?: string;
      details?: Record<string, unknown>;
      retryAfterSeconds?: number | null;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.status = options.status ?? 0;
    this.code = options.code ?? '';
    this.details = options.details ?? {};
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }

  /** Wraps anything thrown; an `ApiError` comes back as it is. */
  static from(error: unknown): ApiError {
    if (error instanceof ApiError) return error;
    const name = error instanceof Error ? error.name : '';
    if (name === 'TimeoutError')
      return new ApiError('timeout', 'The server did not answer in time.', { cause: error });
    if (name === 'AbortError')
      return new ApiError('aborted', 'The request was cancelled.', { cause: error });
    return new ApiError('network', 'The server cannot be reached.', { cause: error });
  }
}
