/** Objects that are no longer there: deleted, perhaps in another tab or by somebody else. */
import { ApiError } from '../../client/api-error.ts';

export function isGone(error: unknown): boolean {
  return ApiError.from(error).code === 'NOT_FOUND';
}

interface ObjectQuery {
  readonly error: unknown;
  readonly isFetching: boolean;
}

/**
 * For the query of the object that a page shows: once it is gone, the page of a missing object replaces the page, which
 * would otherwise offer actions on old data. Any other failure leaves what is shown.
 */
export function unlessGone<Query extends ObjectQuery>(query: Query): Query {
  // *Try again* mounts the page with the old error, which does not count while the answer is on its way.
  if (isGone(query.error) && !query.isFetching) throw query.error;
  return query;
}
