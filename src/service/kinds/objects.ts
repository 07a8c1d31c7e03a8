/** The object endpoints for all kinds: find the kind's row in the table, check the call, pass it on. */

import { kindOfId, type ObjectKind } from '../../contract/common.ts';
import type { View } from '../../contract/objects.ts';
import { invariant } from '../../shared/invariant.ts';
import { ownValue } from '../../shared/items.ts';
import type { CoreContext, WebContext } from '../context.ts';
import type { Viewer } from '../http/call.ts';
import { checkName } from '../http/names.ts';
import { invalidField, notSupported, orNotFound } from '../http/service-error.ts';
import { authorizeLive, undoDeletion } from '../policy/authorize.ts';
import { type ObjectRow, removeObjects } from '../repositories/objects.ts';
import type {
  AnyCreate,
  AnyUpdate,
  Caller,
  ChangePayload,
  Command,
  InvokeAnswer,
  InvokeCall,
  RunCommand,
  Target,
  UpdateAnswer,
  ViewCall,
} from './kind.ts';
import { kindNamed } from './kinds.ts';

export function createObject(context: CoreContext, caller: Caller, payload: AnyCreate) {
  if ('name' in payload) checkName('payload.name', payload.name);
  return kindNamed(payload.object_type).create(context, caller, payload);
}

export interface ChangeCall extends Partial<Pick<Target, 'prepared' | 'onAnswered'>> {
  readonly objid: string;
  readonly payload: AnyUpdate;
  readonly viewer: Viewer;
}

/** Bodies without `object_type` get the kind of the id. */
export function addObjectType(body: unknown, { objid = '' }: Record<string, string>): unknown {
  const payload = (body as { payload?: unknown } | null)?.payload;
  if (typeof payload !== 'object' || payload === null || 'object_type' in payload) return body;
  return { payload: { ...payload, object_type: kindOfId(objid) } };
}

export async function changeObject(
  context: CoreContext,
  { objid, payload, viewer, prepared = {}, onAnswered }: ChangeCall,
): Promise<UpdateAnswer> {
  const name = orNotFound(kindOfId(objid));
  const type = payload.object_type;
  if (type.split('.')[0] !== name)
    throw invalidField('payload.object_type', `is ${type}, but the id is of kind ${name}.`);
  const kind = kindNamed(name);
  const command = (kind.commands as Partial<Record<string, RunCommand>> | undefined)?.[type];
  if (command !== undefined) return command(context, { objid, viewer }, payload as Command);
  const object = await authorizeLive(context, { objid, operation: 'update', viewer });
  if ('name' in payload) checkName('payload.name', payload.name);
  invariant(kind.change !== undefined, 'a kind that the contract lets be changed can be');
  const target = { object, viewer, prepared, onAnswered };
  return kind.change(context, target, payload as ChangePayload<ObjectKind>);
}

export async function viewObject(context: WebContext, call: ViewCall): Promise<View> {
  const { objid, query } = call;
  const name = orNotFound(kindOfId(objid));
  if (query.object_type !== '' && query.object_type !== name)
    throw invalidField(
      'object_type',
      `is ${query.object_type.slice(0, 40)}, but the id is of kind ${name}.`,
    );
  return kindNamed(name).view(context, call);
}

/** Newest first. */
export async function listVersions(
  context: CoreContext,
  objid: string,
  viewer: Viewer,
): Promise<{ versions: { version: number; created_at: string }[] }> {
  const name = orNotFound(kindOfId(objid));
  const kind = kindNamed(name);
  if (kind.versions === undefined) throw notSupported('Only models and data have versions.');
  const object = await authorizeLive(context, { objid, operation: 'versions', viewer });
  return { versions: await kind.versions(context.pool, object.id) };
}

export interface InvokeRequest extends Omit<InvokeCall, 'objid'> {
  readonly target: string;
  readonly action: string;
}

/** Runs a workflow, its analysis, or a function. */
export async function invoke(
  context: CoreContext,
  { target, action, ...call }: InvokeRequest,
): Promise<InvokeAnswer> {
  const name = orNotFound(kindOfId(target), 'There is no such target.');
  const { actions } = kindNamed(name);
  if (actions === undefined)
    throw invalidField('target', 'must be a workflow or a cloud function.');
  const act = ownValue(actions, action);
  if (act === undefined)
    throw invalidField('action', `must be ${Object.keys(actions).join(' or ')} for a ${name}.`);
  return act(context, { objid: target, ...call });
}

const maxIds = 1000;

export interface Deletion {
  /** Ids; each may be a comma-separated list. */
  readonly ids: readonly string[];
  /** Not empty: restores what was deleted under this key. */
  readonly deletedKey: string;
}

/** Soft deletion of all or none. Returns the key that restores them; null after restoring. */
export async function deleteOrUndo(
  context: CoreContext,
  caller: Caller,
  { ids, deletedKey }: Deletion,
): Promise<string | null> {
  if (deletedKey !== '') return undoDeletion(context, caller.user, deletedKey);
  const wanted = [...new Set(ids.flatMap((id) => id.split(',')).map((id) => id.trim()))].filter(
    Boolean,
  );
  if (wanted.length === 0) throw invalidField('objids', 'is missing.');
  if (wanted.length > maxIds) throw invalidField('objids', `has more than ${maxIds} ids.`);
  const objects: ObjectRow[] = [];
  for (const objid of wanted)
    objects.push(
      await authorizeLive(context, { objid, operation: 'delete', viewer: caller.viewer }),
    );
  for (const object of objects) await kindNamed(object.kind).beforeDelete?.(context, object);
  const removed = objects.map((object) => object.id);
  return removeObjects(context.pool, caller.user.id, removed);
}
