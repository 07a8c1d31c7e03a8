/** What the supervisor and the process of the service say to each other. */
import type { ServiceConfig } from './config.ts';
import type { Connection } from './repositories/database.ts';

export interface ServiceSettings {
  /** With the port that the first start found, so that a restart answers at the same address. */
  readonly config: ServiceConfig;
  readonly connection: Connection;
  /** The database is the embedded one, ours alone. */
  readonly isEmbedded: boolean;
  /** Whether a person looks at stdout. */
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
  /** Null where none may be printed. */
  readonly signInLink: string | null;
}

export type FromService =
  | { readonly type: 'ready'; readonly ready: ServiceReady }
  /** It could not start and said why. */
  | { readonly type: 'refused' }
  /** Somebody asked this process to end: the whole is meant. */
  | { readonly type: 'terminate' };
