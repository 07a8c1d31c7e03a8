/** What the service is given by whoever starts it; nothing below reads the environment or keeps a global. */
import type { RouteOptions } from 'fastify';
import type pg from 'pg';
import type { AttemptLimits } from './auth/attempt-limits.ts';
import type { RememberedPasswords } from './auth/remembered-passwords.ts';
import type { ServiceConfig } from './config.ts';
import type { AddressSigner } from './http/signed-address.ts';
import type { Logger } from './logging.ts';
import type { RunDoors } from './runs/run-doors.ts';
import type { FileStore } from './storage/file-store.ts';
import type { SummaryCache } from './use-cases/summary-cache.ts';

export type WebConfig = Pick<
  ServiceConfig,
  'host' | 'publicUrl' | 'allowedHosts' | 'allowedOrigins' | 'trustProxy' | 'connect'
>;

export interface ServiceDeps {
  readonly pool: pg.Pool;
  readonly config: WebConfig;
  /** 256 random bits, the same in every service process of a database. */
  readonly serverKey: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly runs: RunDoors;
  readonly files: FileStore;
  readonly logger: Logger;
  /** Folder of the built dashboard; null = only the API. */
  readonly webDir: string | null;
  readonly version: string;
  /** Sees every route as it is made. */
  readonly onRoute?: (route: RouteOptions) => void;
}

/** What handlers work with: the above, and what is made of it once. */
export interface ServiceContext extends ServiceDeps {
  readonly limits: AttemptLimits;
  readonly remembered: RememberedPasswords;
  readonly signer: AddressSigner;
  readonly summaries: SummaryCache;
  /** Files being written, by the folder they go to. */
  readonly exportsInWork: Map<string, Promise<void>>;
}
