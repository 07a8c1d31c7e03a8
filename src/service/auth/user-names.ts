/** User names as the API has them: `name(@id)`, so that two people are never mistaken for each other. */
import type { Executor } from '../repositories/database.ts';
import { listTeams } from '../repositories/teams.ts';
import { findUserByName, type UserRow } from '../repositories/users.ts';

export function displayName(user: { readonly name: string; readonly id: number }): string {
  return `${user.name}(@${user.id})`;
}

/** The user of `name(@id)`; null when name and id do not belong together. */
export async function findUserByDisplayName(db: Executor, text: string): Promise<UserRow | null> {
  const match = /^(.+)\(@(\d{1,15})\)$/s.exec(text);
  if (match === null) return null;
  const [, name = '', id] = match;
  const user = await findUserByName(db, name);
  return user !== null && user.id === Number(id) ? user : null;
}

/** What people type when they sign in: the name alone, or with its id. */
export async function findUserToSignIn(db: Executor, text: string): Promise<UserRow | null> {
  if (text.includes('\0')) return null;
  return (await findUserByName(db, text)) ?? (await findUserByDisplayName(db, text));
}

/** A person or a team, by the name alone or with the id. */
export async function findPersonOrTeam(
  db: Executor,
  text: string,
): Promise<{ readonly id: number } | null> {
  const person = await findUserToSignIn(db, text);
  if (person !== null) return person;
  const teams = await listTeams(db, null);
  return teams.find((team) => team.name === text || displayName(team) === text) ?? null;
}

/** The owner of an object, as the API names them. */
export function ownerName(object: { readonly owner: string; readonly owner_id: number }): string {
  return displayName({ name: object.owner, id: object.owner_id });
}
