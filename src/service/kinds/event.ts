/** Events: names that callbacks and functions are bound to; an update fires one. */
import type { FunctionRun } from '../../contract/relations.ts';
import type { CoreContext, WebContext } from '../context.ts';
import { listEventRuns } from '../functions/function-runs.ts';
import { invalidField, invalidParameter } from '../http/service-error.ts';
import { authorizeLive } from '../policy/authorize.ts';
import { inTransaction } from '../repositories/database.ts';
import { ensureBuiltinEvents, insertEventCalls } from '../repositories/event-calls.ts';
import type { ObjectRow } from '../repositories/objects.ts';
import { insertEvent } from '../repositories/relations.ts';
import { viewRequest } from './call-checks.ts';
import type { Caller, ChangePayload, CreatePayload, Kind, Target, ViewCall } from './kind.ts';

export const event: Kind<'event'> = {
  create,
  change: fire,
  list: async (_, objects) => objects,
  toWire,
  view,
  beforeList: ensureBuiltinEvents,
};

function toWire(row: ObjectRow, runs?: FunctionRun[]) {
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

async function create({ pool }: CoreContext, { user }: Caller, { name }: CreatePayload<'event'>) {
  if (/^(experiment|share)\./.test(name))
    throw invalidParameter(
      'payload.name: names that begin with "experiment." or "share." are events of the service itself.',
      { field: 'payload.name' },
    );
  return toWire(await insertEvent(pool, user.id, name));
}

/** Bytes of the parameters of an event. */
const maxParams = 2 ** 20;

/**
 * Jobs call everything bound to it, one at a time per function and key, with the rights of the event's owner.
 * Durable when it returns.
 */
async function fire(
  { pool, queue }: CoreContext,
  { object, viewer }: Target,
  { params, lock_key: key }: ChangePayload<'event'>,
) {
  if (params.length > maxParams)
    throw invalidField('payload.params', `is longer than ${maxParams} characters.`);
  await inTransaction(pool, async (tx) => {
    const parameters = asJson(params);
    for (const callId of await insertEventCalls(tx, { eventId: object.id, parameters, key }))
      await queue.send('function_call', { callId }, { tx, key: String(callId) });
  });
  return toWire(object, await listEventRuns(pool, object.id, viewer));
}

/** Text that is not JSON becomes a string, empty text an empty object. */
function asJson(params: string): string {
  if (params.trim() === '') return '{}';
  try {
    return JSON.stringify(JSON.parse(params));
  } catch {
    return JSON.stringify(params);
  }
}

async function view(context: WebContext, call: ViewCall) {
  const object = await authorizeLive(context, viewRequest(call));
  return toWire(object, await listEventRuns(context.pool, object.id, call.viewer));
}
