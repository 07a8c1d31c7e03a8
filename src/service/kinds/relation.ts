/** Relations: what an event calls. */
import { kindOfId } from '../../contract/common.ts';
import type { CoreContext, WebContext } from '../context.ts';
import { invalidField, invalidParameter, notFound } from '../http/service-error.ts';
import { authorizeLive } from '../policy/authorize.ts';
import { findBuiltin } from '../policy/builtin-functions.ts';
import { findModel } from '../repositories/models.ts';
import type { ObjectRow } from '../repositories/objects.ts';
import { insertRelation, listRelations, type RelationRow } from '../repositories/relations.ts';
import { viewRequest } from './call-checks.ts';
import type { Caller, CreatePayload, Kind, ViewCall } from './kind.ts';

export const relation: Kind<'relation', RelationRow> = {
  create,
  list: listRelations,
  toWire,
  view,
};

function toWire(row: RelationRow) {
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

async function create(
  context: CoreContext,
  { user, viewer }: Caller,
  payload: CreatePayload<'relation'>,
) {
  const { object1_id: from, object2_id: to } = payload;
  const refuse = (field: string, message: string) => invalidField(`payload.${field}`, `${message}`);
  if (kindOfId(from) !== 'event') throw refuse('object1_id', 'must be the id of an event.');
  const kind = kindOfId(to);
  if (kind !== 'callback' && kind !== 'model')
    throw refuse('object2_id', 'must be the id of a callback or a cloud function.');
  if (findBuiltin(to) !== null)
    throw refuse('object2_id', 'is a built-in function, which an event cannot call.');
  const event = await authorizeLive(context, { objid: from, operation: 'update', viewer });
  const operation = kind === 'model' ? 'invoke' : 'view';
  const target = await authorizeLive(context, { objid: to, operation, viewer });
  await checkTarget(context, event, target);
  const params = payload.params ?? {};
  return toWire(await insertRelation(context.pool, user.id, event, target, params));
}

async function checkTarget(
  { pool }: CoreContext,
  event: ObjectRow,
  target: ObjectRow,
): Promise<void> {
  // the target runs in the name of the event's owner
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

async function view(context: WebContext, call: ViewCall) {
  const object = await authorizeLive(context, viewRequest(call));
  const [row] = await listRelations(context.pool, [object]);
  if (row === undefined) throw notFound();
  return toWire(row);
}
