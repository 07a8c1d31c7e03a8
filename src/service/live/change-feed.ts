/**
 * Listens on one connection for changes made by any process of the database, and notifies the watchers. A lost connection
 * is reopened automatically; every watcher is then asked to recheck, so that no change in between is lost.
 */
import type pg from 'pg';
import type { Logger } from '../logging.ts';
import { ACCESS_CHANNEL } from '../repositories/access.ts';
import { LIVE_CHANNEL, type LiveChange } from '../repositories/chains.ts';
import { type Connection, createClient } from '../repositories/database.ts';
import { NOTIFICATION_CHANNEL } from '../repositories/notifications.ts';

/** A message that an outside runner sends to every watcher. */
export interface RunnerMessage {
  readonly action: string;
  readonly data?: unknown;
}

/** `at`: when the change was received (`performance.now()`), the same for all watchers. */
export interface ExperimentNews {
  /** `all`: anything may have changed. */
  readonly what: LiveChange | 'all';
  readonly message?: RunnerMessage;
  readonly at: number;
}

export type ExperimentListener = (news: ExperimentNews) => void;
/** The number of a new notification; null: recheck. */
export type UserListener = (notificationId: number | null) => void;
/** A user whose tokens changed; null: objects were deleted or moved, with these ids, or possibly any object. */
export type AccessListener = (userId: number | null, objects: readonly string[] | null) => void;

const firstWaitMs = 100;
const longestWaitMs = 5000;
const pulseMs = 10_000;

export class ChangeFeed {
  private readonly experiments = new Watchers<string, ExperimentListener>();
  private readonly users = new Watchers<number, UserListener>();
  private readonly access = new Set<AccessListener>();
  private client: pg.Client | null = null;
  private connected: Promise<void> | null = null;
  private isClosed = false;
  private timer: NodeJS.Timeout | undefined;
  private giveUp: () => void = () => {};

  constructor(
    private readonly connection: Connection,
    private readonly logger: Logger,
  ) {}

  /** Resolves when changes made from now on will be received; the first call connects. */
  ready(): Promise<void> {
    this.connected ??= this.connect();
    return this.connected;
  }

  watchExperiment(shortId: string, listener: ExperimentListener): () => void {
    return this.experiments.add(shortId, listener);
  }

  watchUser(userId: number, listener: UserListener): () => void {
    return this.users.add(userId, listener);
  }

  watchAccess(listener: AccessListener): () => void {
    this.access.add(listener);
    return () => this.access.delete(listener);
  }

  /** Checks that the database connection is alive; a dead connection is closed and reopened. */
  checkPulse(): void {
    const { client } = this;
    if (client === null) return;
    const timer = setTimeout(() => this.lose(client), pulseMs);
    client.query('select 1').then(
      () => clearTimeout(timer),
      () => {
        clearTimeout(timer);
        this.lose(client);
      },
    );
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.giveUp();
    const { client } = this;
    this.client = null;
    await client?.end().catch(() => {});
  }

  /** Retries until it is connected or closed. */
  private async connect(): Promise<void> {
    for (let waitMs = firstWaitMs; !this.isClosed; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
      try {
        await this.listen();
        return;
      } catch (error) {
        this.logger.warn({ err: error }, 'cannot listen for changes; retrying');
        await new Promise<void>((resolve) => {
          this.giveUp = resolve;
          this.timer = setTimeout(resolve, waitMs);
        });
      }
    }
  }

  private async listen(): Promise<void> {
    const client = createClient(this.connection);
    client.on('error', () => this.lose(client));
    client.on('end', () => this.lose(client));
    client.on('notification', ({ channel, payload }) => this.receive(channel, payload ?? ''));
    try {
      await client.connect();
      for (const channel of [LIVE_CHANNEL, NOTIFICATION_CHANNEL, ACCESS_CHANNEL])
        await client.query(`listen ${channel}`);
    } catch (error) {
      client.end().catch(() => {});
      throw error;
    }
    if (this.isClosed) await client.end().catch(() => {});
    else this.client = client;
  }

  private lose(client: pg.Client): void {
    if (this.client !== client) return;
    this.client = null;
    client.end().catch(() => {});
    if (this.isClosed) return;
    this.connected = this.connect().then(() => this.notifyAll());
  }

  private notifyAll(): void {
    if (this.isClosed) return;
    const at = performance.now();
    for (const listener of this.experiments.all()) listener({ what: 'all', at });
    for (const listener of this.users.all()) listener(null);
    for (const listener of this.access) listener(null, null);
  }

  private receive(channel: string, payload: string): void {
    try {
      this.dispatch(channel, JSON.parse(payload));
    } catch (error) {
      this.logger.error({ err: error, channel }, 'a change notification could not be handled');
    }
  }

  private dispatch(channel: string, change: unknown): void {
    if (channel === LIVE_CHANNEL) {
      const { id, what, message } = change as {
        id: string;
        what: LiveChange;
        message?: RunnerMessage;
      };
      const at = performance.now();
      for (const listener of this.experiments.of(id)) listener({ what, message, at });
    } else if (channel === NOTIFICATION_CHANNEL) {
      const { user_id: userId, id } = change as { user_id: number; id: number };
      for (const listener of this.users.of(userId)) listener(id);
    } else {
      const { user_id: userId, objects = null } = change as {
        user_id: number | null;
        objects?: readonly string[] | null;
      };
      for (const listener of this.access) listener(userId, objects);
    }
  }
}

class Watchers<Key, Listener> {
  private readonly byKey = new Map<Key, Set<Listener>>();

  add(key: Key, listener: Listener): () => void {
    const listeners = this.byKey.get(key) ?? new Set();
    this.byKey.set(key, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.byKey.get(key) === listeners) this.byKey.delete(key);
    };
  }

  of(key: Key): readonly Listener[] {
    return [...(this.byKey.get(key) ?? [])];
  }

  all(): readonly Listener[] {
    return [...this.byKey.values()].flatMap((listeners) => [...listeners]);
  }
}
