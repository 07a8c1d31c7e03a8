/** A job queue in memory for tests: nothing runs until `drain`, and time stops until `pass`. */
import type {
  JobData,
  JobHandler,
  JobName,
  JobOutcome,
  JobQueue,
  SendOptions,
} from '../../src/service/jobs/job-queue.ts';

interface WaitingJob {
  readonly name: JobName;
  readonly data: JobData[JobName];
  readonly key: string | null;
  readonly dueSeconds: number;
  readonly priority: number;
}

export interface MemoryQueue extends JobQueue {
  /** Runs all due jobs, and those they send, until none is left; returns their outcomes in order. */
  drain(): Promise<JobOutcome[]>;
  pass(seconds: number): void;
  readonly waiting: readonly WaitingJob[];
}

export function createMemoryQueue(): MemoryQueue {
  let jobs: WaitingJob[] = [];
  let nowSeconds = 0;
  const handlers = new Map<JobName, JobHandler<JobName>>();
  const add = (name: JobName, data: JobData[JobName], options: SendOptions = {}) => {
    const { key = null, afterSeconds = 0, priority = 0 } = options;
    if (key !== null && jobs.some((job) => job.name === name && job.key === key)) return;
    jobs.push({ name, data, key, dueSeconds: nowSeconds + afterSeconds, priority });
  };
  return {
    get waiting() {
      return jobs;
    },
    async send(name, data, options) {
      add(name, data, options);
    },
    async work(name, handler) {
      handlers.set(name, handler as JobHandler<JobName>);
    },
    async start() {},
    async bringBack() {},
    isBusy: () => false,
    async stop() {},
    pass(seconds) {
      nowSeconds += seconds;
    },
    async drain() {
      const outcomes: JobOutcome[] = [];
      for (;;) {
        const due = jobs.filter((job) => job.dueSeconds <= nowSeconds && handlers.has(job.name));
        const next = due.toSorted((a, b) => b.priority - a.priority)[0];
        if (next === undefined) return outcomes;
        jobs = jobs.filter((job) => job !== next);
        const outcome = await (handlers.get(next.name) as JobHandler<JobName>)(next.data as never);
        outcomes.push(outcome);
        if (outcome.kind === 'retry') {
          add(next.name, next.data, {
            key: next.key ?? undefined,
            afterSeconds: outcome.afterSeconds,
          });
        }
      }
    },
  };
}
