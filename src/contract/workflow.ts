/** Workflows: model, data, settings and scripts; running one creates experiments. */
import * as z from 'zod/mini';
import { dateTime, integer, optionalText } from './common.ts';

export const workflowSchema = z.object({
  object_type: z.literal('workflow'),
  short_id: z.string(),
  name: z.string(),
  created_at: dateTime,
  updated_at: dateTime,
  model_id: optionalText,
  model_name: optionalText,
  data_id: optionalText,
  data_name: optionalText,
  data_fmt: optionalText,
  /** The newest experiment this workflow made. */
  experiment_id: optionalText,
  experiment_name: optionalText,
  analyzer_id: optionalText,
  analyzer_name: optionalText,
  startup_script: optionalText,
  /** YAML; ours are under `sampling`. */
  settings: optionalText,
  data_script: optionalText,
  share_info: z.optional(z.nullable(z.array(z.record(z.string(), z.unknown())))),
  // Ours:
  id: z.optional(integer),
  description: optionalText,
  /**
   * The newest analysis as JSON text: `status` (running, done, error), and once ended `finished_at`, `return_code`
   * and the last `errlines`; or whatever a client put there.
   */
  analyzer_result: optionalText,
  owner: z.optional(z.string()),
});
export type Workflow = z.infer<typeof workflowSchema>;

export const workflowAnalyzerSchema = z.object({
  object_type: z.literal('workflow.analyzer'),
  url: z.string(),
});

/** If `model_id`, `data_id` and `uri` are all empty, the defaults of `/sys/config` are used. */
export const createWorkflowSchema = z.object({
  object_type: z.literal('workflow'),
  name: z._default(z.string().check(z.maxLength(255)), ''),
  model_id: z._default(z.string().check(z.maxLength(9)), ''),
  data_id: z._default(z.string().check(z.maxLength(9)), ''),
  uri: z._default(z.string(), ''),
});

/** Null or absent = unchanged; an empty string detaches. The model of a workflow is fixed at creation. */
export const updateWorkflowSchema = z.object({
  object_type: z.literal('workflow'),
  name: z.optional(z.nullable(z.string().check(z.maxLength(255)))),
  description: z.optional(z.nullable(z.string().check(z.maxLength(2048)))),
  data_id: z.optional(z.nullable(z.string().check(z.maxLength(9)))),
  experiment_id: z.optional(z.nullable(z.string().check(z.maxLength(9)))),
  analyzer_id: z.optional(z.nullable(z.string().check(z.maxLength(20)))),
  analyzer_result: optionalText,
  startup_script: optionalText,
  settings: optionalText,
  data_script: optionalText,
});
