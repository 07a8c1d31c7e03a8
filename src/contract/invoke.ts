/** Starting workflows and cloud functions. */
import * as z from 'zod/mini';
import { integer } from './common.ts';

/** A workflow accepts `run_sample` and `run_analyze`, a cloud function `run`. */
export const invokeSchema = z.object({
  target: z.string(),
  action: z.string(),
  parameters: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
  get_response: z._default(z.boolean(), false),
});
/**
 * `run_sample`: `experiment_id` and `experiment_name`; without response as soon as the experiment exists, with response
 * once the run has ended. `run_analyze`: empty, or with response `analyzer` once it ended. A function with response: `cloudfunction_response`.
 */
export const invokeResponseSchema = z.object({
  experiment_id: z.optional(z.string()),
  experiment_name: z.optional(z.string()),
  /** Ours, for `run_sample` with response: `FIN` or `ERR`; another if it takes longer than a caller may wait. */
  status: z.optional(z.string()),
  cloudfunction_response: z.optional(z.unknown()),
  /** Ours: how the analysis ended; `running` if it takes longer than a caller may wait. */
  analyzer: z.optional(
    z.object({
      status: z.enum(['running', 'done', 'error']),
      return_code: z.nullable(integer),
    }),
  ),
});
