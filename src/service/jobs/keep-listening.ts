/** Listens on one channel until it is closed, and reconnects when the connection is lost. */
import type pg from 'pg';
import type { Logger } from '../logging.ts';
import { type Connection, createClient } from '../repositories/database.ts';

export interface ListeningOptions {
  readonly channel: string;
  readonly onNotification: (payload: string) => void;
  /** Called each time it listens again: notifications in between are lost. */
  readonly onListening: () => void;
  readonly logger: Logger;
}

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5000;

/** Rejects when the first connection fails. */
export async function keepListening(
  connection: Connection,
  { channel, onNotification, onListening, logger }: ListeningOptions,
): Promise<{ close(): Promise<void> }> {
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let waitMs = FIRST_WAIT_MS;

  const connect = async () => {
    const mine = createClient(connection);
    mine.on('notification', ({ payload }) => {
      if (payload !== undefined) onNotification(payload);
    });
    mine.once('end', () => {
      if (client === mine) retryLater();
    });
    try {
      await mine.connect();
      await mine.query(`listen ${mine.escapeIdentifier(channel)}`);
    } catch (error) {
      mine.end().catch(() => {});
      throw error;
    }
    if (isClosed) {
      await mine.end().catch(() => {});
      return;
    }
    client = mine;
    waitMs = FIRST_WAIT_MS;
    onListening();
  };

  const retryLater = () => {
    client = null;
    if (isClosed) return;
    timer = setTimeout(() => {
      connect().catch((error: unknown) => {
        logger.warn({ err: error, channel }, 'cannot listen for jobs; retrying');
        retryLater();
      });
    }, waitMs);
    waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS);
  };

  await connect();
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await client?.end().catch(() => {});
    },
  };
}
