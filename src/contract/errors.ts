/**
 * Error codes and envelopes: the only place that maps a code to an HTTP status.
 *
 * The document shows the envelope and status 400 only; the codes and the other statuses are our decision. Screens
 * decide by `code`, never by text.
 */
import * as z from 'zod/mini';

export const errorCodes = {
  /** A parameter, field or body is missing, malformed or out of range; `message` names it. */
  INVALID_PARAMETER: { status: 400, retryable: false },
  /** No such object or route, or it was deleted. */
  NOT_FOUND: { status: 400, retryable: false },
  /** The object exists, but the caller may not do this; also wrong login and wrong or missing share password. */
  PERMISSION_DENIED: { status: 400, retryable: false },
  /** The object has changed since then (`details.version`), or its state forbids this (`details.state`). */
  CONFLICT: { status: 400, retryable: false },
  /** Part of the documented API, but not offered by this server. */
  NOT_SUPPORTED: { status: 400, retryable: false },
  /** A stated limit of `/sys/config` is reached; `message` names the limit. */
  LIMIT_EXCEEDED: { status: 400, retryable: false },
  /** The bearer token is absent where needed, unknown or expired. Sign in again. */
  UNAUTHORIZED: { status: 401, retryable: false },
  /** The body is larger than the limit named in `message`. */
  TOO_LARGE: { status: 413, retryable: false },
  /** Too many attempts; wait `Retry-After` seconds. */
  RATE_LIMITED: { status: 429, retryable: true },
  /** A fault of ours; the request id is in the message. */
  INTERNAL: { status: 500, retryable: true },
  /** The database or another required part is temporarily unavailable. */
  UNAVAILABLE: { status: 503, retryable: true },
} as const satisfies Record<string, { status: number; retryable: boolean }>;

export type ErrorCode = keyof typeof errorCodes;

/** Unknown routes are the one NOT_FOUND that answers 404. */
export const unknownRouteStatus = 404;

export const errorEnvelopeSchema = z.object({
  status: z.literal('error'),
  code: z.string(),
  message: z.string(),
  details: z.optional(z.record(z.string(), z.unknown())),
});
export type ErrorEnvelope = z.infer<typeof errorEnvelopeSchema>;

export function okEnvelopeSchema<T extends z.ZodMiniType>(dataSchema: T) {
  return z.object({ status: z.literal('ok'), data: dataSchema });
}
