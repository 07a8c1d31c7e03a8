/** What is to be deleted, and what is said of it. */
import type { QueryKey } from '@tanstack/react-query';

export interface Deletion {
  readonly ids: readonly string[];
  /** "Deleted Eight schools.", of those that are deleted. */
  readonly message: string | ((ids: readonly string[]) => string);
  /** What an id is called in the message of a failure; the id unless said. */
  readonly nameOf?: (id: string) => string;
  /** Queries whose answers change. */
  readonly changes: readonly QueryKey[];
  /** `kept`: ids that could not be deleted, when others could. */
  readonly onDone?: (kept: readonly string[]) => void;
}
