/**
 * Summarises variables outside the event loop: one variable with a million draws needs over a second, in which a
 * service would answer no requests and a worker would look dead.
 */

import { availableParallelism } from 'node:os';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { VariableDraws } from '../../posterior/draws.ts';
import { type SummaryRow, summariseVariable } from '../../posterior/summary.ts';
import { itemAt } from '../../shared/items.ts';
import { builtServerFile } from '../built-file.ts';

export interface SummaryRequest {
  readonly id: number;
  readonly draws: readonly VariableDraws[];
}

export interface SummaryAnswer {
  readonly id: number;
  readonly rows: SummaryRow[];
}

export interface SummaryDesk {
  /** Requests that keep it busy. */
  readonly atOnce: number;
  /**
   * Returns a row for each variable, in order. The caller gives up the draws: their memory moves to a thread, so no two
   * requests may share any.
   */
  summarise(draws: readonly VariableDraws[]): Promise<SummaryRow[]>;
  end(): Promise<void>;
}

const MOST_THREADS = 4;
/** Bytes of draws and intermediate results, over all threads: sorting needs about six times the size of the draws. */
const BYTES_AT_ONCE = 64 * 2 ** 20;
const BYTES_A_DRAW = 48;
/** Draws of a variable that are summarised in a few milliseconds, so no thread is needed. */
const FEW_DRAWS = 200_000;
/** Total values that justify threads: two running threads already halve a second, while new ones would save nothing. */
const MANY_VALUES = 2 ** 20;
/** How long threads for many short variables wait for the next run, or for the next summary of an active one. */
const KEPT_MS = 60_000;
/** Made-up draws by which a thread prepares: as many as V8 needs to compile the statistics. */
const PREPARED = { variables: 48, chains: 4, draws: 1000 };

/** For `numVariables` variables with `numDraws` draws each, over all chains. End it when done. */
export function openSummaryDesk(numDraws: number, numVariables: number): SummaryDesk {
  if (numDraws > FEW_DRAWS) return startSummaryThreads(threadsFor(numDraws));
  if (numDraws * numVariables >= MANY_VALUES) return takeKeptThreads(threadsFor(numDraws));
  return { atOnce: 2, summarise: summariseHere, end: async () => {} };
}

function threadsFor(numDraws: number): number {
  const most = Math.floor(BYTES_AT_ONCE / (BYTES_A_DRAW * numDraws));
  return Math.max(1, Math.min(most, MOST_THREADS, availableParallelism()));
}

interface KeptThreads {
  readonly threads: SummaryThreads;
  /** They stay until they are ended, not for some time. */
  arePrepared: boolean;
  users: number;
  leaving: NodeJS.Timeout | undefined;
}

let kept: KeptThreads | null = null;

/**
 * Starts the threads for many short variables and has each summarise some, so that the first reader of a large run
 * waits neither for the threads nor for V8. They do not keep the process alive, and stay until the returned function is
 * called.
 */
export async function prepareSummaryThreads(): Promise<() => Promise<void>> {
  const { variables, chains, draws } = PREPARED;
  const desk = takeKeptThreads(threadsFor(chains * draws), true);
  const prepared = kept;
  const madeUp = () =>
    Array.from({ length: variables }, (_, i) => ({
      variable: `x[${i + 1}]`,
      chains: Array.from({ length: chains }, (_, chain) =>
        Float64Array.from({ length: draws }, (_, n) => Math.sin((n + 1) * (i + 1) * (chain + 1.5))),
      ),
    }));
  try {
    await Promise.all(Array.from({ length: desk.atOnce }, () => desk.summarise(madeUp())));
  } finally {
    await desk.end();
  }
  return async () => {
    if (prepared !== null) await endKept(prepared);
  };
}

/** Threads that outlive their run for some time, since their code is compiled by then. */
function takeKeptThreads(count: number, arePrepared = false): SummaryDesk {
  if (kept === null || kept.threads.hasFailed())
    kept = { threads: startSummaryThreads(count), arePrepared, users: 0, leaving: undefined };
  const mine = kept;
  mine.arePrepared ||= arePrepared;
  clearTimeout(mine.leaving);
  mine.users += 1;
  mine.threads.hold(true);
  let isOpen = true;
  return {
    atOnce: mine.threads.atOnce,
    summarise: (draws) => mine.threads.summarise(draws),
    async end() {
      if (!isOpen) return;
      isOpen = false;
      mine.users -= 1;
      if (mine.users > 0) return;
      mine.threads.hold(false);
      if (mine !== kept) await mine.threads.end();
      else if (!mine.arePrepared)
        mine.leaving = setTimeout(() => void endKept(mine), KEPT_MS).unref();
    },
  };
}

async function endKept(threads: KeptThreads): Promise<void> {
  if (kept === threads) kept = null;
  await threads.threads.end();
}

/** Yields to the event loop between variables. */
async function summariseHere(draws: readonly VariableDraws[]): Promise<SummaryRow[]> {
  const rows: SummaryRow[] = [];
  for (const { variable, chains, superchains } of draws) {
    rows.push(summariseVariable(variable, chains, superchains));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return rows;
}

/** A desk with its own threads. */
export interface SummaryThreads extends SummaryDesk {
  /** Whether a thread ended by itself: then all requests fail. */
  hasFailed(): boolean;
  /** Whether the threads keep the process alive. */
  hold(isHeld: boolean): void;
}

interface Waiting {
  /** Index of the thread. */
  readonly at: number;
  readonly resolve: (rows: SummaryRow[]) => void;
  readonly reject: (error: Error) => void;
}

export function startSummaryThreads(count: number): SummaryThreads {
  const url = pathToFileURL(builtServerFile('node-summary-worker.js'));
  const waiting = new Map<number, Waiting>();
  let failure: Error | null = null;
  const fail = (error: Error) => {
    failure ??= error;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  const threads = Array.from({ length: count }, () => {
    const thread = new Worker(url, { env: {} });
    thread.on('message', ({ id, rows }: SummaryAnswer) => {
      waiting.get(id)?.resolve(rows);
      waiting.delete(id);
    });
    thread.on('error', fail);
    thread.on('exit', () => fail(new Error('A thread that summarises draws ended.')));
    return thread;
  });
  let asked = 0;
  return {
    // one that is ready when another is answered
    atOnce: count + 1,
    summarise: (draws) =>
      new Promise((resolve, reject) => {
        if (failure !== null) {
          reject(failure);
          return;
        }
        const at = leastBusy(count, waiting.values());
        const request: SummaryRequest = { id: asked++, draws };
        waiting.set(request.id, { at, resolve, reject });
        itemAt(threads, at).postMessage(request, buffersOf(draws));
      }),
    hasFailed: () => failure !== null,
    hold(isHeld) {
      for (const thread of threads) {
        if (isHeld) thread.ref();
        else thread.unref();
      }
    },
    async end() {
      await Promise.all(threads.map((thread) => thread.terminate()));
    },
  };
}

/** Index of the thread with the fewest requests. */
function leastBusy(count: number, waiting: Iterable<Waiting>): number {
  const numRequests = new Uint32Array(count);
  for (const { at } of waiting) numRequests[at] = (numRequests[at] ?? 0) + 1;
  return numRequests.indexOf(Math.min(...numRequests));
}

function buffersOf(draws: readonly VariableDraws[]): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  for (const { chains } of draws)
    for (const chain of chains) buffers.add(chain.buffer as ArrayBuffer);
  return [...buffers];
}
