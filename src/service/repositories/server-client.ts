/** One connection to PostgreSQL: which server it uses, and how each side notices that the other is gone. */
import pg from 'pg';
import type { ServerConfig } from './client-config.ts';
import { createServerChoice, type ServerChoice } from './server-choice.ts';
import { watchSilence } from './silence-watch.ts';

/**
 * For all our clients. After `keepAliveInitialDelayMillis` without traffic the kernel probes the other side; ten
 * lost answers, a second apart, end the connection.
 */
export const connecting = {
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 5000,
} as const;

/**
 * Settings of each session. Otherwise, a client that is cut off or frozen would keep its row locks for hours, and with
 * them the chains that others should take over. Sent as a statement, because PgBouncer refuses startup parameters that
 * it does not know.
 */
const session = `select current_setting('transaction_read_only') as read_only,
  set_config('tcp_keepalives_idle', '5', false), set_config('tcp_keepalives_interval', '3', false),
  set_config('tcp_keepalives_count', '3', false), set_config('tcp_user_timeout', '15s', false),
  set_config('idle_in_transaction_session_timeout', '20s', false)`;

/** The server's error for a statement that writes. */
export const READ_ONLY_STATE = '25006';

/** One choice per address: all clients of an address share what they learn. */
const choices = new Map<string, ServerChoice>();

function choiceOf(config: ServerConfig): ServerChoice | null {
  if (config.servers === undefined) return null;
  const key = JSON.stringify([config.servers, config.database, config.user]);
  let choice = choices.get(key);
  if (choice === undefined) {
    choice = createServerChoice(config.servers, (place) => isPrimary(config, place));
    choices.set(key, choice);
  }
  return choice;
}

/** Whether the server there takes writes; rejects when it does not answer. */
async function isPrimary(
  config: ServerConfig,
  place: { readonly host: string; readonly port: number },
): Promise<boolean> {
  // the pool makes the password non-enumerable
  const { password } = config;
  const client = new pg.Client({ ...config, password, ...place, connectionTimeoutMillis: 3000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ read_only: string }>({
      text: session,
      query_timeout: 3000,
    } as pg.QueryConfig);
    return rows[0]?.read_only === 'off';
  } finally {
    client.end().catch(() => {});
  }
}

/**
 * A connection that dies emits an `error` event, at any moment and more than once; without a listener, that event ends
 * the process. Each client has one for its entire lifetime, whichever code uses it. Its statements reject.
 */
export class ServerClient extends pg.Client {
  private readonly choice: ServerChoice | null;
  readonly prepares: boolean;

  constructor(config: ServerConfig = {}) {
    super(config);
    this.prepares = config.prepares === true;
    this.choice = choiceOf(config);
    this.on('error', () => this.choice?.forget());
    watchSilence(this);
  }

  override connect(): Promise<this>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<this> | undefined {
    const opened = this.open();
    if (callback === undefined) return opened;
    opened.then(() => callback(undefined as unknown as Error), callback);
    return undefined;
  }

  private async open(): Promise<this> {
    try {
      if (this.choice !== null) this.goTo(await this.choice.find());
      await super.connect();
      const { rows } = await this.query<{ read_only: string }>(session);
      if (rows[0]?.read_only !== 'on') return this;
      const message = `the server ${this.host}:${this.port} accepts no writes`;
      throw Object.assign(new Error(message), { code: READ_ONLY_STATE });
    } catch (error) {
      this.choice?.forget();
      this.end().catch(() => {});
      throw error;
    }
  }

  /** The driver reads both before it connects. */
  private goTo({ host, port }: { readonly host: string; readonly port: number }): void {
    Object.assign(this, { host, port });
    const { connectionParameters } = this as unknown as { connectionParameters: object };
    Object.assign(connectionParameters, { host, port });
  }
}
