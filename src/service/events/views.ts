/** Events, callbacks and relations as the wire shows them, with what their calls came to. */
import type { FunctionRun } from '../../contract/relations.ts';
import type { CallRow } from '../repositories/function-calls.ts';
import type { ObjectRow } from '../repositories/objects.ts';
import type { CallbackRow, RelationRow } from '../repositories/relations.ts';

/** Characters of a log that a list of calls shows. */
const shownLog = 2000;

/** `viewerId`: what a call logged may hold what only its caller may see. */
export function runToWire(row: CallRow, viewerId: number): FunctionRun {
  return {
    id: row.id,
    target: row.function_id,
    state: row.state,
    created_at: row.created_at,
    started_at: row.started_at,
    finished_at: row.finished_at,
    milliseconds: row.milliseconds === null ? null : Math.round(row.milliseconds * 10) / 10,
    error: row.user_id === viewerId ? (row.error ?? '') : '',
    log: row.user_id === viewerId ? row.log.slice(-shownLog) : '',
  };
}

export function eventToWire(row: ObjectRow, runs?: FunctionRun[]) {
  const { name, short_id, created_at, tags } = row;
  return {
    object_type: 'event' as const,
    name,
    short_id,
    created_at,
    tags: [...tags],
    ...(runs === undefined ? {} : { runs }),
  };
}

export function callbackToWire(
  row: CallbackRow,
  { token = '', runs }: { token?: string; runs?: FunctionRun[] } = {},
) {
  const { short_id, lang, code, single_instance, created_at } = row;
  return {
    object_type: 'callback' as const,
    short_id,
    lang,
    code,
    single_instance,
    created_at,
    token,
    ...(runs === undefined ? {} : { runs }),
  };
}

export function relationToWire(row: RelationRow) {
  const { short_id, owner_id, object1_id, object2_id, created_at, params } = row;
  return {
    object_type: 'relation' as const,
    short_id,
    user_id: owner_id,
    object1_id,
    object2_id,
    created_at,
    params,
  };
}
