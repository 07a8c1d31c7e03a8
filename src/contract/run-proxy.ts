/**
 * The address given by `run_model_url`: public runners and tests post commands to it, with the token inside the body.
 *
 * `run_in_lambda` and `run_in_fargate` start a run of a model; `after_sample` says that an outside runner's sampling is
 * done. The document gives neither; the fields are those public clients send, their prefix is ours.
 */
import * as z from 'zod/mini';

export const runProxySchema = z.looseObject({
  cmd: z.enum(['run_in_lambda', 'run_in_fargate', 'after_sample']),
  ergodic_server_endpoint: z._default(z.string(), ''),
  ergodic_auth_token: z._default(z.string(), ''),
  /** The name of the token in `after_sample`. */
  wd_auth_token: z._default(z.string(), ''),
  model_id: z._default(z.string(), ''),
  model: z.optional(z.unknown()),
  experiment_id: z._default(z.string(), ''),
  batch_id: z._default(z.string(), ''),
  run_id: z._default(z.string(), ''),
  startup_script: z._default(z.string(), ''),
  julia_args: z.optional(z.unknown()),
  parallel: z.optional(z.unknown()),
  save_model: z.optional(z.unknown()),
});

export const runProxyAnswerSchema = z.object({ experiment_id: z.string(), model_id: z.string() });
