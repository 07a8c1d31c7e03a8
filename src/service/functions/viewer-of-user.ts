/** The rights with which a job reads: those of a user who is not present. */
import type { User, Viewer } from '../http/call.ts';
import type { Executor } from '../repositories/database.ts';
import { listTeams } from '../repositories/teams.ts';
import { findUser } from '../repositories/users.ts';

/** Null when the user no longer exists. */
export async function viewerOfUser(db: Executor, userId: number): Promise<Viewer | null> {
  const row = await findUser(db, userId);
  if (row === null) return null;
  const { id, name, super: isSuper, roles } = row;
  const teams = (await listTeams(db, id)).map((team) => team.id);
  const user: User = { id, name, isSuper, roles, teams, tokenId: 0, scope: null };
  return { user, sharePassword: null, address: '' };
}
