/**
 * Messages of outside runners and the older run variants, all posted to `POST /api/object/{objid}`.
 *
 * A batch is one start of sampling, a run one of its processes. The document gives the shapes; what a server makes of
 * them is our reading: a value stands at its chain and iteration, so a message may come twice, late or in any order; text
 * among numbers is refused. Another batch or run begins behind what a chain has; where its draws are equal to an earlier
 * one's at every iteration that both have, it is that one started again, and continues it. An experiment is over when
 * every run of the batch is, and failed when one did. A run that its owner stopped is answered `CONFLICT` with the
 * message `stopped`. A line of output that is equal to the one before counts as sent again only where the answer to that
 * one did not leave, within a minute. One that says nothing for five minutes is shown with `meta.silent_since` and goes on: it may sample
 * slowly.
 */
import * as z from 'zod/mini';

const batch = { batch_id: z.string(), run_id: z.string() };

/** Lines of output and events, broadcast to who watches; `experiment:output` is kept as the run's log. */
export const textMessageSchema = z.object({
  object_type: z.literal('experiment.text_message'),
  datas: z.array(z.looseObject({})),
  ...batch,
});

/** Draws: chain → variable → values, and chain → [first iteration, last iteration, sequence number]. */
export const protobufMessageSchema = z.object({
  object_type: z.literal('experiment.protobuf_message'),
  ...batch,
  logs: z.looseObject({}),
});

export const nsampleStatSchema = z.object({
  object_type: z.literal('experiment.nsample_stat'),
  ...batch,
  chain_name: z.string(),
  n_sample: z.int(),
  /** Variable → what the runner says of it; public clients send [name of the statistic, number]. */
  stat: z.record(z.string(), z.unknown()),
});

/** `result`: base64 of the gzipped file, empty when there is none. */
export const analyzerResultSchema = z.object({
  object_type: z.literal('workflow.analyzer_result'),
  /** Of a process: signed, or unsigned as Windows counts. */
  return_code: z.number().check(z.minimum(-(2 ** 31)), z.maximum(2 ** 32 - 1)),
  errlines: z.array(z.string()),
  result: z.string(),
});

/** Aliases of `/invoke`, from before it. */
export const workflowRunSchema = z.object({
  object_type: z.literal('workflow.run'),
  startup_script: z._default(z.string(), ''),
});
export const workflowRunAnalyzerSchema = z.object({
  object_type: z.literal('workflow.run_analyzer'),
});
export const modelRunScriptSchema = z.object({
  object_type: z.literal('model.run_script'),
  /** JSON text. */
  params: z._default(z.string(), ''),
  engine: z._default(z.string(), 'lambda'),
  get_response: z._default(z.boolean(), false),
  /** Give the answer to the same call if one is remembered, and remember this one. */
  cache: z._default(z.boolean(), false),
  /** One call of the function and key at a time. */
  lock_key: z._default(z.string(), ''),
});
/** `data`: the function's answer; null when nobody waits for it. */
export const modelRunAnswerSchema = z.object({
  object_type: z.literal('model.run_response'),
  data: z.unknown(),
});

export const workflowRunAnswerSchema = z.object({
  object_type: z.literal('workflow.run'),
  experiment_id: z.string(),
  experiment_name: z.string(),
});
