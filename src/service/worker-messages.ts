/** Messages between the service and its worker process. */
import type { WorkerOptions } from './worker/worker-loop.ts';

export interface WorkerSettings
  extends Pick<
    WorkerOptions,
    | 'connection'
    | 'slots'
    | 'pools'
    | 'userChains'
    | 'serviceUrl'
    | 'flushMs'
    | 'isOwnProcess'
    | 'job'
  > {
  readonly dataDir: string;
  /** See `ServiceConfig`. */
  readonly files?: string;
  readonly trustRuntimes?: boolean;
  readonly allowFetch?: readonly string[];
  /** Port that monitoring queries; absent: none. */
  readonly metrics?: { readonly port: number; readonly host: string };
  /** The worker ends after this time without work; absent: never. */
  readonly idleSeconds?: number;
}

export type ToWorker =
  | { readonly type: 'start'; readonly settings: WorkerSettings }
  | { readonly type: 'stop' };
export type FromWorker =
  | { readonly type: 'ready'; readonly id: number }
  /** It has ended permanently: outdated, idle, or retired. */
  | { readonly type: 'over'; readonly reason: string; readonly isFault: boolean };
