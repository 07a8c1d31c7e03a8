/** The `meta` that callers send with experiments. */
import { invalidParameter, ServiceError } from '../http/service-error.ts';

const maxBytes = 256 * 1024;

/** An object of bounded size; absent and null are empty. */
export function checkMeta(meta: unknown): Record<string, unknown> {
  if (meta === undefined || meta === null) return {};
  const field = 'payload.meta';
  if (typeof meta !== 'object' || Array.isArray(meta))
    throw invalidParameter('payload.meta must be an object.', { field });
  if (JSON.stringify(meta).length > maxBytes)
    throw new ServiceError(
      'LIMIT_EXCEEDED',
      `payload.meta is larger than ${maxBytes} characters.`,
      {
        details: { limit: 'meta', allowed: maxBytes },
      },
    );
  return meta as Record<string, unknown>;
}
