/** Moves an object to another owner: from a person to a team, or back. */
import type { ObjectKind } from '../../contract/common.ts';
import { displayName } from '../auth/user-names.ts';
import type { CoreContext } from '../context.ts';
import type { User } from '../http/call.ts';
import { conflict, invalidField, notSupported, permissionDenied } from '../http/service-error.ts';
import { authorizeLive } from '../policy/authorize.ts';
import { inTransaction } from '../repositories/database.ts';
import { changeOwner, haveRelations, lockWithMembers } from '../repositories/owners.ts';
import { findTeam } from '../repositories/teams.ts';
import type { Caller } from './kind.ts';

/** Callbacks' tokens belong to people, and events are bound to objects of the same owner. */
const movable: readonly ObjectKind[] = ['model', 'data', 'workflow', 'experiment', 'project'];
const unfinished: readonly (string | null)[] = ['NEW', 'RUN', 'SAMPLE_FIN'];

/** A user who may delete it may move it, but only to themselves or to a team they are in. */
export async function moveObject(
  context: CoreContext,
  { user, viewer }: Caller,
  { objid, owner }: { readonly objid: string; readonly owner: string },
): Promise<null> {
  const object = await authorizeLive(context, { objid, operation: 'delete', viewer });
  if (!movable.includes(object.kind))
    throw notSupported(`Objects of kind ${object.kind} cannot be moved.`);
  const ownerId = await ownerNamed(context, user, owner);
  await inTransaction(context.pool, async (tx) => {
    const moved = await lockWithMembers(tx, object);
    if (!moved.some(({ id }) => id === object.id))
      throw conflict('Somebody else has just moved it.');
    if (moved.some(({ status }) => unfinished.includes(status)))
      throw conflict('A run can be moved only when it has ended; stop it first.');
    const ids = moved.map(({ id }) => id);
    if (await haveRelations(tx, ids))
      throw conflict('An event or callback is bound to it; delete the relation first.');
    await changeOwner(tx, { ids, ownerId });
  });
  return null;
}

/** A person or a team that `user` may act as. For all others the answer is the same, whether they exist or not. */
export async function ownerNamed({ pool }: CoreContext, user: User, name: string): Promise<number> {
  if (name === displayName(user)) return user.id;
  const id = Number(/\(@(\d{1,15})\)$/.exec(name)?.[1] ?? 0);
  const team = await findTeam(pool, id);
  if (team === null || displayName(team) !== name) {
    if (user.isSuper) throw invalidField('owner', 'is not a team.');
  } else if (user.isSuper || user.teams.includes(team.id)) return team.id;
  throw permissionDenied('The owner must be you, or a team that you are in.');
}

/** The caller as a team: new objects are the team's, and use only its objects. */
export async function asOwner(
  context: CoreContext,
  caller: Caller,
  { kind, owner }: { readonly kind: ObjectKind; readonly owner: string },
): Promise<Caller> {
  const id = await ownerNamed(context, caller.user, owner);
  if (id === caller.user.id) return caller;
  if (!movable.includes(kind))
    throw notSupported(`Objects of kind ${kind} must belong to a person.`);
  const user: User = {
    ...caller.user,
    id,
    name: owner.replace(/\(@\d+\)$/, ''),
    isSuper: false,
    teams: [],
  };
  return { ...caller, user, viewer: { ...caller.viewer, user } };
}
