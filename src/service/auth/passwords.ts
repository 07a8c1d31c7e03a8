/** Hashes and checks passwords with argon2id, a few at a time. */
import { hash, verify } from '@node-rs/argon2';
import { createFairQueue } from './fair-queue.ts';

// OWASP's password storage sheet recommends at least 19 MiB and two passes for argon2id; they are also the
// library's defaults, and argon2id is its default algorithm.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** More hashes in parallel would let strangers exhaust memory and the thread pool. */
const queue = createFairQueue({ running: 2, perLane: 32, total: 1024 });

/** The lane for passwords that a signed-in user sets. */
export const laneOfUser = (user: { readonly id: number } | null) => `user:${user?.id ?? ''}`;

/** `lane`: the queue in which it waits, see {@link createFairQueue}. */
export async function hashPassword(password: string, lane = ''): Promise<string> {
  return queue.run(lane, () => hash(password, cost));
}

/** Takes the same time if `passwordHash` is null (no such user, or no password set), and then returns false. */
export async function isPasswordRight(
  passwordHash: string | null,
  password: string,
  lane: string,
): Promise<boolean> {
  const isRight = await queue.run(lane, async () =>
    verify(passwordHash ?? (await decoyHash()), password),
  );
  return isRight && passwordHash !== null;
}

let decoy: Promise<string> | null = null;

/** A hash that no password matches. */
function decoyHash(): Promise<string> {
  decoy ??= hash(`nobody's ${Math.random()}`, cost);
  return decoy;
}
