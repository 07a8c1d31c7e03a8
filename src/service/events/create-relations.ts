/** Making events, callbacks and the relations that bind them. */
import type * as z from 'zod/mini';
import { kindOfId } from '../../contract/common.ts';
import type { ListEntry } from '../../contract/objects.ts';
import type {
  createCallbackSchema,
  createEventSchema,
  createRelationSchema,
} from '../../contract/relations.ts';
import { limits } from '../../contract/system.ts';
import type { CoreContext } from '../context.ts';
import { parseCallbackCode } from '../functions/callback-program.ts';
import { invalidParameter, ServiceError } from '../http/service-error.ts';
import { authorizeLive } from '../policy/authorize.ts';
import { findBuiltin } from '../policy/builtin-functions.ts';
import { inTransaction } from '../repositories/database.ts';
import { findModel } from '../repositories/models.ts';
import type { ObjectRow } from '../repositories/objects.ts';
import { insertCallback, insertEvent, insertRelation } from '../repositories/relations.ts';
import { insertToken } from '../repositories/tokens.ts';
import type { Caller } from '../use-cases/create-objects.ts';
import { callbackToWire, eventToWire, relationToWire } from './views.ts';

type CreateEvent = z.output<typeof createEventSchema>;
type CreateCallback = z.output<typeof createCallbackSchema>;
type CreateRelation = z.output<typeof createRelationSchema>;

export async function createEvent(
  { pool }: CoreContext,
  { user }: Caller,
  { name }: CreateEvent,
): Promise<ListEntry> {
  if (/^(experiment|share)\./.test(name))
    throw invalidParameter(
      'payload.name: names that begin with "experiment." or "share." are events of the service itself.',
      { field: 'payload.name' },
    );
  return eventToWire(await insertEvent(pool, user.id, name));
}

/** Days in which a callback's own token works. */
const TOKEN_DAYS = 365;
const dayMs = 86_400_000;

/** The answer is the only place where the callback's token is in words. */
export async function createCallback(
  { pool, now }: CoreContext,
  { user }: Caller,
  payload: CreateCallback,
): Promise<ListEntry> {
  const { lang, code, single_instance: singleInstance } = payload;
  const size = Buffer.byteLength(code);
  if (code.trim() === '')
    throw invalidParameter('payload.code is empty.', { field: 'payload.code' });
  if (size > limits.callback_bytes) {
    const allowed = limits.callback_bytes;
    const details = { field: 'payload.code', limit: 'callback_bytes', allowed, size };
    const words = `payload.code has ${size} bytes, more than callback_bytes allows (${allowed}).`;
    throw new ServiceError('TOO_LARGE', words, { details });
  }
  parseCallbackCode(code);
  return inTransaction(pool, async (tx) => {
    const row = await insertCallback(tx, {
      ownerId: user.id,
      lang,
      code,
      singleInstance,
      token: '',
    });
    const { text } = await insertToken(tx, {
      userId: user.id,
      kind: 'run',
      name: `callback ${row.short_id}`,
      scope: row.short_id,
      expiresAt: new Date(now() + TOKEN_DAYS * dayMs).toISOString(),
    });
    return callbackToWire(row, { token: text });
  });
}

export async function createRelation(
  context: CoreContext,
  { user, viewer }: Caller,
  payload: CreateRelation,
): Promise<ListEntry> {
  const { object1_id: from, object2_id: to } = payload;
  const refuse = (field: string, words: string) =>
    invalidParameter(`payload.${field} ${words}`, { field: `payload.${field}` });
  if (kindOfId(from) !== 'event') throw refuse('object1_id', 'must be the id of an event.');
  const kind = kindOfId(to);
  if (kind !== 'callback' && kind !== 'model')
    throw refuse('object2_id', 'must be the id of a callback or a cloud function.');
  if (findBuiltin(to) !== null)
    throw refuse('object2_id', 'names a built-in function, which no event can call.');
  const event = await authorizeLive(context, { objid: from, operation: 'update', viewer });
  const operation = kind === 'model' ? 'invoke' : 'view';
  const target = await authorizeLive(context, { objid: to, operation, viewer });
  await checkTarget(context, event, target);
  const params = payload.params ?? {};
  const row = await insertRelation(context.pool, user.id, event, target, params);
  return relationToWire(row);
}

async function checkTarget(
  { pool }: CoreContext,
  event: ObjectRow,
  target: ObjectRow,
): Promise<void> {
  // the event's owner is in whose name the target runs
  if (event.owner_id !== target.owner_id)
    throw invalidParameter('An event and what it calls must have the same owner.', {
      field: 'payload.object2_id',
    });
  if (target.kind !== 'model') return;
  const model = await findModel(pool, target.short_id);
  if (model?.tags.includes('code') !== true)
    throw invalidParameter(
      `payload.object2_id: ${target.short_id} is a model, not a cloud function (it lacks the tag code).`,
      { field: 'payload.object2_id' },
    );
}
