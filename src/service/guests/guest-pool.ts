/** Guest processes: several may run at the same time, and a spare one is ready for the next call. */
import { limitExceeded } from '../http/service-error.ts';
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
  /** Waits while all slots are in use. Throws LIMIT_EXCEEDED when too many calls wait. */
  run(work: GuestWork): Promise<GuestResult>;
  /** Starts a process before the first call. */
  warm(): void;
  /** Ends all processes. */
  close(): Promise<void>;
}

/** A read that failed through no fault of the function reveals no details to it; the log has the reason. */
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
  /** Calls that may run at the same time. */
  readonly size?: number;
  readonly maxWaiting?: number;
  /** A process that waits longer than this for a call is ended. */
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
      throw limitExceeded(`${maxWaiting} functions are waiting already; try again later.`, {
        limit: 'functions_waiting',
        allowed: maxWaiting,
      });
    // a finished call passes its slot on directly
    await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const leave = () => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  };

  /** Null: the process was killed from outside. */
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
        // Retry once: another program may have used up the memory, and a function changes nothing. Then it is at fault.
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
