/** Shares: a frozen view of one object, open to anyone with the link, to a password, or to one person. */
import * as z from 'zod/mini';
import { dateTime, integer, optionalDateTime, optionalText } from './common.ts';

/** What a share adds to the object itself (ours). */
const shareIncludes = ['program', 'data', 'note'] as const;

/** Inside experiments, models and workflows. `password` is `***` or empty; the text is only in the answer that creates it. */
export const shareInfoSchema = z.looseObject({
  id: integer,
  password: z.string(),
  user_id: z.string(),
  short_id: z.string(),
  to_user_id: optionalText,
  // Ours:
  from_user: optionalText,
  to_user: optionalText,
  created_at: z.optional(dateTime),
  expires_at: optionalDateTime,
  include: z.optional(z.array(z.string())),
  /** Wrong passwords since the share was created; for its owner. */
  failed_attempts: z.optional(integer),
});
export type ShareInfo = z.infer<typeof shareInfoSchema>;

/** Answer to creating one, and list entry. `experiment_id` identifies the shared object, of whatever kind. */
export const shareSchema = z.object({
  object_type: z.literal('share'),
  id: integer,
  user_id: integer,
  short_id: z.string(),
  experiment_id: z.string(),
  experiment_name: z.string(),
  password: z.string(),
  created_at: dateTime,
  from_user: optionalText,
  to_user: optionalText,
  // Ours:
  expires_at: optionalDateTime,
  include: z.optional(z.array(z.string())),
  failed_attempts: z.optional(integer),
  /** The shared object was deleted, so the share opens nothing until that is undone. */
  object_deleted: z.optional(z.boolean()),
});
export type Share = z.infer<typeof shareSchema>;

/** View of a share id without signing in: is a password needed? */
export const shareViewSchema = z.object({
  object_type: z.literal('share'),
  require_password: z.boolean(),
});

export const createShareSchema = z.object({
  object_type: z.literal('share'),
  objid: z.string(),
  password: z._default(z.string().check(z.maxLength(1024)), ''),
  /** Exactly the user name as that person's account shows it, `name(@id)`. */
  target_user: z._default(z.string(), ''),
  expires_at: optionalText,
  include: z.optional(z.nullable(z.array(z.enum(shareIncludes)))),
  /** Ours, for an experiment: the variables its owner is viewing, with which the snapshot opens. */
  shown_variables: z.optional(
    z.nullable(z.array(z.string().check(z.maxLength(1024))).check(z.maxLength(10_000))),
  ),
});
export type CreateShare = z.input<typeof createShareSchema>;

/** Ours (capability `share_options`). Absent = unchanged; an empty `password` makes the link public, null never ends. */
export const updateShareSchema = z.object({
  object_type: z.literal('share'),
  password: z.optional(z.string().check(z.maxLength(1024))),
  expires_at: z.optional(z.nullable(z.string())),
});
