/** Changes an experiment: its fields, its owner's actions, and an outside runner's messages. */
import { type Experiment, labelsSchema, matchActions } from '../../../contract/experiment.ts';
import { assertNever } from '../../../shared/assert-never.ts';
import { mostLabelText } from '../../content/data-labels.ts';
import type { CoreContext } from '../../context.ts';
import { readDateTime } from '../../http/date-times.ts';
import {
  conflict,
  invalidField,
  invalidParameter,
  limitExceeded,
  orNotFound,
} from '../../http/service-error.ts';
import { takeRunnerMessage } from '../../outside-runners/take-messages.ts';
import { readStatus, updateOutside } from '../../outside-runners/update-outside.ts';
import { serviceKeys } from '../../repositories/experiment-meta.ts';
import {
  type ExperimentRow,
  findExperiment,
  OtherNote,
  updateExperiment,
} from '../../repositories/experiments.ts';
import { loseExportFiles } from '../../repositories/export-files.ts';
import { experimentToWire } from '../../results/experiment-view.ts';
import { leaveOutChains, readChainNames } from '../../runs/leave-out-chains.ts';
import { controlMatching } from '../../runs/match-moments.ts';
import type { ChangePayload, Target, UpdateAnswer } from '../kind.ts';
import { isRunAction, steerRun } from './steer-run.ts';

export async function change(
  context: CoreContext,
  { object, viewer, prepared, onAnswered }: Target,
  payload: ChangePayload<'experiment'>,
): Promise<UpdateAnswer> {
  switch (payload.object_type) {
    case 'experiment':
      return changeFields(context, { object, viewer }, payload);
    case 'experiment.text_message':
    case 'experiment.protobuf_message':
    case 'experiment.nsample_stat':
      await takeRunnerMessage(context, { object, blocks: prepared.draws, onAnswered }, payload);
      return null;
    default:
      return assertNever(payload);
  }
}

type FieldsPayload = Extract<ChangePayload<'experiment'>, { object_type: 'experiment' }>;

async function changeFields(
  context: CoreContext,
  { object, viewer }: Pick<Target, 'object' | 'viewer'>,
  payload: FieldsPayload,
): Promise<Experiment> {
  const read = async () => {
    const row = orNotFound(await findExperiment(context.pool, object.short_id));
    return row;
  };
  const before = await read();
  const action = payload.action && isRunAction(payload.action) ? payload.action : null;
  const matching = matchActions.find((name) => name === payload.action) ?? null;
  // what cannot be stored is refused before the run is stopped
  const { leftOut, ...changes } = readChange(
    before,
    action || matching ? { ...payload, action: null } : payload,
  );
  if (leftOut !== null) await leaveOutChains(context, before, leftOut);
  if (matching) await controlMatching(context, before, matching);
  const { extend_by: extendBy, retry_chains: again } = payload.meta ?? {};
  const userId = viewer.user?.id;
  if (action) await steerRun(context, before, { action, extendBy, again: again ?? [], userId });
  const { status, ...stored } = changes;
  if (isOurs(before)) await refuseOtherNote(updateExperiment(context.pool, before.id, stored));
  else await refuseOtherNote(updateOutside(context, before, { ...stored, status }));
  if (stored.meta.labels !== undefined) await loseExportFiles(context.pool, before.id);
  return experimentToWire(await read());
}

/** Throws CONFLICT with the current note if the edit was made from another. */
async function refuseOtherNote(update: Promise<void>): Promise<void> {
  await update.catch((error: unknown) => {
    if (!(error instanceof OtherNote)) throw error;
    throw conflict('The note has changed since.', { note: error.note });
  });
}

const isOurs = (row: ExperimentRow) => row.settings !== null;

/**
 * Counts of 0 are the documented default and mean "unchanged". A run of this service knows its own state and counts: throws
 * CONFLICT, and INVALID_PARAMETER.
 */
function readChange(row: ExperimentRow, payload: FieldsPayload) {
  const {
    extend_by: _,
    retry_chains: __,
    chains_left_out: leftOut,
    ...given
  } = checkMeta(payload.meta);
  const sent = isOurs(row) ? withoutServiceKeys(given) : given;
  const meta = payload.action ? { ...sent, action: payload.action.slice(0, 255) } : sent;
  checkLabels(meta.labels);
  const status = readStatus(payload.status);
  const counts = {
    numChains: payload.n_chains || null,
    numVariables: payload.n_variables || null,
    numSamples: payload.n_samples || null,
    sampleUpdateTime: payload.sample_update_time
      ? readDateTime('payload.sample_update_time', payload.sample_update_time)
      : null,
  };
  checkCounts(counts);
  if (isOurs(row) && (status !== null || Object.values(counts).some((value) => value !== null)))
    throw conflict(
      'This service runs the experiment, so its status and counts cannot be set from outside.',
      { state: { status: row.status, action: row.meta.action ?? '' } },
    );
  const { name, base_note: baseNote } = payload;
  return { name, baseNote, meta, status, ...counts, leftOut: readChainNames(leftOut) };
}

/** Ignored instead of refused: clients read `meta`, change their own keys, and write all of it back. */
const withoutServiceKeys = (meta: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(meta).filter(([key]) => !serviceKeys.has(key)));

function checkCounts(counts: {
  numChains: number | null;
  numVariables: number | null;
  numSamples: number | null;
}): void {
  const { numChains, numVariables, numSamples } = counts;
  for (const [field, value] of Object.entries({
    n_chains: numChains,
    n_variables: numVariables,
    n_samples: numSamples,
  })) {
    if (value !== null && !(Number.isInteger(value) && value > 0 && value < 2 ** 31))
      throw invalidField(`payload.${field}`, 'must be a whole number.');
  }
}

/** Throws INVALID_PARAMETER for labels that are not lists of strings by name. */
function checkLabels(labels: unknown): void {
  if (labels === undefined || labels === null) return;
  const field = 'payload.meta.labels';
  if (!labelsSchema.safeParse(labels).success)
    throw invalidParameter(
      'payload.meta.labels must be {"coords": {…}, "dims": {…}}, each with lists of texts by name; null removes a list.',
      { field },
    );
  if (JSON.stringify(labels).length > 2 * mostLabelText)
    throw limitExceeded(`payload.meta.labels has more than ${2 * mostLabelText} characters.`, {
      limit: 'labels',
      allowed: 2 * mostLabelText,
    });
}

const maxMetaLength = 256 * 1024;

/** The `meta` that a caller sent: an object of limited size; absent and null are empty. */
export function checkMeta(meta: unknown): Record<string, unknown> {
  if (meta === undefined || meta === null) return {};
  const field = 'payload.meta';
  if (typeof meta !== 'object' || Array.isArray(meta))
    throw invalidParameter('payload.meta must be an object.', { field });
  if (JSON.stringify(meta).length > maxMetaLength)
    throw limitExceeded(`payload.meta has more than ${maxMetaLength} characters.`, {
      limit: 'meta',
      allowed: maxMetaLength,
    });
  return meta as Record<string, unknown>;
}
