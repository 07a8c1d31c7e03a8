/** Work that is done later, by whichever worker comes first: the interface, and the jobs there are. */
import type { Executor } from '../repositories/database.ts';

/** Job name → what it carries. */
export interface JobData {
  /** Statistics, verdict, counts and tidy storage of a run whose chains have all ended. */
  finalise: { readonly experimentId: number };
  /** Removes what was deleted long ago. */
  purge: Record<string, never>;
  /** Prepares the data of a run before its chains are queued. */
  data_script: { readonly experimentId: number };
  /** A call of a cloud function or callback that nobody waits for. */
  function_call: { readonly callId: number };
  /** Files of draws that are too large to be read while their sender waits. */
  import: { readonly experimentId: number };
  /** Analysis of a workflow's experiment. */
  analyse: { readonly analysisId: number };
  /** Leave-one-out of a finished run by moment matching. */
  match_moments: { readonly experimentId: number };
}

export type JobName = keyof JobData;
export const jobNames: readonly JobName[] = [
  'finalise',
  'purge',
  'function_call',
  'data_script',
  'import',
  'analyse',
  'match_moments',
];

/** No throw crosses the queue: a handler says how it went. */
export type JobOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'retry'; readonly afterSeconds: number; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

export type JobHandler<N extends JobName> = (data: JobData[N]) => Promise<JobOutcome>;

export interface SendOptions {
  /** Sent when this transaction commits, and not at all when it does not. */
  readonly tx?: Executor;
  /** One job of a name and key waits at a time; a second is dropped. */
  readonly key?: string;
  readonly afterSeconds?: number;
  /** Of jobs of one name that wait, the highest is next; 0 when absent. */
  readonly priority?: number;
}

export interface JobQueue {
  send<N extends JobName>(name: N, data: JobData[N], options?: SendOptions): Promise<void>;
  /** Takes jobs of this name from now on, `concurrency` at once. */
  work<N extends JobName>(name: N, handler: JobHandler<N>, concurrency?: number): Promise<void>;
  start(): Promise<void>;
  /** The clock was set back: jobs that were sent while it was ahead are due as long from now as they were from then. */
  bringBack(): Promise<void>;
  /** Whether a handler of this process is at work. */
  isBusy(): boolean;
  /** How many processes take jobs: with many, not each looks at each new one. Absent: it makes no difference. */
  noteWorkers?(workers: number): void;
  /** Lets running handlers end. */
  stop(): Promise<void>;
}

/** Queues statistics, counts and compact storage of a run whose status is set; sent when the transaction commits. */
export function sendFinalise(
  queue: JobQueue,
  tx: Executor,
  experimentId: number,
  afterSeconds: number,
): Promise<void> {
  return queue.send('finalise', { experimentId }, { tx, key: String(experimentId), afterSeconds });
}
