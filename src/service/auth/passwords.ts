/** Hashes and checks passwords with argon2id, a few at a time. */
import { hash, verify } from '@node-rs/argon2';
import { invariant } from '../../shared/invariant.ts';
import { ServiceError } from '../http/service-error.ts';

// 19 MiB and two passes are what OWASP's password storage sheet asks of argon2id at least; they are also the
// library's defaults, and argon2id is its default algorithm.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes at once, and callers that may wait: more would let strangers use up memory and the thread pool. */
const maxRunning = 2;
const maxWaiting = 64;

let running = 0;
const waiting: (() => void)[] = [];

async function withSlot<T>(work: () => Promise<T>): Promise<T> {
  if (running >= maxRunning) {
    if (waiting.length >= maxWaiting)
      throw new ServiceError('UNAVAILABLE', 'Too many sign-ins at once; try again.', {
        retryAfterSeconds: 5,
      });
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running++;
  try {
    return await work();
  } finally {
    // a waiting caller takes over the slot, so the count stays
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
    invariant(running >= 0, 'each hash slot is released once');
  }
}

export async function hashPassword(password: string): Promise<string> {
  return withSlot(() => hash(password, cost));
}

/** Costs the same with `passwordHash` null (no such user, or no password set), and is then false. */
export async function isPasswordRight(
  passwordHash: string | null,
  password: string,
): Promise<boolean> {
  const isRight = await withSlot(async () => verify(passwordHash ?? (await decoyHash()), password));
  return isRight && passwordHash !== null;
}

let decoy: Promise<string> | null = null;

/** A hash nobody's password has. */
function decoyHash(): Promise<string> {
  decoy ??= hash(`nobody's ${Math.random()}`, cost);
  return decoy;
}
