/** What use-cases ask for, made for a worker: the same rights and readers, without a web address of its own. */
import { createAttemptLimits } from '../auth/attempt-limits.ts';
import { createRememberedPasswords } from '../auth/remembered-passwords.ts';
import { publicCodeHost } from '../fetching/code-host.ts';
import { createFetcher } from '../fetching/fetcher.ts';
import type { User, Viewer } from '../http/call.ts';
import { createAddressSigner } from '../http/signed-address.ts';
import { createReadingThreads } from '../reading/reading-threads.ts';
import type { Executor } from '../repositories/database.ts';
import { ensureServerKey } from '../repositories/settings.ts';
import { findUser } from '../repositories/users.ts';
import { createRunDoors } from '../runs/run-doors.ts';
import type { JobDeps } from '../runs/take-jobs.ts';
import type { ServiceContext } from '../service-deps.ts';
import { noConfinedRuntimes } from './confined-runtimes.ts';

export async function createJobContext(deps: JobDeps): Promise<ServiceContext> {
  const {
    pool,
    queue,
    files,
    logger,
    guests,
    connection,
    workerId,
    confined = noConfinedRuntimes,
    fetcher = createFetcher({ allowFetch: [] }),
  } = deps;
  const serverKey = await ensureServerKey(pool);
  const now = () => Date.now();
  return {
    pool,
    connection,
    workerId,
    config: {
      host: '127.0.0.1',
      publicUrl: '',
      allowedHosts: [],
      allowedOrigins: [],
      trustProxy: false,
      connect: [],
    },
    serverKey,
    now,
    queue,
    runs: createRunDoors(pool, queue),
    files,
    logger,
    guests,
    reading: createReadingThreads(),
    confined,
    codeHost: publicCodeHost,
    fetcher,
    webDir: null,
    version: '',
    limits: createAttemptLimits(pool, now),
    remembered: createRememberedPasswords(serverKey, now),
    signer: createAddressSigner(serverKey, now),
    summaries: new Map(),
    exportsInWork: new Map(),
  };
}

/** The viewer that a user is when they are not there themselves; null when they are gone. */
export async function viewerOfUser(db: Executor, userId: number): Promise<Viewer | null> {
  const row = await findUser(db, userId);
  if (row === null) return null;
  const { id, name, super: isSuper, roles } = row;
  const user: User = { id, name, isSuper, roles, tokenId: 0, scope: null };
  return { user, sharePassword: null, address: '' };
}
