/** What the service is given by whoever starts it; nothing below reads the environment or keeps a global. */
import type { RouteOptions } from 'fastify';
import type pg from 'pg';
import type { AttemptLimits } from './auth/attempt-limits.ts';
import type { RememberedPasswords } from './auth/remembered-passwords.ts';
import type { ServiceConfig } from './config.ts';
import type { CodeHost } from './fetching/code-host.ts';
import type { Fetcher } from './fetching/fetcher.ts';
import type { ConfinedRunner } from './functions/confined-runtimes.ts';
import type { GuestPool } from './functions/guest-pool.ts';
import type { AddressSigner } from './http/signed-address.ts';
import type { JobQueue } from './jobs/job-queue.ts';
import type { LiveTimes } from './live/live-times.ts';
import type { Logger } from './logging.ts';
import type { ReadingThreads } from './reading/reading-threads.ts';
import type { Connection } from './repositories/database.ts';
import type { RunDoors } from './runs/run-doors.ts';
import type { RuntimeReport } from './runtimes/confinement.ts';
import type { FileStore } from './storage/file-store.ts';
import type { SummaryCache } from './use-cases/summary-cache.ts';

export type WebConfig = Pick<
  ServiceConfig,
  'host' | 'publicUrl' | 'allowedHosts' | 'allowedOrigins' | 'trustProxy' | 'connect'
> &
  Partial<Pick<ServiceConfig, 'allowFetch'>>;

export interface ServiceDeps {
  readonly pool: pg.Pool;
  /** The same database, for a connection that listens. */
  readonly connection: Connection;
  readonly config: WebConfig;
  /** 256 random bits, the same in every service process of a database. */
  readonly serverKey: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly runs: RunDoors;
  readonly queue: JobQueue;
  readonly files: FileStore;
  readonly logger: Logger;
  /** Folder of the built dashboard; null = only the API. */
  readonly webDir: string | null;
  readonly version: string;
  /** Where JavaScript functions run; absent: a pool is made when it is needed. */
  readonly guests?: GuestPool;
  /** Threads that read large bodies; absent: they start when they are needed. */
  readonly reading?: ReadingThreads;
  /** Where functions of other languages run; absent: nowhere. */
  readonly confined?: ConfinedRunner;
  /** What other languages run here; absent: none. */
  readonly runtimes?: () => Promise<RuntimeReport>;
  /** Fetches what users name by address; absent: made of `config.allowFetch`. */
  readonly fetcher?: Fetcher;
  /** Where repositories and snippets lie; absent: the public code host. */
  readonly codeHost?: CodeHost;
  /** How long sockets wait for things; shorter in tests. */
  readonly liveTimes?: Partial<LiveTimes>;
  /** Sees every route as it is made. */
  readonly onRoute?: (route: RouteOptions) => void;
}

/** What handlers work with: the above, and what is made of it once. */
export interface ServiceContext extends ServiceDeps {
  /** Absent in a process that takes no jobs. */
  readonly workerId?: number;
  readonly guests: GuestPool;
  readonly reading: ReadingThreads;
  readonly confined: ConfinedRunner;
  readonly fetcher: Fetcher;
  readonly codeHost: CodeHost;
  readonly limits: AttemptLimits;
  readonly remembered: RememberedPasswords;
  readonly signer: AddressSigner;
  readonly summaries: SummaryCache;
  /** Files being written, by the folder they go to. */
  readonly exportsInWork: Map<string, Promise<void>>;
}
