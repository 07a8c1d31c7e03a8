/** Messages between the supervisor and the process of the service. */
import type { ServiceConfig } from './config.ts';
import type { Connection } from './repositories/database.ts';

export interface ServiceSettings {
  /** With the port of the first start, so that a restart answers at the same address. */
  readonly config: ServiceConfig;
  readonly connection: Connection;
  /** The database is the embedded one, which only we use. */
  readonly isEmbedded: boolean;
  /** Whether stdout is a terminal. */
  readonly isTerminal: boolean;
  /** The sign-in link was printed already and stays valid. */
  readonly isRestart: boolean;
  /** Milliseconds between commits of a chain; the engine's default when absent. */
  readonly flushMs?: number;
}

export type ToService =
  | { readonly type: 'start'; readonly settings: ServiceSettings }
  | { readonly type: 'stop' };

export interface ServiceReady {
  /** Origin that people use. */
  readonly url: string;
  readonly port: number;
  /** Null if no link may be printed. */
  readonly signInLink: string | null;
}

export type FromService =
  | { readonly type: 'ready'; readonly ready: ServiceReady }
  /** It could not start and has reported why. */
  | { readonly type: 'refused' }
  /** This process was asked to end: the supervisor must stop everything. */
  | { readonly type: 'terminate' };
