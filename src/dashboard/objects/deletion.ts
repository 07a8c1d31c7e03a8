/** What is to be deleted, and the messages about it. */
import type { QueryKey } from '@tanstack/react-query';

export interface Deletion {
  readonly ids: readonly string[];
  /** "Deleted Eight schools.", for those that were deleted. */
  readonly message: string | ((ids: readonly string[]) => string);
  /** What an id is called in the message of a failure; by default the id. */
  readonly nameOf?: (id: string) => string;
  /** Queries whose answers change. */
  readonly changes: readonly QueryKey[];
  /** `kept`: ids that could not be deleted, when others could. */
  readonly onDone?: (kept: readonly string[]) => void;
}
