/** Teams and their members. A team is an account without sign-in; its members act as owners of its objects. */
import { publishAccess } from './access.ts';
import { array, type Executor, execute, select, selectOne, sql } from './database.ts';
import type { Columns } from './tables.ts';
import { insertUser } from './users.ts';

export interface TeamRow {
  readonly id: number;
  readonly name: string;
  /** Of the provider; null: an administrator manages its members. */
  readonly group_name: string | null;
  /** By name. */
  readonly members: readonly { readonly id: number; readonly name: string }[];
}

const teamColumns = sql`t.id, u.name, t.group_name, coalesce((
  select jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name) order by p.name)
  from team_members m join users p on p.id = m.user_id where m.team_id = t.id), '[]') as members`;

/** `memberId`: only this person's teams; null: all. */
export async function listTeams(db: Executor, memberId: number | null): Promise<TeamRow[]> {
  return select<TeamRow>(
    db,
    sql`select ${teamColumns} from teams t join users u on u.id = t.id
        ${memberId === null ? sql`` : sql`where t.id in (select team_id from team_members where user_id = ${memberId})`}
        order by u.name`,
  );
}

export async function findTeam(db: Executor, id: number): Promise<TeamRow | null> {
  return selectOne<TeamRow>(
    db,
    sql`select ${teamColumns} from teams t join users u on u.id = t.id where t.id = ${id}`,
  );
}

export interface NewTeam {
  readonly name: string;
  /** The group that determines its members; absent: none. */
  readonly group?: { readonly issuer: string; readonly name: string };
}

/** Null when an account or a team has the name. */
export async function insertTeam(
  tx: Executor,
  { name, group }: NewTeam,
): Promise<{ readonly id: number } | null> {
  const user = await insertUser(tx, { name, passwordHash: null, isTeam: true });
  if (user === null) return null;
  await execute(
    tx,
    sql`insert into teams (id, issuer, group_name) values (${user.id}, ${group?.issuer ?? null}, ${group?.name ?? null})`,
  );
  return { id: user.id };
}

/** If two simultaneous sign-ins bring a new group, the second finds the first one's team. */
export async function lockGroups(tx: Executor, issuer: string): Promise<void> {
  await execute(tx, sql`select pg_advisory_xact_lock(hashtextextended(${issuer}, 4715018))`);
}

export async function findTeamsOfGroups(
  db: Executor,
  { issuer, groups }: { readonly issuer: string; readonly groups: readonly string[] },
): Promise<Columns<'teams', 'id' | 'group_name'>[]> {
  return select<Columns<'teams', 'id' | 'group_name'>>(
    db,
    sql`select id, group_name from teams where issuer = ${issuer} and group_name = any(${array(groups, 'text')})`,
  );
}

/** Puts a person into these of the provider's teams and removes them from its others. */
export async function replaceGroupTeams(
  tx: Executor,
  { issuer, userId, teamIds }: { issuer: string; userId: number; teamIds: readonly number[] },
): Promise<void> {
  const ids = array(teamIds, 'bigint');
  const left = await execute(
    tx,
    sql`delete from team_members m using teams t where t.id = m.team_id and t.issuer = ${issuer}
          and m.user_id = ${userId} and not m.team_id = any(${ids})`,
  );
  const joined = await execute(
    tx,
    sql`insert into team_members (team_id, user_id) select id, ${userId}::bigint from unnest(${ids}) as one(id)
        on conflict do nothing`,
  );
  if (left + joined > 0) await publishAccess(tx, userId);
}

/** Of two simultaneous changes, the second waits for the first and replaces its result. */
export async function replaceMembers(
  tx: Executor,
  teamId: number,
  userIds: readonly number[],
): Promise<void> {
  await execute(tx, sql`select 1 from teams where id = ${teamId} for update`);
  const ids = array(userIds, 'bigint');
  const gone = await select<Columns<'team_members', 'user_id'>>(
    tx,
    sql`delete from team_members where team_id = ${teamId} and not user_id = any(${ids}) returning user_id`,
  );
  await execute(
    tx,
    sql`insert into team_members (team_id, user_id) select ${teamId}::bigint, id from unnest(${ids}) as one(id)
        on conflict do nothing`,
  );
  for (const { user_id: userId } of gone) await publishAccess(tx, userId);
}

/** The people to notify about an owner's objects: the person, or the members of the team. */
export async function listPeopleOf(db: Executor, ownerId: number): Promise<number[]> {
  const rows = await select<{ readonly id: number }>(
    db,
    sql`select id from users where id = ${ownerId} and not is_team
        union all select user_id from team_members where team_id = ${ownerId}`,
  );
  return rows.map(({ id }) => id);
}

/** Whether an object of `ownerId` may use one of `partOwnerId`: their own, or their team's while they are a member. */
export async function mayUse(db: Executor, ownerId: number, partOwnerId: number): Promise<boolean> {
  if (ownerId === partOwnerId) return true;
  const row = await selectOne(
    db,
    sql`select 1 as found from users u where u.id = ${ownerId} and (u.super or exists (
          select 1 from team_members m where m.team_id = ${partOwnerId} and m.user_id = u.id))`,
  );
  return row !== null;
}
