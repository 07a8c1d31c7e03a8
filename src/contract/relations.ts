/** Events, callbacks and the relations that join them. */
import * as z from 'zod/mini';

export const eventSchema = z.object({
  object_type: z.literal('event'),
  name: z.string(),
  short_id: z.string(),
  created_at: z.string(),
});
export const callbackSchema = z.object({
  object_type: z.literal('callback'),
  short_id: z.string(),
  lang: z.string(),
  code: z.string(),
  token: z.string(),
  created_at: z.string(),
});
export const relationSchema = z.object({
  object_type: z.literal('relation'),
  short_id: z.string(),
  user_id: z.number(),
  object1_id: z.string(),
  object2_id: z.string(),
  created_at: z.string(),
});

export const createEventSchema = z.object({
  object_type: z.literal('event'),
  name: z.string().check(z.minLength(1), z.maxLength(255)),
});
export const createCallbackSchema = z.object({
  object_type: z.literal('callback'),
  /** `javascript` is ours: it runs confined anywhere; the documented two need their runtime. */
  lang: z.enum(['julia', 'python', 'javascript']),
  code: z.string(),
  single_instance: z._default(z.boolean(), true),
});
/** Links an event (`object1_id`) with a callback or cloud function (`object2_id`). */
export const createRelationSchema = z.object({
  object_type: z.literal('relation'),
  object1_id: z.string(),
  object2_id: z.string(),
});
/** Posted to an event it fires the event; `lock_key` lets one instance run per key. */
export const updateEventSchema = z.object({
  object_type: z.literal('event'),
  params: z._default(z.string(), ''),
  engine: z._default(z.string(), 'lambda'),
  lock_key: z._default(z.string(), ''),
});
