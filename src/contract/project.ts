/** Projects (ours, capability `projects`): models, data and runs that belong together, and a notebook of the decisions. */
import * as z from 'zod/mini';
import { dateTime, integer, optionalText } from './common.ts';
import { dataSchema } from './data.ts';
import { experimentSchema } from './experiment.ts';
import { modelSchema } from './model.ts';

/** Kinds that a project contains; workflows are included through their runs. */
export const memberKinds = ['model', 'data', 'experiment'] as const;
export type MemberKind = (typeof memberKinds)[number];

/** A model, a data object or a run as lists show it; in a frozen project as it was then. */
const projectMemberSchema = z.object({
  added_at: dateTime,
  /** In a frozen project: the share that opens the member; null: only its name is given. */
  share_id: optionalText,
  object: z.discriminatedUnion('object_type', [experimentSchema, modelSchema, dataSchema]),
});
export type ProjectMember = z.infer<typeof projectMemberSchema>;

/** A free text between the runs, in Markdown. `version` grows with each change of the text. */
const projectEntrySchema = z.object({
  id: integer,
  text: z.string(),
  version: integer,
  created_at: dateTime,
  updated_at: dateTime,
});
export type ProjectEntry = z.infer<typeof projectEntrySchema>;

/** Deleted members are left out, and reappear when they are restored. */
export const projectSchema = z.object({
  object_type: z.literal('project'),
  id: integer,
  short_id: z.string(),
  name: z.string(),
  /** Markdown; empty in lists. `version` counts its changes. */
  note: z._default(z.string(), ''),
  tags: z._default(z.array(z.string()), []),
  version: integer,
  created_at: dateTime,
  updated_at: dateTime,
  owner: optionalText,
  /** Members of each kind. */
  counts: z.optional(z.record(z.string(), integer)),
  /** In views, in the order in which they were added. */
  members: z.optional(z.array(projectMemberSchema)),
  /** In views, the oldest first. */
  entries: z.optional(z.array(projectEntrySchema)),
  share_info: z.optional(z.nullable(z.array(z.record(z.string(), z.unknown())))),
});
export type Project = z.infer<typeof projectSchema>;

/** Of one project; beyond these, LIMIT_EXCEEDED. */
export const projectLimits = { members: 500, entries: 2000 } as const;

const name = z.string().check(z.minLength(1), z.maxLength(255));
const note = z.string().check(z.maxLength(20_000));
const tags = z.optional(
  z.nullable(z.array(z.string().check(z.maxLength(64))).check(z.maxLength(32))),
);
const memberIds = z.optional(z.nullable(z.array(z.string()).check(z.maxLength(1000))));

export const createProjectSchema = z.object({
  object_type: z.literal('project'),
  name,
  note: z._default(note, ''),
  tags,
  /** Ids of models, data objects and experiments. */
  members: memberIds,
});

/**
 * Absent or null = unchanged. Members are added and removed one by one, so that simultaneous changes lose nothing; one
 * that is already there, or not there, is not an error. `base_version`: the version the note was edited from; another is a
 * CONFLICT with `details.version`.
 */
export const updateProjectSchema = z.object({
  object_type: z.literal('project'),
  name: z.optional(z.nullable(name)),
  note: z.optional(z.nullable(note)),
  tags,
  add: memberIds,
  remove: memberIds,
  base_version: z.optional(z.nullable(integer)),
});

/** An entry of the notebook: without `entry_id` a new one. `deleted`: true removes it, false restores it. */
export const projectEntryChangeSchema = z.object({
  object_type: z.literal('project.entry'),
  entry_id: z.optional(z.nullable(z.int().check(z.minimum(1)))),
  text: z.optional(z.nullable(note.check(z.minLength(1)))),
  deleted: z.optional(z.nullable(z.boolean())),
  base_version: z.optional(z.nullable(integer)),
});
