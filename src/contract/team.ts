/**
 * Teams (ours): accounts that nobody signs in to. `name(@id)` of a team is an owner like a person's; its members may do with
 * its objects what an owner may.
 */
import * as z from 'zod/mini';
import { integer } from './common.ts';

export const teamSchema = z.object({
  id: integer,
  /** `name(@id)`, as in `owner` of objects and lists. */
  name: z.string(),
  /** The group of the identity provider that determines its members; null: an administrator does. */
  group: z.nullable(z.string()),
  /** `name(@id)`. */
  members: z.array(z.string()),
});
export type Team = z.infer<typeof teamSchema>;

export const teamsSchema = z.object({ teams: z.array(teamSchema) });

const members = z.array(z.string()).check(z.maxLength(1000));
export const createTeamSchema = z.object({ name: z.string(), members: z._default(members, []) });
export const updateTeamSchema = z.object({ members });

/** `owner`: the user's own name, or that of one of their teams. */
export const moveObjectSchema = z.object({ owner: z.string() });
