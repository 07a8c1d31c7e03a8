/** Limits on wrong passwords: a slot is taken before hashing and given back if the password was right. */
import { networkOf } from '../http/caller-network.ts';
import { rateLimited } from '../http/service-error.ts';
import { giveBackSlots, type SlotLimit, takeSlots } from '../repositories/attempt-slots.ts';
import type { Executor } from '../repositories/database.ts';

/** Five in a burst, then ten an hour, per target and address; sixty an hour per target from all addresses. */
const perAddress = { capacity: 5, perHour: 10 };
const perTarget = { capacity: 60, perHour: 60 };

export interface AttemptLimits {
  /**
   * Runs `check` if the target (`login:name`, `share:S…`) has a slot left for the address, and charges only wrong
   * answers. Throws RATE_LIMITED with the seconds to wait, before hashing. `lane`: where the hash waits, normally the
   * caller's network. A network that was right about the target before has a separate lane, and other callers' wrong
   * attempts do not lock it out.
   */
  attempt(
    target: string,
    address: string,
    check: (lane: string) => Promise<boolean>,
  ): Promise<boolean>;
}

/**
 * `now`: milliseconds since the epoch. `mostFamiliar`: how many networks that were right about a target are
 * remembered; the oldest are forgotten first.
 */
export function createAttemptLimits(
  db: Executor,
  now: () => number,
  mostFamiliar = 10_000,
): AttemptLimits {
  const familiar = new Set<string>();
  const remember = (key: string) => {
    // put last: the set is ordered by the last success
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
        throw rateLimited(message, waitSeconds);
      }
      let isRight: boolean;
      try {
        isRight = await check(isFamiliar ? own : network);
      } catch (error) {
        // the check did not finish, so nothing was learned
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
