/** Work that any worker may do later: the interface, and the list of jobs. */
import type { Executor } from '../repositories/database.ts';

/** Job name → its payload. */
export interface JobData {
  /** Computes statistics, verdict and counts, and tidies the storage, of a run whose chains have all ended. */
  finalise: { readonly experimentId: number };
  /** Removes what was deleted long ago. */
  purge: Record<string, never>;
  /** Prepares the data of a run before its chains are queued. */
  data_script: { readonly experimentId: number };
  /** A call of a cloud function or callback for which no caller waits. */
  function_call: { readonly callId: number };
  /** Draws files that are too large to be read while their sender waits. */
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

/** Handlers never throw into the queue: they report the outcome. */
export type JobOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'retry'; readonly afterSeconds: number; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

export type JobHandler<N extends JobName> = (data: JobData[N]) => Promise<JobOutcome>;

export interface SendOptions {
  /** Sent when this transaction commits, otherwise not at all. */
  readonly tx?: Executor;
  /** Only one job with a given name and key waits at a time; a second is dropped. */
  readonly key?: string;
  readonly afterSeconds?: number;
  /** Among waiting jobs with the same name, the highest runs next; 0 when absent. */
  readonly priority?: number;
}

export interface JobQueue {
  send<N extends JobName>(name: N, data: JobData[N], options?: SendOptions): Promise<void>;
  /** Runs jobs with this name from now on, up to `concurrency` at the same time. */
  work<N extends JobName>(name: N, handler: JobHandler<N>, concurrency?: number): Promise<void>;
  start(): Promise<void>;
  /** For a clock that was set back: jobs sent while it was ahead become due after the same delay, counted from now. */
  bringBack(): Promise<void>;
  /** Whether a handler is running in this process. */
  isBusy(): boolean;
  /** How many processes run jobs: with many, only some look at each new job. Absent: it makes no difference. */
  noteWorkers?(workers: number): void;
  /** Lets running handlers finish. */
  stop(): Promise<void>;
}

/** Queues statistics, counts and compaction of a run whose status is already set; sent when the transaction commits. */
export function sendFinalise(
  queue: JobQueue,
  tx: Executor,
  experimentId: number,
  afterSeconds: number,
): Promise<void> {
  return queue.send('finalise', { experimentId }, { tx, key: String(experimentId), afterSeconds });
}
