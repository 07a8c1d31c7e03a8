/**
 * Messages of outside runners and the older run variants, all posted to `POST /api/object/{objid}`.
 *
 * A batch is one start of sampling, a run one of its processes. The document gives the shapes; what a server does with
 * them is our reading: a value belongs to its chain and iteration, so messages may come twice, late or in any order; text
 * among numbers is refused. Another batch or run begins after what a chain has; if its draws equal an earlier
 * one's at every iteration that both have, it is that one restarted, and continues it. An experiment is over when
 * every run of the batch is, and failed if one did. A run that its owner stopped is answered `CONFLICT` with the
 * message `stopped`. A line of output that equals the one before counts as sent again only if the answer to that
 * one was not sent, within a minute. A run that is silent for five minutes gets `meta.silent_since` and continues: it may sample
 * slowly.
 */
import * as z from 'zod/mini';

const batch = { batch_id: z.string(), run_id: z.string() };

/** Lines of output and events, broadcast to watchers; `experiment:output` is stored as the run's log. */
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
  /** Variable → what the runner reports about it; public clients send [name of the statistic, number]. */
  stat: z.record(z.string(), z.unknown()),
});

/** `result`: base64 of the gzipped file, empty if there is none. */
export const analyzerResultSchema = z.object({
  object_type: z.literal('workflow.analyzer_result'),
  /** Of a process: signed, or unsigned as on Windows. */
  return_code: z.number().check(z.minimum(-(2 ** 31)), z.maximum(2 ** 32 - 1)),
  errlines: z.array(z.string()),
  result: z.string(),
});

/** Aliases of `/invoke`, which replaced them. */
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
  /** Return the answer to the same call if one is remembered, and remember this one. */
  cache: z._default(z.boolean(), false),
  /** One call at a time per function and key. */
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
