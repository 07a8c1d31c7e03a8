/** Hashes and checks passwords with argon2id, a few at a time. */
import { hash, verify } from '@node-rs/argon2';
import { createFairQueue } from './fair-queue.ts';

// 19 MiB and two passes are what OWASP's password storage sheet asks of argon2id at least; they are also the
// library's defaults, and argon2id is its default algorithm.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** More hashes at once would let strangers use up memory and the thread pool. */
const queue = createFairQueue({ running: 2, perLane: 32, total: 1024 });

/** Where passwords that a signed-in user sets wait. */
export const laneOfUser = (user: { readonly id: number } | null) => `user:${user?.id ?? ''}`;

/** `lane`: who waits for whom, see {@link createFairQueue}. */
export async function hashPassword(password: string, lane = ''): Promise<string> {
  return queue.run(lane, () => hash(password, cost));
}

/** Costs the same with `passwordHash` null (no such user, or no password set), and is then false. */
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

/** A hash nobody's password has. */
function decoyHash(): Promise<string> {
  decoy ??= hash(`nobody's ${Math.random()}`, cost);
  return decoy;
}
