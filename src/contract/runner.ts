/** Messages of outside runners and the older run variants, all posted to `POST /api/object/{objid}`. */
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
  n_sample: z.number(),
  stat: z.record(z.string(), z.unknown()),
});

/** `result`: base64 of the gzipped file, empty when there is none. */
export const analyzerResultSchema = z.object({
  object_type: z.literal('workflow.analyzer_result'),
  return_code: z.number(),
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
  params: z._default(z.string(), ''),
  get_response: z._default(z.boolean(), false),
});

export const workflowRunAnswerSchema = z.object({
  object_type: z.literal('workflow.run'),
  experiment_id: z.string(),
  experiment_name: z.string(),
});
