/**
 * Messages of the two WebSockets. The document does not cover them; public clients send and expect this sequence,
 * the share viewer's authorization is ours.
 *
 * A socket opens, the client sends one `authorization` within 3 seconds, the server answers `authorized`, or `error`
 * and closes with 4401.
 */
import * as z from 'zod/mini';
import { phaseSchema } from './draws.ts';

export const notificationSocketPath = '/api/notification';
/** `{experiment_id}` marks the path parameter. */
export const experimentSocketPath = '/mcmc/ws/sub/object/{experiment_id}';

/** Our close codes. */
export const socketClosed = { unauthorized: 4401, tooSlow: 4408, tooMany: 4429 } as const;

/** A bearer token, or a share with its password (empty for a public one). `version` is accepted and ignored. */
export const authorizationSchema = z.object({
  action: z.literal('authorization'),
  token: z.optional(z.string()),
  share_id: z.optional(z.string()),
  password: z.optional(z.string()),
});

/**
 * `phase` and `from` are ours: a subscription covers saved sampling draws, from the first one on, unless it
 * says otherwise. What was sent once on a socket is not resent, even after unsubscribing, unless `from` requests it.
 */
const subscriptionSchema = z.array(
  z.object({
    chain: z.string(),
    variables: z.array(z.string()),
    phase: z.optional(phaseSchema),
    /** First iteration requested, from 1 within the phase. */
    from: z.optional(z.number()),
  }),
);

/** What a client may send on an experiment's socket after authorization. */
export const experimentOrderSchema = z.discriminatedUnion('action', [
  z.object({ action: z.literal('subscribe'), data: subscriptionSchema }),
  z.object({ action: z.literal('unsubscribe'), data: subscriptionSchema }),
]);
export type ExperimentOrder = z.infer<typeof experimentOrderSchema>;

/**
 * New draws of one chain: `data[i]` belongs to iteration `iteration + i`. Values are numbers; what JSON cannot express
 * is the text `NaN`, `Infinity` or `-Infinity`, which every language's number parser reads.
 */
export const eventItemSchema = z.looseObject({
  chain_name: z.string(),
  iteration: z.number(),
  /** Ours; absent: sampling. Sent only to subscribers of warmup. */
  phase: z.optional(phaseSchema),
  data: z.array(z.record(z.string(), z.unknown())),
});
export type EventItem = z.infer<typeof eventItemSchema>;

/** Content of `experiment:status`: the fields of the experiment that change while it runs. */
export const liveStatusSchema = z.looseObject({
  status: z.string(),
  n_samples: z._default(z.number(), 0),
  action: z._default(z.string(), ''),
});
export type LiveStatus = z.infer<typeof liveStatusSchema>;

/** Content of an `error` frame: a code of `errors.ts` and its message. */
export const socketErrorSchema = z.looseObject({ code: z.string(), message: z.string() });

/**
 * The payload of a frame, in `message`. `names` may come several times; clients join them. `experiment:status` is ours:
 * fields of the experiment changed, its `data` says which.
 */
export const experimentMessageSchema = z.union([
  z.looseObject({
    action: z.literal('names'),
    data: z.array(z.object({ chain: z.string(), names: z.array(z.string()) })),
  }),
  z.looseObject({ action: z.literal('experiment:event'), data: z.array(eventItemSchema) }),
  z.looseObject({ action: z.literal('experiment:output'), data: z.string() }),
  z.looseObject({
    action: z.literal('experiment:error'),
    data: z.optional(z.union([z.string(), z.number()])),
  }),
  z.looseObject({ action: z.literal('experiment:finish'), data: z.optional(z.unknown()) }),
  z.looseObject({ action: z.literal('start'), data: z.optional(z.unknown()) }),
  z.looseObject({ action: z.literal('experiment:status'), data: z.optional(z.unknown()) }),
  z.looseObject({ action: z.literal('authorized') }),
  z.looseObject({ action: z.literal('error'), data: z.optional(z.unknown()) }),
]);
export type ExperimentMessage = z.infer<typeof experimentMessageSchema>;

/** A frame of an experiment's socket, shaped as runners post their messages. */
export const experimentFrameSchema = z.looseObject({
  /** `object_` and the experiment's id. */
  group: z.optional(z.string()),
  type: z.optional(z.string()),
  message: z.looseObject({ action: z.string(), data: z.optional(z.unknown()) }),
});
