/** One of the services of a database: sends its heartbeat, and notices when the database moves to another version. */
import { hostname } from 'node:os';
import type pg from 'pg';
import type { Logger } from './logging.ts';
import { explainMismatch } from './migrations/handshake.ts';
import {
  insertService,
  listServicesElsewhere,
  removeService,
  touchService,
} from './repositories/services.ts';
import { findVersions } from './repositories/versions.ts';
import { StartError } from './start-error.ts';
import type { FileStore } from './storage/file-store.ts';

export interface ClusterMember {
  /** Why it should get no requests; null: it may. Queries the database, which may be unavailable. */
  notReady(): Promise<string | null>;
  leave(): Promise<void>;
}

export interface MemberOptions {
  readonly pool: pg.Pool;
  readonly files: FileStore;
  readonly version: string;
  readonly logger: Logger;
  /** Milliseconds between heartbeats; shorter in tests. */
  readonly roundMs?: number;
}

/** Throws `StartError` when another live service of the database stores its files elsewhere: neither would find the other's. */
export async function joinCluster(options: MemberOptions): Promise<ClusterMember> {
  const { pool, version, logger, roundMs = 10_000 } = options;
  const files = await options.files.identity();
  const [other] = await listServicesElsewhere(pool, files);
  if (other !== undefined)
    throw new StartError(
      `Another service on this database, process ${other.pid} on ${other.host}, stores its files elsewhere, so files would be missing depending on which one answers.\n` +
        'Give all services the same place: --files s3://BUCKET/PREFIX, or a folder that all machines mount.',
    );
  const service = { host: hostname(), pid: process.pid, version, files };
  const id = await insertService(pool, service);
  let isLeaving = false;
  let lastReason: string | null = null;
  const round = async () => {
    await touchService(pool, id, service);
    const reason = explainMismatch(await findVersions(pool));
    if (reason !== null && reason !== lastReason)
      logger.error({ reason }, 'this service is out of date');
    lastReason = reason;
  };
  const timer = setInterval(() => {
    round().catch((error: unknown) =>
      logger.warn({ err: error }, 'the heartbeat could not be written'),
    );
  }, roundMs);
  return {
    async notReady() {
      if (isLeaving) return 'The service is stopping.';
      return explainMismatch(await findVersions(pool));
    },
    async leave() {
      isLeaving = true;
      clearInterval(timer);
      await removeService(pool, id).catch(() => {});
    },
  };
}
