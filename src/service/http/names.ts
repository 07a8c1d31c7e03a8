/** Names that people give to objects. */
import { invalidField } from './service-error.ts';

/** Spaces, and characters that are not drawn, such as those that change the direction of a text. */
const invisible = /^[\p{White_Space}\p{Cf}\p{Default_Ignorable_Code_Point}]+$/u;

/**
 * Any letters of any script, one line. Throws INVALID_PARAMETER for control characters, and for a name that no list could
 * show; whether a name may be empty depends on the kind.
 */
export function checkName(field: string, name: string | null | undefined): void {
  if (name && /\p{Cc}/u.test(name)) {
    throw invalidField(field, 'contains a control character, such as a line break.');
  }
  if (name && invisible.test(name)) throw invalidField(field, 'has no visible character.');
}

const managedTags = ['internal', 'builtin', 'reserved'];

/** Throws INVALID_PARAMETER for tags that only the service assigns. */
export function checkTags(field: string, tags: readonly string[] | null | undefined): void {
  const managed = tags?.find((tag) => managedTags.includes(tag));
  if (managed !== undefined)
    throw invalidField(field, `contains ${managed}, which only the service may set.`);
}
