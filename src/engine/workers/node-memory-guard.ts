/**
 * Keeps programs from taking down the entire process: the limits of a thread bound its heap, not its typed arrays, and
 * the operating system reacts to a lack of memory by killing the process.
 *
 * There is no way to tell which thread owns an array. But a chain that fills memory is stuck in one iteration, so the
 * one quiet for longest is ended, and another only once that one is gone and it did not help.
 */
import { totalmem } from 'node:os';
import { countIdleThreads, endThreads } from './node-threads.ts';
import { controlSlots, workerStates } from './protocol.ts';

export interface GuardedChain {
  readonly control: Int32Array;
  /** Bytes of resident memory of the process. */
  readonly ceilingBytes: number;
  readonly onExceeded: (message: string) => void;
}

interface Watched extends GuardedChain {
  heartbeat: number;
  quietSince: number;
}

const intervalMs = 100;
const watched = new Set<Watched>();
let timer: NodeJS.Timeout | null = null;
/** The chain that was asked to end and still occupies its memory. */
let ending: Watched | null = null;

/** Seven tenths of the memory of the machine or container. */
export function defaultMemoryCeiling(): number {
  const constrained = process.constrainedMemory();
  const total = totalmem();
  return (
    0.7 * (constrained !== undefined && constrained > 0 ? Math.min(constrained, total) : total)
  );
}

/** Returns a function that stops guarding; to be called when the thread is gone. */
export function guardMemory(chain: GuardedChain): () => void {
  const entry: Watched = { ...chain, heartbeat: -1, quietSince: performance.now() };
  watched.add(entry);
  timer ??= setInterval(check, intervalMs).unref();
  return () => {
    watched.delete(entry);
    if (ending === entry) ending = null;
    if (watched.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
}

function check(): void {
  const now = performance.now();
  for (const chain of watched) {
    const heartbeat = Atomics.load(chain.control, controlSlots.heartbeat);
    if (heartbeat !== chain.heartbeat) chain.quietSince = now;
    chain.heartbeat = heartbeat;
  }
  if (ending !== null) return;
  const resident = process.memoryUsage.rss();
  const suspects = [...watched].filter(
    (chain) => resident > chain.ceilingBytes && isBusy(chain.control),
  );
  if (suspects.length === 0) return;
  // threads that only wait for another chain are given up first
  if (countIdleThreads() > 0) {
    void endThreads();
    return;
  }
  ending = suspects.reduce((a, b) => (b.quietSince < a.quietSince ? b : a));
  const mebibytes = Math.round(ending.ceilingBytes / 2 ** 20);
  ending.onExceeded(
    `The program needs more memory than all chains together may use (${mebibytes} MiB).`,
  );
}

function isBusy(control: Int32Array): boolean {
  const state = Atomics.load(control, controlSlots.state);
  return state === workerStates.starting || state === workerStates.running;
}
