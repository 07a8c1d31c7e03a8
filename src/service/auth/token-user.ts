/** The user that a bearer token belongs to. */
import type pg from 'pg';
import type { User } from '../http/call.ts';
import type { Logger } from '../logging.ts';
import { listRunSources } from '../repositories/run-scope.ts';
import { findToken, touchToken } from '../repositories/tokens.ts';

/** The user of a bearer token, or null; notes the use. */
export async function findUserOfToken(
  { pool, logger }: { readonly pool: pg.Pool; readonly logger: Logger },
  text: string,
): Promise<User | null> {
  const found = await findToken(pool, text);
  if (found === null) return null;
  const { token, user, teams, isUnnoted } = found;
  if (isUnnoted)
    touchToken(pool, token.id).catch((error: unknown) =>
      logger.warn({ err: error }, 'the use of a token could not be recorded'),
    );
  return {
    id: user.id,
    name: user.name,
    isSuper: user.super,
    roles: user.roles,
    teams,
    tokenId: token.id,
    scope: token.scope,
    ...(token.scope === null ? {} : { sources: await listRunSources(pool, token.scope) }),
  };
}
