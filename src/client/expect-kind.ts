/** Narrows answers that may be of any kind. */

import { ApiError } from './api-error.ts';
import type { ObjectsByKind } from './create-client.ts';

/** `answer` as an object of `kind`; an `ApiError` of kind `schema` when the server sent another. */
export function expectKind<K extends keyof ObjectsByKind>(
  answer: { object_type?: string } | null,
  kind: K,
): ObjectsByKind[K] {
  if (answer?.object_type !== kind) {
    throw new ApiError(
      'schema',
      `Expected ${kind}, the server sent ${answer?.object_type ?? 'nothing'}.`,
    );
  }
  return answer as unknown as ObjectsByKind[K];
}
