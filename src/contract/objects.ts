/** The object endpoints' unions: list, create, view and update over all kinds. */
import * as z from 'zod/mini';
import {
  choice,
  integer,
  maxInteger,
  type ObjectKind,
  objectKinds,
  pageQueryShape,
  pageSchema,
  queryBooleanSchema,
  queryIntegerSchema,
  queryListSchema,
} from './common.ts';
import { createDataSchema, dataSchema, updateDataSchema } from './data.ts';
import {
  cloudwatchLogSchema,
  createExperimentSchema,
  experimentSchema,
  experimentStatuses,
  plotSchema,
  runInfoSchema,
  sampledataSchema,
  stdlogSchema,
  updateExperimentSchema,
} from './experiment.ts';
import { createModelSchema, modelSchema, updateModelSchema } from './model.ts';
import {
  createProjectSchema,
  projectEntryChangeSchema,
  projectSchema,
  updateProjectSchema,
} from './project.ts';
import {
  callbackSchema,
  createCallbackSchema,
  createEventSchema,
  createRelationSchema,
  eventSchema,
  relationSchema,
  updateCallbackSchema,
  updateEventSchema,
} from './relations.ts';
import {
  analyzerResultSchema,
  modelRunAnswerSchema,
  modelRunScriptSchema,
  nsampleStatSchema,
  protobufMessageSchema,
  textMessageSchema,
  workflowRunAnalyzerSchema,
  workflowRunAnswerSchema,
  workflowRunSchema,
} from './runner.ts';
import { createShareSchema, shareSchema, shareViewSchema, updateShareSchema } from './share.ts';
import {
  createWorkflowSchema,
  updateWorkflowSchema,
  workflowAnalyzerSchema,
  workflowSchema,
} from './workflow.ts';

const flag = z._default(queryBooleanSchema, false);
const text = z._default(z.string(), '');

/** Sort keys of the lists of each kind (ours, capability `search`), in addition to those of all kinds. */
export const kindSortKeys = {
  experiment: ['model', 'verdict', 'draws', 'rhat', 'ess', 'divergences', 'time'],
  model: ['runtime', 'version', 'description'],
  data: ['format', 'size', 'version'],
  workflow: ['model', 'data'],
} as const satisfies Partial<Record<ObjectKind, readonly string[]>>;

/** Every sort key; a leading `-` is descending. Missing values come last in both directions. */
export const sortKeys: readonly string[] = [
  ...new Set(['created', 'updated', 'name', 'status', ...Object.values(kindSortKeys).flat()]),
].flatMap((key) => [key, `-${key}`]);

/** `look`: the run has finished (`FIN`) and its verdict is `warn` or `bad`; one that failed (`ERR`) needs a look in any case. */
export const verdictFilters = ['', 'look'] as const;

/** Statuses and `run_on` are compared ignoring case; the names of paging and filters are those of public clients. */
export const listQuerySchema = z.object({
  /**
   * Empty: every kind but shares and projects, whose entries public clients do not know; with a filter that only experiments have,
   * experiments.
   */
  object_type: z.enum([...objectKinds, '']),
  ...pageQueryShape,
  /** Union of the next two. */
  with_share_info: flag,
  /** The caller's objects that have a live share, with `share_info`. */
  shared_by_me: flag,
  /** Others' objects shared with the caller, with `share_info`. */
  shared_with_me: flag,
  /** Experiments of these models; for models, these ids. */
  model_ids: z.optional(queryListSchema),
  workflow_id: z.optional(queryListSchema),
  /** An alias of `workflow_id`; the ids of both count. */
  workflow_ids: z.optional(queryListSchema),
  status: z._default(choice(['', ...experimentStatuses]), ''),
  run_on: text,
  has_model: z._default(choice(['', 'true', 'false']), ''),
  tags: z.optional(queryListSchema),
  // Ours, capability `search`:
  q: text,
  sort: z._default(choice(sortKeys), '-created'),
  owner: text,
  /** Experiments with this verdict. */
  verdict: z._default(choice(verdictFilters), ''),
  /** ISO 8601; from this time on, and before this one. */
  created_from: text,
  created_to: text,
  /** Experiments that ended in this period. */
  finished_from: text,
  finished_to: text,
  /** Requests `status_counts`. */
  with_counts: flag,
  /** Workflows or experiments that read these data objects. */
  data_id: z.optional(queryListSchema),
  /** Projects that contain one of these (capability `projects`). */
  member_id: z.optional(queryListSchema),
});
export type ListQuery = z.input<typeof listQuerySchema>;

/** Experiments of the list by status, ignoring the list's own `status` and `verdict`; `look` as in `verdict`. */
export const statusCountsSchema = z.object({
  NEW: integer,
  RUN: integer,
  FIN: integer,
  ERR: integer,
  look: integer,
});
export type StatusCounts = z.infer<typeof statusCountsSchema>;

export const listEntrySchema = z.discriminatedUnion('object_type', [
  experimentSchema,
  modelSchema,
  dataSchema,
  workflowSchema,
  shareSchema,
  eventSchema,
  callbackSchema,
  relationSchema,
  projectSchema,
]);
export type ListEntry = z.infer<typeof listEntrySchema>;

export const objectPageSchema = z.extend(pageSchema(listEntrySchema), {
  /** Ours, if `with_counts` requests it and the list is of experiments. */
  status_counts: z.optional(statusCountsSchema),
});

export const viewQuerySchema = z.object({
  object_type: z._default(choice(['', ...objectKinds]), ''),
  /** The snapshot of this share instead of the live object. */
  share_id: text,
  sampledata: flag,
  fmt: z._default(z.enum(['csv', 'grist', 'arviz', 'parquet']), 'csv'),
  /** The first N iterations of each chain; 0 = all. */
  n_iteration: z._default(queryIntegerSchema(0, maxInteger), 0),
  cloudwatch_log: flag,
  batch_id: text,
  run_id: text,
  'view-analyzer': flag,
  stdlog: flag,
  /**
   * Not empty: `experiment.plot` with the answer of the plotting function (in the list of models, with the tag
   * `builtin`). The document gives the parameters and no answer; this is our reading.
   */
  plot_func: text,
  plot_chain: text,
  plot_var: text,
  /** Ours: predictive checks by the values of this data variable. */
  plot_group: text,
  /** Ours, capability `versions`: a past version of a model or data object; 0 = the newest. */
  version: z._default(queryIntegerSchema(0, maxInteger), 0),
});

/** The share view has its own shape (`require_password`), so it is tried in addition to the union by `object_type`. */
export const viewSchema = z.union([
  z.discriminatedUnion('object_type', [
    experimentSchema,
    modelSchema,
    dataSchema,
    workflowSchema,
    sampledataSchema,
    stdlogSchema,
    cloudwatchLogSchema,
    runInfoSchema,
    plotSchema,
    workflowAnalyzerSchema,
    eventSchema,
    callbackSchema,
    relationSchema,
    projectSchema,
  ]),
  shareViewSchema,
  shareSchema,
]);
export type View = z.infer<typeof viewSchema>;

export const createPayloadSchema = z.discriminatedUnion('object_type', [
  createModelSchema,
  createExperimentSchema,
  createShareSchema,
  createDataSchema,
  createWorkflowSchema,
  createEventSchema,
  createCallbackSchema,
  createRelationSchema,
  createProjectSchema,
]);
export const createBodySchema = z.object({
  payload: createPayloadSchema,
  /** Ours: one of the user's teams, `name(@id)`; absent: the user. */
  owner: z.optional(z.string()),
});
export type CreatePayload = z.input<typeof createPayloadSchema>;

export const updatePayloadSchema = z.discriminatedUnion('object_type', [
  updateModelSchema,
  updateExperimentSchema,
  updateDataSchema,
  updateWorkflowSchema,
  updateShareSchema,
  updateEventSchema,
  updateCallbackSchema,
  updateProjectSchema,
  projectEntryChangeSchema,
  textMessageSchema,
  protobufMessageSchema,
  nsampleStatSchema,
  analyzerResultSchema,
  workflowRunSchema,
  workflowRunAnalyzerSchema,
  modelRunScriptSchema,
]);
export const updateBodySchema = z.object({ payload: updatePayloadSchema });
export type UpdatePayload = z.input<typeof updatePayloadSchema>;

/** What public clients can read after an update; null for every other kind. */
export const plainUpdateAnswerSchema = z.nullable(
  z.discriminatedUnion('object_type', [
    experimentSchema,
    modelSchema,
    workflowRunAnswerSchema,
    modelRunAnswerSchema,
  ]),
);
const plainAnswers: ReadonlySet<string> = new Set([
  'experiment',
  'model',
  'workflow.run',
  'model.run_response',
]);

/** The answer to a program that did not accept `fullViewType`. */
export function plainUpdateAnswer<T extends { readonly object_type: string }>(
  answer: T | null,
): T | null {
  return answer !== null && plainAnswers.has(answer.object_type) ? answer : null;
}

/** The kind's own view; null if an update has nothing to show. */
export const updateAnswerSchema = z.nullable(
  z.union([listEntrySchema, workflowRunAnswerSchema, modelRunAnswerSchema]),
);

/** `objids` may repeat; with `deleted_key` everything removed under that key comes back. */
export const deleteQuerySchema = z.object({
  objids: z.optional(queryListSchema),
  deleted_key: text,
});
