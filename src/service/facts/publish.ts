/** Where facts go: everything that listens is in this one list. */
import type { Executor } from '../repositories/database.ts';
import type { Fact } from './fact.ts';
import { fireEvents } from './fire-events.ts';
import { notifyUsers } from './notify-users.ts';

type Listener = (tx: Executor, fact: Fact) => Promise<void>;

/** In their order. To listen is one line here; the folder where the fact happens knows nothing of it. */
const listeners: readonly Listener[] = [notifyUsers, fireEvents];

/** Call in the transaction of the act: what listeners write is durable with it, or not there either. */
export async function publish(tx: Executor, fact: Fact): Promise<void> {
  for (const listener of listeners) await listener(tx, fact);
}
