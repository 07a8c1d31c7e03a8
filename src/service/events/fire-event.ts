/** Fires an event: everything bound to it is called, once at a time per function and key, by jobs. */
import type * as z from 'zod/mini';
import type { ListEntry } from '../../contract/objects.ts';
import type { FunctionRun, updateEventSchema } from '../../contract/relations.ts';
import type { CoreContext } from '../context.ts';
import type { Viewer } from '../http/call.ts';
import { invalidParameter, notFound } from '../http/service-error.ts';
import { inTransaction } from '../repositories/database.ts';
import { insertEventCalls } from '../repositories/event-calls.ts';
import { listCalls, listEventCalls } from '../repositories/function-calls.ts';
import type { ObjectRow } from '../repositories/objects.ts';
import { listCallbacks } from '../repositories/relations.ts';
import { callbackToWire, eventToWire, runToWire } from './views.ts';

/** Bytes of the parameters of an event. */
const maxParams = 2 ** 20;

/** Durable when it returns. The calls run with the rights of the event's owner. */
export async function fireEvent(
  context: CoreContext,
  { object, viewer }: { object: ObjectRow; viewer: Viewer },
  { params, lock_key: key }: z.output<typeof updateEventSchema>,
): Promise<ListEntry> {
  if (params.length > maxParams)
    throw invalidParameter(`payload.params is longer than ${maxParams} characters.`, {
      field: 'payload.params',
    });
  const { pool, queue } = context;
  await inTransaction(pool, async (tx) => {
    const parameters = asJson(params);
    for (const callId of await insertEventCalls(tx, { eventId: object.id, parameters, key }))
      await queue.send('function_call', { callId }, { tx, key: String(callId) });
  });
  return viewEvent(context, object, viewer);
}

/** Text that is no JSON is the text itself; none is an empty object. */
function asJson(params: string): string {
  if (params.trim() === '') return '{}';
  try {
    return JSON.stringify(JSON.parse(params));
  } catch {
    return JSON.stringify(params);
  }
}

/** Calls that a view shows. */
const shownRuns = 20;

export async function viewEvent({ pool }: CoreContext, object: ObjectRow, viewer: Viewer) {
  const rows = await listEventCalls(pool, object.id, shownRuns);
  const viewerId = viewer.user?.id ?? 0;
  return eventToWire(
    object,
    rows.map((row) => runToWire(row, viewerId)),
  );
}

export async function viewCallback(context: CoreContext, object: ObjectRow, viewer: Viewer) {
  const [row] = await listCallbacks(context.pool, [object]);
  if (row === undefined) throw notFound();
  return callbackToWire(row, { runs: await listRuns(context, object.short_id, viewer) });
}

/** The newest calls of a function or callback. */
export async function listRuns(
  { pool }: CoreContext,
  functionId: string,
  viewer: Viewer,
): Promise<FunctionRun[]> {
  const calls = await listCalls(pool, functionId, shownRuns);
  return calls.map((call) => runToWire(call, viewer.user?.id ?? 0));
}
