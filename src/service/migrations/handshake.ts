/**
 * Whether this program may work on a database: the schema must be the same, and the engine must produce the same draws;
 * otherwise a chain that moves between machines would continue differently.
 */
import type pg from 'pg';
import { engineVersion } from '../../engine/checkpoint.ts';
import { findVersions, raiseEngine, type StoredVersions } from '../repositories/versions.ts';
import { StartError } from '../start-error.ts';
import { migrations } from './migrations.ts';

/** `leader`: a service or a command that may bring the database up to its own version; a worker may not. */
export type Role = 'leader' | 'follower';

export interface OwnVersions {
  readonly schema: number;
  readonly engine: number;
}

export const ownVersions: OwnVersions = {
  schema: Math.max(...migrations.map(({ number }) => number)),
  engine: engineVersion,
};

/** Why a program with these versions may not work there; null when it may. */
export function explainMismatch(
  stored: StoredVersions,
  own: OwnVersions = ownVersions,
): string | null {
  if (stored.schema === null)
    return 'The database has no Ergodic tables yet: run ergodic migrate, or start a service.';
  if (stored.schema > own.schema)
    return `The database belongs to a newer version of Ergodic (schema ${stored.schema}; this one knows ${own.schema}). Update this program.`;
  if (stored.schema < own.schema)
    return `The database belongs to an older version of Ergodic (schema ${stored.schema}; this one needs ${own.schema}). Update the services first, or run ergodic migrate.`;
  if (stored.engine > own.engine)
    return `The chains of this database are sampled by a newer engine (${stored.engine}; this one is ${own.engine}) and would not continue with the same draws. Update this program.`;
  if (stored.engine < own.engine)
    return `The chains of this database are sampled by an older engine (${stored.engine}; this one is ${own.engine}) and would not continue with the same draws. Update the services first.`;
  return null;
}

/** Call it before anything is changed: for a follower, everything must match. Throws `StartError`. */
export async function checkVersions(db: pg.Pool, own: OwnVersions = ownVersions): Promise<void> {
  const reason = explainMismatch(await findVersions(db), own);
  if (reason !== null) throw new StartError(reason);
}

/** Call it after the migrations: records a leader's engine as the database's. Throws `StartError` when it has a newer one. */
export async function leadVersions(db: pg.Pool, own: OwnVersions = ownVersions): Promise<void> {
  await raiseEngine(db, own.engine);
  await checkVersions(db, own);
}
