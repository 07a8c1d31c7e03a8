/** Messages between the service and its worker process. */
import type { Connection } from './repositories/database.ts';

export interface WorkerSettings {
  readonly connection: Connection;
  readonly dataDir: string;
  /** See `ServiceConfig`. */
  readonly files?: string;
  /** Chains that may run at the same time. */
  readonly slots: number;
  /** Names in run_on that it serves; empty: any name that no other worker claims. */
  readonly pools: readonly string[];
  /** Chains of one user that may run at the same time on all machines; absent or 0: no limit. */
  readonly userChains?: number;
  /** Address of the service, for programs that send their draws; absent: no programs can run. */
  readonly serviceUrl?: string;
  readonly trustRuntimes?: boolean;
  readonly allowFetch?: readonly string[];
  /** Milliseconds between commits of a chain; the engine's default when absent. */
  readonly flushMs?: number;
  /** Port that monitoring queries; absent: none. */
  readonly metrics?: { readonly port: number; readonly host: string };
  /** The worker ends after this time without work; absent: never. */
  readonly idleSeconds?: number;
  /** Started on its own, not by a service, so an administrator may end it. */
  readonly isOwnProcess?: boolean;
  /** The Slurm job in which it runs. */
  readonly job?: string;
}

export type ToWorker =
  | { readonly type: 'start'; readonly settings: WorkerSettings }
  | { readonly type: 'stop' };
export type FromWorker =
  | { readonly type: 'ready'; readonly id: number }
  /** It has ended permanently: outdated, idle, or retired. */
  | { readonly type: 'over'; readonly reason: string; readonly isFault: boolean };
