/** The two envelopes of every JSON response, and the status that belongs to an error code. */
import { type ErrorCode, type ErrorEnvelope, errorCodes } from '../../contract/errors.ts';

export const okEnvelope = <T>(data: T): { status: 'ok'; data: T } => ({ status: 'ok', data });

export function errorEnvelope(
  code: ErrorCode,
  message: string,
  details?: Readonly<Record<string, unknown>>,
): ErrorEnvelope {
  return details === undefined
    ? { status: 'error', code, message }
    : { status: 'error', code, message, details };
}

export const statusOf = (code: ErrorCode): number => errorCodes[code].status;
