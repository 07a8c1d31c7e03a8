/** What the service and its worker process say to each other. */
import type { Connection } from './repositories/database.ts';

export interface WorkerSettings {
  readonly connection: Connection;
  readonly dataDir: string;
  /** See `ServiceConfig`. */
  readonly files?: string;
  /** Chains at once. */
  readonly slots: number;
  readonly pools: readonly string[];
  /** Chains of one user at once, on all machines; absent or 0: no limit. */
  readonly userChains?: number;
  /** Where the service answers, for programs that send their draws; absent: none can run. */
  readonly serviceUrl?: string;
  readonly trustRuntimes?: boolean;
  readonly allowFetch?: readonly string[];
  /** Milliseconds between commits of a chain; the engine's default when absent. */
  readonly flushMs?: number;
  /** Where monitoring asks; absent: nowhere. */
  readonly metrics?: { readonly port: number; readonly host: string };
  /** It ends when it has had nothing to do for this long; absent: never. */
  readonly idleSeconds?: number;
  /** Started by itself, not by a service. */
  readonly isOwnProcess?: boolean;
  /** Slurm's job in which it runs. */
  readonly job?: string;
}

export type ToWorker =
  | { readonly type: 'start'; readonly settings: WorkerSettings }
  | { readonly type: 'stop' };
export type FromWorker =
  | { readonly type: 'ready'; readonly id: number }
  /** It has ended for good: outdated, idle, or retired. */
  | { readonly type: 'over'; readonly reason: string; readonly isFault: boolean };
