/** Limits on wrong passwords: a slot is taken before the hash and given back when the password was right. */
import { networkOf } from '../http/caller-network.ts';
import { ServiceError } from '../http/service-error.ts';
import { giveBackSlots, type SlotLimit, takeSlots } from '../repositories/attempt-slots.ts';
import type { Executor } from '../repositories/database.ts';

/** Five at once, then ten an hour, for one target and address; sixty an hour for the target from all addresses. */
const perAddress = { capacity: 5, perHour: 10 };
const perTarget = { capacity: 60, perHour: 60 };

export interface AttemptLimits {
  /**
   * Runs `check` when the target (`login:name`, `share:S…`) has a slot left for the address, and charges a false answer
   * only. Throws RATE_LIMITED with the seconds to wait, before anything is hashed. `lane`: in which the hash waits, that
   * of the caller's network. A network that was right about the target before has a lane for it, and is not kept out by
   * what others got wrong.
   */
  attempt(
    target: string,
    address: string,
    check: (lane: string) => Promise<boolean>,
  ): Promise<boolean>;
}

/**
 * `now`: milliseconds since the epoch. `mostFamiliar`: networks that were right about a target, at most; the ones right
 * longest ago are forgotten first.
 */
export function createAttemptLimits(
  db: Executor,
  now: () => number,
  mostFamiliar = 10_000,
): AttemptLimits {
  const familiar = new Set<string>();
  const remember = (key: string) => {
    // put last: the order of the set is that of the last success
    familiar.delete(key);
    if (familiar.size >= mostFamiliar) familiar.delete(familiar.values().next().value as string);
    familiar.add(key);
  };
  return {
    async attempt(target, address, check) {
      const network = networkOf(address);
      const own = `${target}@${network}`;
      const isFamiliar = familiar.has(own);
      const limits: SlotLimit[] = [{ key: own, ...perAddress }];
      if (!isFamiliar) limits.push({ key: target, ...perTarget });
      const waitSeconds = await takeSlots(db, limits, now());
      if (waitSeconds > 0) {
        const minutes = Math.max(1, Math.ceil(waitSeconds / 60));
        const message = `Too many wrong attempts; try again in ${minutes} min.`;
        throw new ServiceError('RATE_LIMITED', message, { retryAfterSeconds: waitSeconds });
      }
      let isRight: boolean;
      try {
        isRight = await check(isFamiliar ? own : network);
      } catch (error) {
        // no answer was given, so nothing was learned
        await giveBackSlots(db, limits);
        throw error;
      }
      if (isRight) {
        await giveBackSlots(db, limits);
        remember(own);
      }
      return isRight;
    },
  };
}
