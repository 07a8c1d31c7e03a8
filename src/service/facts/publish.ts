/** Publishes facts to the one list of all listeners. */
import type { Executor } from '../repositories/database.ts';
import type { Fact } from './fact.ts';
import { fireEvents } from './fire-events.ts';
import { notifyUsers } from './notify-users.ts';

type Listener = (tx: Executor, fact: Fact) => Promise<void>;

/** Called in this order. A listener is added here; the folder where the fact happens does not know of it. */
const listeners: readonly Listener[] = [notifyUsers, fireEvents];

/** Call it in the transaction that causes the fact: what listeners write is committed or rolled back with it. */
export async function publish(tx: Executor, fact: Fact): Promise<void> {
  for (const listener of listeners) await listener(tx, fact);
}
