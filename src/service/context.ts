/** What handlers and jobs work with: a core shared by the web service and workers, and what only the web has. */
import type pg from 'pg';
import type { Summary } from '../contract/draws.ts';
import { type AttemptLimits, createAttemptLimits } from './auth/attempt-limits.ts';
import type { IdentityProvider } from './auth/identity-provider.ts';
import {
  createRememberedPasswords,
  type RememberedPasswords,
} from './auth/remembered-passwords.ts';
import type { ServiceConfig } from './config.ts';
import { type CodeHost, publicCodeHost } from './fetching/code-host.ts';
import type { Fetcher } from './fetching/fetcher.ts';
import { type ConfinedRunner, noConfinedRuntimes } from './guests/confined-runtimes.ts';
import type { GuestPool } from './guests/guest-pool.ts';
import { type AddressSigner, createAddressSigner } from './http/signed-address.ts';
import type { JobQueue } from './jobs/job-queue.ts';
import type { Logger } from './logging.ts';
import type { ReadingThreads } from './reading/reading-threads.ts';
import type { FileStore } from './storage/file-store.ts';

/** A summary computed while a run is active or for a share, cached until the draws have grown. */
export interface ComputedSummary {
  /** Revision of the draws it was computed from. */
  readonly revision: string;
  readonly summary: Promise<Summary>;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Infinite while it is being computed. */
  tookMs: number;
}

/** Dependencies of the core; no code below reads the environment or uses globals. */
export interface CoreDeps {
  readonly pool: pg.Pool;
  readonly queue: JobQueue;
  readonly files: FileStore;
  readonly logger: Logger;
  /** 256 random bits, the same in every service process of a database. */
  readonly serverKey: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Where JavaScript functions run. */
  readonly guests: GuestPool;
  /** Where functions of other languages run; absent: nowhere. */
  readonly confined?: ConfinedRunner;
  /** Threads for work that would block the event loop: reading large bodies, data, settings. */
  readonly reading: ReadingThreads;
  /** Fetches the addresses that users name. */
  readonly fetcher: Fetcher;
  /** Host of repositories and snippets; absent: the public code host. */
  readonly codeHost?: CodeHost;
  /** Absent in a process that takes no jobs. */
  readonly workerId?: number;
}

export interface CoreContext extends CoreDeps {
  readonly confined: ConfinedRunner;
  readonly codeHost: CodeHost;
  readonly limits: AttemptLimits;
  readonly remembered: RememberedPasswords;
  readonly signer: AddressSigner;
  readonly summaries: Map<string, ComputedSummary>;
}

export function createCoreContext(deps: CoreDeps): CoreContext {
  const { pool, serverKey, now } = deps;
  return {
    ...deps,
    confined: deps.confined ?? noConfinedRuntimes,
    codeHost: deps.codeHost ?? publicCodeHost,
    limits: createAttemptLimits(pool, now),
    remembered: createRememberedPasswords(serverKey, now),
    signer: createAddressSigner(serverKey, now),
    summaries: new Map(),
  };
}

export type WebConfig = Pick<
  ServiceConfig,
  'host' | 'publicUrl' | 'allowedHosts' | 'allowedOrigins' | 'trustProxy' | 'connect'
> &
  Partial<Pick<ServiceConfig, 'allowFetch' | 'maxUpload' | 'oidc'>>;

/** By language: null if its programs run here, otherwise what is missing. */
export interface LanguageReport {
  readonly missing: Readonly<Record<'python' | 'julia' | 'r' | 'jags', string | null>>;
}

/** What routes have in addition to the core. */
export interface WebContext extends CoreContext {
  readonly config: WebConfig;
  /** The provider for sign-ins, in addition to passwords; absent: none. */
  readonly provider?: IdentityProvider;
  readonly version: string;
  /** Draws files that are being written, by their target folder. */
  readonly exportsInWork: Map<string, Promise<void>>;
  /** Other languages that run here; absent: none. */
  readonly runtimes?: () => Promise<LanguageReport>;
}
