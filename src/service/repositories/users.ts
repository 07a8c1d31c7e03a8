/** People who may sign in. */
import { type Executor, errorState, execute, select, selectOne, sql } from './database.ts';
import type { Columns } from './tables.ts';

export type UserRow = Columns<
  'users',
  'id' | 'name' | 'password_hash' | 'super' | 'roles' | 'created_at'
>;

const columns = sql`id, name, password_hash, super, roles, created_at`;

export async function findUser(db: Executor, id: number): Promise<UserRow | null> {
  return selectOne<UserRow>(db, sql`select ${columns} from users where id = ${id}`);
}

export async function findUserByName(db: Executor, name: string): Promise<UserRow | null> {
  return selectOne<UserRow>(
    db,
    sql`select ${columns} from users where name = ${name} and not is_team`,
  );
}

export async function listUsers(db: Executor): Promise<UserRow[]> {
  return select<UserRow>(db, sql`select ${columns} from users where not is_team order by id`);
}

export interface NewUser {
  readonly name: string;
  readonly passwordHash: string | null;
  readonly isSuper?: boolean;
  /** An account without sign-in. */
  readonly isTeam?: boolean;
}

/** Null when the name is taken. */
export async function insertUser(
  db: Executor,
  { name, passwordHash, isSuper = false, isTeam = false }: NewUser,
): Promise<UserRow | null> {
  return selectOne<UserRow>(
    db,
    sql`insert into users (name, password_hash, super, is_team)
        values (${name}, ${passwordHash}, ${isSuper}, ${isTeam})
        on conflict (name) do nothing returning ${columns}`,
  );
}

/** The first user, `owner`, made at the first start: without a password until one is set. */
export async function ensureOwner(db: Executor): Promise<UserRow> {
  await execute(
    db,
    sql`insert into users (name, password_hash, super) select 'owner', null, true where not exists (select 1 from users)
        on conflict (name) do nothing`,
  );
  return (await selectOne<UserRow>(
    db,
    sql`select ${columns} from users order by id limit 1`,
  )) as UserRow;
}

export async function updatePassword(
  db: Executor,
  id: number,
  passwordHash: string,
): Promise<void> {
  await execute(db, sql`update users set password_hash = ${passwordHash} where id = ${id}`);
}

/** Provider data of a user: name, and whether they see everything. False if the name is taken; in a transaction. */
export async function renameUser(tx: Executor, id: number, name: string): Promise<boolean> {
  await execute(tx, sql`savepoint renaming`);
  try {
    const changed = await execute(
      tx,
      sql`update users set name = ${name} where id = ${id} and not exists (select 1 from users where name = ${name})`,
    );
    return changed > 0;
  } catch (error) {
    // taken by a transaction that was not yet visible
    if (errorState(error) !== '23505') throw error;
    await execute(tx, sql`rollback to savepoint renaming`);
    return false;
  }
}

export async function updateSuper(db: Executor, id: number, isSuper: boolean): Promise<void> {
  await execute(db, sql`update users set super = ${isSuper} where id = ${id}`);
}
