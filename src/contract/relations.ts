/** Events, callbacks and the relations that join them. */
import * as z from 'zod/mini';
import { dateTime, integer, optionalText } from './common.ts';

/** Events that the service fires itself (ours): every user has one of each, with the tag `builtin`. */
export const builtinEvents = [
  'experiment.finished',
  'experiment.failed',
  /** For each chain, after every n saved draws; n is the relation's, 1000 if it does not say. */
  'experiment.every_n_samples',
  'share.received',
] as const;

/** One call of a function or callback (ours): shown to the owner, newest first. */
export const functionRunSchema = z.object({
  id: integer,
  /** Id of the function or callback. */
  target: z.string(),
  state: z.enum(['waiting', 'running', 'done', 'failed']),
  created_at: dateTime,
  started_at: z.nullable(dateTime),
  finished_at: z.nullable(dateTime),
  milliseconds: z.nullable(integer),
  /** Empty unless it failed. */
  error: z.string(),
  /** The end of what it logged. */
  log: z.string(),
});
export type FunctionRun = z.infer<typeof functionRunSchema>;
const runs = z.optional(z.array(functionRunSchema));

export const eventSchema = z.object({
  object_type: z.literal('event'),
  name: z.string(),
  short_id: z.string(),
  created_at: dateTime,
  // Ours; `runs` in the view of one:
  tags: z.optional(z.array(z.string())),
  runs,
});
export const callbackSchema = z.object({
  object_type: z.literal('callback'),
  short_id: z.string(),
  lang: z.string(),
  code: z.string(),
  token: z.string(),
  created_at: dateTime,
  // Ours; `runs` in the view of one:
  single_instance: z.optional(z.boolean()),
  runs,
});
/** What a binding says about when it fires: `n` of `experiment.every_n_samples`. */
const relationParamsSchema = z.object({
  n: z.optional(z.number().check(z.int(), z.minimum(1), z.maximum(1_000_000_000))),
});
export const relationSchema = z.object({
  object_type: z.literal('relation'),
  short_id: z.string(),
  user_id: integer,
  object1_id: z.string(),
  object2_id: z.string(),
  created_at: dateTime,
  /** Ours. */
  params: z.optional(relationParamsSchema),
});

export const createEventSchema = z.object({
  object_type: z.literal('event'),
  name: z.string().check(z.minLength(1), z.maxLength(255)),
});
/** `javascript` is ours: it runs sandboxed anywhere; the two documented ones need their runtimes. */
const callbackLangSchema = z.enum(['julia', 'python', 'javascript']);
export const createCallbackSchema = z.object({
  object_type: z.literal('callback'),
  lang: callbackLangSchema,
  code: z.string(),
  single_instance: z._default(z.boolean(), true),
});
/** Absent or null = unchanged. Bindings and the callback's token stay. */
export const updateCallbackSchema = z.object({
  object_type: z.literal('callback'),
  lang: z.optional(z.nullable(callbackLangSchema)),
  code: optionalText,
  single_instance: z.optional(z.nullable(z.boolean())),
});
/** Links an event (`object1_id`) with a callback or cloud function (`object2_id`). */
export const createRelationSchema = z.object({
  object_type: z.literal('relation'),
  object1_id: z.string(),
  object2_id: z.string(),
  params: z.optional(z.nullable(relationParamsSchema)),
});
/** Posted to an event, it fires the event; `params` is JSON text, `lock_key` allows one instance per key. */
export const updateEventSchema = z.object({
  object_type: z.literal('event'),
  params: z._default(z.string(), ''),
  engine: z._default(z.string(), 'lambda'),
  lock_key: z._default(z.string(), ''),
});
