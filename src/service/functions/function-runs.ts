/** Calls of functions, callbacks and events in the API's form, with their outcomes. */
import type { FunctionRun } from '../../contract/relations.ts';
import type { Viewer } from '../http/call.ts';
import type { Executor } from '../repositories/database.ts';
import { type CallRow, listCalls, listEventCalls } from '../repositories/function-calls.ts';

/** Number of calls in a view. */
const shownRuns = 20;
/** Characters of each log in a list of calls. */
const shownLog = 2000;

/** The latest calls of a function or callback. */
export async function listFunctionRuns(
  db: Executor,
  functionId: string,
  { user }: Viewer,
): Promise<FunctionRun[]> {
  const calls = await listCalls(db, functionId, shownRuns);
  return calls.map((call) => runToWire(call, user?.id ?? 0));
}

/** The latest calls that an event triggered. */
export async function listEventRuns(
  db: Executor,
  eventId: number,
  { user }: Viewer,
): Promise<FunctionRun[]> {
  const calls = await listEventCalls(db, eventId, shownRuns);
  return calls.map((call) => runToWire(call, user?.id ?? 0));
}

/** `viewerId`: the log of a call may contain what only its caller may see. */
function runToWire(row: CallRow, viewerId: number): FunctionRun {
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
