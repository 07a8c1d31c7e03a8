/** Experiments: one sampling run (or imported draws), its progress and its verdict. */
import * as z from 'zod/mini';
import { dateTime, integer, optionalDateTime, optionalText } from './common.ts';
import { shareInfoSchema } from './share.ts';

/** `NEW, RUN, FIN, ERR` on the wire; `SAMPLE_FIN` is accepted. Values of other servers are shown as they are. */
export const experimentStatuses = ['NEW', 'RUN', 'FIN', 'ERR'] as const;
export type ExperimentStatus = (typeof experimentStatuses)[number];

/** What control (ours, capability `run_control`) can request of a run. */
export const runActions = ['stop', 'pause', 'resume', 'extend', 'retry'] as const;
export type RunAction = (typeof runActions)[number];

/** What an owner can also ask of a finished run (ours, capability `moment_matching`): moment-matched leave-one-out. */
export const matchActions = ['match_moments', 'stop_matching'] as const;
export type MatchAction = (typeof matchActions)[number];

/** Codes of `meta.error` that another attempt with the same program, data and seed would repeat. */
export const lastingFailures: readonly string[] = [
  'PROGRAM_INVALID',
  'PROGRAM_FAILED',
  'RUN_TIMEOUT',
  'NO_START',
  'NO_STEP_SIZE',
  'NO_APPROXIMATION',
  'BAD_CHECKPOINT',
  'NOT_STARTED',
];

const nullableNumber = z.optional(z.nullable(z.number()));
const optionalInteger = z.optional(z.nullable(integer));

export const chainProgressSchema = z.object({
  /** `chain#1`, … */
  name: z.string(),
  phase: z.enum(['waiting', 'warmup', 'sampling', 'done', 'failed']),
  /** Completed iterations of warmup and sampling together, and their total. */
  iteration: integer,
  of: integer,
  draws_per_second: nullableNumber,
  /** Saved sampling draws. */
  draws: optionalInteger,
  divergences: integer,
  /** Ours: the chain whose warmup it starts from, by name (`warmup_chains`); absent: it has its own warmup. */
  warmed_by: z.optional(z.string()),
});
export type ChainProgress = z.infer<typeof chainProgressSchema>;

/** Iterations over all chains, warmup and sampling together. */
const progressSchema = z.object({
  done: integer,
  total: integer,
  /** Of an import (ours): `done` and `total` are bytes of its files while `reading`, or of its draws while `storing`. */
  step: z.optional(z.string()),
  chains: z.array(chainProgressSchema),
});

/** One check of a run. Members that do not apply are absent. */
export const verdictCheckSchema = z.object({
  /** `divergences`, `rhat`, `ebfmi`, `treedepth`, `ess_bulk`, `ess_tail`, `non_finite`, `chains`, `lost_chains`, `draws`, `statistics`, `pareto_k`, `optimum`, `optima`, `point_estimate`, `fixed_parameters`, `calibration`, `simulations`, `generated_quantities`. */
  name: z.string(),
  /** `unknown`: the evidence for it is missing. */
  status: z.enum(['passed', 'failed', 'unknown']),
  /** Of a failed check. */
  tone: z.optional(z.enum(['warn', 'bad'])),
  /** The worst number, and the limit from which it needs a look. */
  value: z.optional(z.number()),
  threshold: z.optional(z.number()),
  /** Where the number is worst. */
  variable: z.optional(z.string()),
  chain: z.optional(z.string()),
  /** Variables, chains or draws that fail. */
  count: z.optional(integer),
  message: z.optional(z.string()),
});
export type VerdictCheck = z.infer<typeof verdictCheckSchema>;

/** Computed once, when the run ends; every client shows this one. */
export const verdictSchema = z.object({
  state: z.enum(['good', 'warn', 'bad', 'unknown']),
  rhat_max: nullableNumber,
  ess_bulk_min: nullableNumber,
  ess_tail_min: nullableNumber,
  divergences: optionalInteger,
  treedepth_hits: optionalInteger,
  ebfmi_min: nullableNumber,
  /** "Looks converged", "33 divergences; 4 checks failed", "No verdict: chain 4 has no draws". */
  headline: z.optional(z.string()),
  /** In one order: divergences, R-hat, E-BFMI, tree depth, bulk ESS, tail ESS, what is missing. */
  checks: z.optional(z.array(verdictCheckSchema)),
  /** Names of the chains that were judged, and the draws of each that entered R-hat and ESS. */
  chains: z.optional(z.array(z.string())),
  draws: z.optional(integer),
  /** Draws of longer chains beyond those. */
  draws_left_out: z.optional(integer),
  /** Names of the chains that its owner left out (`meta.chains_left_out`) and that exist or have begun. */
  chains_left_out: z.optional(z.array(z.string())),
});
export type VerdictInfo = z.infer<typeof verdictSchema>;

/** An observation whose leave-one-out weights were improved, identified by the name of its log likelihood. */
const matchedObservationSchema = z.object({
  variable: z.string(),
  /** With plain importance weights, and after the draws were moved; null: undefined. */
  pareto_k_before: z.nullable(z.number()),
  pareto_k: z.nullable(z.number()),
  /** Natural log, in place of the plain estimate; null: undefined. */
  elpd_loo: z.nullable(z.number()),
  /** How often the draws were moved; 0: it did not help. */
  moves: integer,
});

export const momentMatchSchema = z.object({
  state: z.enum(['waiting', 'running', 'done', 'failed']),
  /** Observations done, and their total; 0 until that is known. */
  done: integer,
  total: integer,
  /** Why it failed. */
  message: z.optional(z.nullable(z.string())),
  /** Once it is done. Left out of lists. */
  observations: z.optional(z.nullable(z.array(matchedObservationSchema))),
});
export type MomentMatch = z.infer<typeof momentMatchSchema>;

/** Lists that no longer exist are null. */
const textListsSchema = z.record(z.string(), z.nullable(z.array(z.string())));
export const labelsSchema = z.object({
  coords: z.optional(z.nullable(textListsSchema)),
  dims: z.optional(z.nullable(textListsSchema)),
});
export type WireLabels = z.infer<typeof labelsSchema>;

/** `meta` as we send it. Other servers send what they like: everything is optional and unknown keys are kept. */
export const experimentMetaSchema = z.looseObject({
  /** `stopping`, `stopped`, `paused`, `running`, or a client's own text. */
  action: z.catch(z.optional(z.nullable(z.string())), undefined),
  /** Saved iterations requested per chain; 0: not specified. */
  iteration_count: z.catch(optionalInteger, undefined),
  progress: z.catch(z.optional(z.nullable(progressSchema)), undefined),
  /** 1 = next to start. */
  queue_place: z.catch(optionalInteger, undefined),
  verdict: z.catch(z.optional(z.nullable(verdictSchema)), undefined),
  /**
   * Names of chains that its owner left out of summary, verdict, plots and reports; absent: none. Files of draws and
   * counts of draws cover every chain. Set by an update, `meta: {chains_left_out: ["chain#4"]}`; `[]` or null restores
   * all.
   */
  chains_left_out: z.catch(z.optional(z.nullable(z.array(z.string()))), undefined),
  /**
   * Names and labels of dimensions, as ArviZ has them: `coords` by dimension (`school: ["School A", …]`), and `dims`, the
   * dimensions of an array in order, empty for one without a name (`theta: ["school"]`). Set by an update, which is
   * merged key by key; null removes an entry.
   */
  labels: z.catch(z.optional(z.nullable(labelsSchema)), undefined),
  /** Leave-one-out by moment matching, for the current draws; absent: not requested, or the draws have changed. */
  moment_match: z.catch(z.optional(z.nullable(momentMatchSchema)), undefined),
  /** Of a share: the variables that its owner was viewing; names, and names of entire arrays. */
  shown_variables: z.catch(z.optional(z.nullable(z.array(z.string()))), undefined),
  /** Settings as run, seed included. */
  settings: z.catch(z.optional(z.nullable(z.record(z.string(), z.unknown()))), undefined),
  model_version: z.catch(optionalInteger, undefined),
  data_version: z.catch(optionalInteger, undefined),
  data_name: z.catch(optionalText, undefined),
  /** In a view of one experiment, by its owner or in a share that includes the data: the signed address of its data. */
  data_path: z.catch(optionalText, undefined),
  error: z.catch(
    z.optional(z.nullable(z.object({ code: z.string(), message: z.string() }))),
    undefined,
  ),
  note: z.catch(optionalText, undefined),
  tags: z.catch(z.optional(z.nullable(z.array(z.string()))), undefined),
  /** An outside runner's run: its last message, if that is more than five minutes ago. */
  silent_since: z.catch(optionalDateTime, undefined),
  /** Whether its setting `time_limit` stopped it; false: it was continued after its end, without that limit. */
  time_limit_reached: z.catch(z.optional(z.nullable(z.boolean())), undefined),
  started_at: z.catch(optionalDateTime, undefined),
  finished_at: z.catch(optionalDateTime, undefined),
  /**
   * Wall-clock seconds from the start of the first chain to the end of the last, without the time in which the run was
   * paused, or had ended before it was continued.
   */
  elapsed_seconds: z.catch(nullableNumber, undefined),
});
export type ExperimentMeta = z.infer<typeof experimentMetaSchema>;

/** View and list entry alike. */
export const experimentSchema = z.object({
  object_type: z.literal('experiment'),
  short_id: z._default(z.string(), ''),
  name: z._default(z.string(), ''),
  model_name: z.string(),
  model_id: z._default(z.nullable(z.string()), ''),
  status: z._default(z.string(), ''),
  meta: z.optional(z.nullable(experimentMetaSchema)),
  n_chains: z._default(integer, 0),
  n_variables: z._default(integer, 0),
  /** Saved iterations per chain; the smallest over chains while running. */
  n_samples: z._default(integer, 0),
  /** Of the last draws; of creation while there are none. */
  sample_update_time: z._default(dateTime, ''),
  run_on: z._default(z.string(), ''),
  input: optionalText,
  output: optionalText,
  workflow_id: z._default(z.string(), ''),
  workflow_name: z._default(z.string(), ''),
  share_info: z.optional(z.nullable(z.array(shareInfoSchema))),
  // Ours:
  created_at: z.optional(dateTime),
  updated_at: z.optional(dateTime),
  owner: z.optional(z.string()),
});
export type Experiment = z.infer<typeof experimentSchema>;

/** `progress`: `generating`, `done` or `error` (reason in `message`). `url` is signed, needs no header, lasts an hour. */
export const sampledataSchema = z.object({
  object_type: z._default(z.literal('experiment.sampledata'), 'experiment.sampledata'),
  url: z.nullable(z.string()),
  progress: z.string(),
  message: z._default(z.string(), ''),
});
export const stdlogSchema = z.object({
  object_type: z.literal('experiment.stdlog'),
  logs: z.string(),
});
/** `data`: the plotting function's answer for these parameters. */
export const plotSchema = z.object({
  object_type: z.literal('experiment.plot'),
  data: z.unknown(),
});
/** Pairs of milliseconds since the epoch and a line. */
export const cloudwatchLogSchema = z.object({
  object_type: z.literal('experiment.cloudwatch_log'),
  logs: z.array(z.tuple([integer, z.string()])),
});
/** Chain → its last statistics, as `experiment.nsample_stat` brought them. */
const runStatsSchema = z.record(
  z.string(),
  z.object({
    n_sample: z.int(),
    stat: z.record(z.string(), z.unknown()),
  }),
);
export type RunStats = z.infer<typeof runStatsSchema>;
export const runInfoSchema = z.object({
  object_type: z.literal('experiment.run_info'),
  status: z.string(),
  // Ours, of outside runners:
  started_at: z.optional(dateTime),
  last_message_at: z.optional(dateTime),
  /** The run's message about its last error; empty: none. */
  error: z.optional(z.string()),
  stats: z.optional(runStatsSchema),
});

export const createExperimentSchema = z.object({
  object_type: z.literal('experiment'),
  name: z._default(z.string().check(z.maxLength(255)), ''),
  model_id: z._default(z.string(), ''),
  workflow_id: z._default(z.string(), ''),
  input_id: z._default(z.string(), ''),
  meta: z.optional(z.unknown()),
  run_on: z._default(z.string(), 'lambda'),
  data_file_type: z.optional(z.nullable(z.enum(['turing csv', 'stan csv', 'arviz netcdf']))),
  data_files: z.optional(z.nullable(z.array(z.string()))),
  data_uris: z.optional(z.nullable(z.array(z.string()))),
  /** Ours, capability `uploads`: ids of complete uploads, at most `import_uploads`; they are read after the answer. */
  data_uploads: z.optional(z.nullable(z.array(z.string()))),
});

/**
 * `meta` is merged deeply; keys that the service writes itself (`verdict`, `error`, `progress`, …) are ignored in a run of
 * ours. Counts of 0 mean "unchanged" (0 is the documented default). `action` of `stop`, `pause`,
 * `resume`, `extend`, `retry` controls a run of ours (`meta.extend_by` = more draws per chain; `retry` = failed chains
 * continue from their last checkpoint; with `meta.retry_chains` (capability `retry_chains`), a list of names, a chain from
 * another starting point, which ignores `inits`, is added for each, and the named ones are left out, and stopped while the
 * run goes on); `match_moments` and `stop_matching` begin and end leave-one-out by moment matching of a finished run
 * (`meta.moment_match`); other text is stored.
 * `meta.chains_left_out` (ours) chooses the chains that are judged: the answer comes with the verdict on the others.
 */
export const updateExperimentSchema = z.object({
  object_type: z.literal('experiment'),
  action: optionalText,
  meta: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
  status: optionalText,
  n_chains: z._default(integer, 0),
  n_variables: z._default(integer, 0),
  n_samples: z._default(integer, 0),
  sample_update_time: optionalText,
  name: z.optional(z.nullable(z.string().check(z.maxLength(255)))),
  /**
   * Ours (capability `projects`): the `meta.note` that an edit of it was based on, empty for none; another is a CONFLICT
   * with `details.note`. Absent: the last write wins.
   */
  base_note: optionalText,
});
export type UpdateExperiment = z.input<typeof updateExperimentSchema>;
