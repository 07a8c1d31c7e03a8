/** Pushes a user's new notifications to one socket: each once, none lost when the database connection breaks. */

import type { CoreContext } from '../context.ts';
import {
  findNotification,
  listNotifications,
  type NotificationRow,
} from '../repositories/notifications.ts';
import type { LiveSocket } from './live-socket.ts';
import type { LiveTimes } from './live-times.ts';
import { WakeLoop } from './wake-loop.ts';

/** Read when a notification may have been missed; the list endpoint returns all of them. */
const newest = { number: 1, size: 200 };

const notificationFrame = (message: NotificationRow) => ({
  type: 'on.notification',
  message,
});

export class NotificationSession {
  private readonly known = new Set<number>();
  private readonly loop: WakeLoop<number | null>;

  constructor(
    private readonly context: CoreContext,
    private readonly socket: LiveSocket,
    private readonly userId: number,
    times: LiveTimes,
  ) {
    this.loop = new WakeLoop<number | null>({
      work: (ids) => this.push(ids),
      pauseMs: Math.min(times.roundMs, 20),
      logger: context.logger,
      onFault: (error) => {
        context.logger.error({ err: error, userId }, 'a notification socket failed');
        void socket.close(1011, 'The service failed; see its log.');
      },
    });
  }

  /** Clients read existing notifications through the list. */
  async start(): Promise<void> {
    for (const row of await this.listNewest()) this.known.add(row.id);
    // Messages from clients are ignored.
    this.socket.onText(() => {});
  }

  wake(notificationId: number | null): void {
    this.loop.wake(notificationId);
  }

  stop(): void {
    this.loop.stop();
  }

  private async push(ids: ReadonlySet<number | null>): Promise<void> {
    if (ids.has(null)) {
      for (const row of (await this.listNewest()).reverse()) await this.send(row);
    }
    for (const id of [...ids].filter((one) => one !== null).sort((a, b) => a - b)) {
      const row = this.known.has(id) ? null : await findNotification(this.context.pool, id);
      if (row !== null) await this.send(row);
    }
  }

  private async send(row: NotificationRow): Promise<void> {
    if (this.known.has(row.id)) return;
    this.known.add(row.id);
    await this.socket.send(notificationFrame(row));
  }

  private async listNewest() {
    const filter = { userId: this.userId, status: 'all' } as const;
    return (await listNotifications(this.context.pool, filter, newest)).rows;
  }
}
