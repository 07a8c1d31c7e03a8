/** Teams: their members, and how they relate to a provider's groups. */
import type { Team } from '../../contract/team.ts';
import { accountName, type ProviderPerson } from '../auth/provider-person.ts';
import { displayName, findUserByDisplayName } from '../auth/user-names.ts';
import type { CoreContext } from '../context.ts';
import type { User } from '../http/call.ts';
import {
  conflict,
  invalidField,
  invalidParameter,
  notFound,
  permissionDenied,
} from '../http/service-error.ts';
import { requireAdministrator } from '../policy/authorize.ts';
import { type Executor, inTransaction } from '../repositories/database.ts';
import {
  findTeam,
  findTeamsOfGroups,
  insertTeam,
  listTeams,
  lockGroups,
  replaceGroupTeams,
  replaceMembers,
  type TeamRow,
} from '../repositories/teams.ts';
import { namesLike } from './account-names.ts';

/** Teams that one sign-in may add. */
const MAX_TEAMS = 100;

const toWire = (row: TeamRow): Team => ({
  id: row.id,
  name: displayName(row),
  group: row.group_name,
  members: row.members.map(displayName),
});

/** The caller's teams; an administrator sees all. */
export async function viewTeams({ pool }: CoreContext, user: User): Promise<{ teams: Team[] }> {
  return { teams: (await listTeams(pool, user.isSuper ? null : user.id)).map(toWire) };
}

export async function createTeam(
  context: CoreContext,
  user: User,
  { name, members }: { readonly name: string; readonly members: readonly string[] },
): Promise<Team> {
  requireAdministrator(user);
  if (name === '' || accountName(name) !== name)
    throw invalidField(
      'name',
      'may contain letters, digits, dots, dashes and underscores, at most 56 in all.',
    );
  const ids = await idsOf(context.pool, members);
  return inTransaction(context.pool, async (tx) => {
    const team = await insertTeam(tx, { name });
    if (team === null) throw conflict(`An account or team is already called ${name}.`);
    await replaceMembers(tx, team.id, ids);
    return toWire((await findTeam(tx, team.id)) as TeamRow);
  });
}

export async function changeTeam(
  { pool }: CoreContext,
  user: User,
  { id, members }: { readonly id: string; readonly members: readonly string[] },
): Promise<Team> {
  requireAdministrator(user);
  const team = /^\d{1,15}$/.test(id) ? await findTeam(pool, Number(id)) : null;
  if (team === null) throw notFound('There is no such team.');
  if (team.group_name !== null)
    throw permissionDenied(
      `${team.name} follows the group ${team.group_name} of the identity provider: change it there.`,
    );
  const ids = await idsOf(pool, members);
  await inTransaction(pool, (tx) => replaceMembers(tx, team.id, ids));
  return toWire((await findTeam(pool, team.id)) as TeamRow);
}

async function idsOf(db: Executor, names: readonly string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const name of names) {
    const person = await findUserByDisplayName(db, name);
    if (person === null)
      throw invalidParameter(
        `${name.slice(0, 80)} is not a user of this service (expected name(@id)).`,
        {
          field: 'members',
        },
      );
    ids.push(person.id);
  }
  return ids;
}

/** Adds the person to their groups' teams, creating missing ones, and removes them from the provider's others. */
export async function followGroups(
  tx: Executor,
  userId: number,
  { issuer, teams }: Pick<ProviderPerson, 'issuer' | 'teams'>,
): Promise<void> {
  const groups = teams.slice(0, MAX_TEAMS);
  if (groups.length > 0) await lockGroups(tx, issuer);
  const known = await findTeamsOfGroups(tx, { issuer, groups });
  const teamIds = known.map(({ id }) => id);
  for (const group of groups)
    if (!known.some((one) => one.group_name === group))
      teamIds.push(await makeTeamOf(tx, issuer, group));
  await replaceGroupTeams(tx, { issuer, userId, teamIds });
}

async function makeTeamOf(tx: Executor, issuer: string, group: string): Promise<number> {
  for (const name of namesLike(accountName(group) || 'team')) {
    const team = await insertTeam(tx, { name, group: { issuer, name: group } });
    if (team !== null) return team.id;
  }
  throw conflict(`Every team name like ${group} is taken.`);
}
