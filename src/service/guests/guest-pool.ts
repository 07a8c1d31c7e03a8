/** Guest processes: a few at once, one kept waiting so that the next call finds it ready. */
import { ServiceError } from '../http/service-error.ts';
import type { Logger } from '../logging.ts';
import {
  builtGuest,
  GuestKilled,
  type GuestPlace,
  GuestProcess,
  type GuestResult,
  type GuestWork,
  wantOfMemory,
} from './guest-process.ts';

export interface GuestPool {
  /** Waits for a place when all are taken. Throws LIMIT_EXCEEDED when too many wait. */
  run(work: GuestWork): Promise<GuestResult>;
  /** Starts a process before the first call. */
  warm(): void;
  /** Ends all processes. */
  close(): Promise<void>;
}

/** A read that failed through no fault of the function gives it no details; the log has the reason. */
export const noteReadFault = (logger: Logger) => (error: unknown) =>
  logger.error({ err: error }, 'a read of a function failed');

const killedAgain = (): GuestResult => ({
  ok: false,
  failure: wantOfMemory(),
  log: '',
  milliseconds: 0,
});

export interface GuestPoolOptions {
  readonly place?: GuestPlace;
  /** Calls at once. */
  readonly size?: number;
  readonly maxWaiting?: number;
  /** A process that waits longer than this without a call is ended. */
  readonly idleMs?: number;
  readonly onFault?: (error: unknown) => void;
}

export function createGuestPool(options: GuestPoolOptions = {}): GuestPool {
  const {
    place = builtGuest(),
    size = 2,
    maxWaiting = 100,
    idleMs = 300_000,
    onFault = () => {},
  } = options;
  const busy = new Set<GuestProcess>();
  const waiting: (() => void)[] = [];
  let spare: GuestProcess | null = null;
  let idle: NodeJS.Timeout | undefined;
  let running = 0;
  let isClosed = false;

  const endSpare = async () => {
    clearTimeout(idle);
    const ending = spare;
    spare = null;
    await ending?.end();
  };
  const keepSpare = () => {
    if (isClosed) return;
    clearTimeout(idle);
    if (spare === null || !spare.isAlive) spare = new GuestProcess(place);
    idle = setTimeout(() => void endSpare(), idleMs);
    idle.unref();
  };
  const take = (): GuestProcess => {
    const ready = spare?.isAlive ? spare : new GuestProcess(place);
    spare = null;
    return ready;
  };
  const enter = async () => {
    if (running < size) {
      running += 1;
      return;
    }
    if (waiting.length >= maxWaiting)
      throw new ServiceError(
        'LIMIT_EXCEEDED',
        `${maxWaiting} functions are waiting already; try again later.`,
        { details: { limit: 'functions_waiting', allowed: maxWaiting } },
      );
    // a call that leaves hands over its place
    await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const leave = () => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  };

  /** Null: its process was killed from outside. */
  const attempt = async (work: GuestWork): Promise<GuestResult | null> => {
    const guest = take();
    guest.onReadFault = onFault;
    busy.add(guest);
    try {
      return await guest.work(work);
    } catch (error) {
      if (error instanceof GuestKilled) return null;
      throw error;
    } finally {
      busy.delete(guest);
    }
  };

  return {
    async run(work) {
      await enter();
      try {
        // Once more: another program may have taken the memory, and a function changes nothing. Then it is its own.
        return (await attempt(work)) ?? (await attempt(work)) ?? killedAgain();
      } finally {
        leave();
        keepSpare();
      }
    },
    warm: keepSpare,
    async close() {
      isClosed = true;
      await Promise.all([endSpare(), ...[...busy].map((guest) => guest.end())]);
    },
  };
}
