/** Decides how many worker jobs Slurm should have, from the waiting work and the existing jobs. No I/O. */
import type { Demand } from '../service/worker/demand-watch.ts';

export interface SlurmJob {
  /** Its own number once it has started; before that, its array's. */
  readonly id: string;
  /** As Slurm's commands name it: `17_1`, the first of the array 17. */
  readonly name: string;
  readonly state: string;
  /** Of the same user, who may cancel it. */
  readonly isOwn: boolean;
  /** Seconds since it started. */
  readonly ranSeconds: number;
  /** Chains that its worker runs simultaneously. */
  readonly slots: number;
  /** Why it is waiting, in Slurm's words. */
  readonly reason: string;
}

export interface JobSize {
  /** Chains that a job runs simultaneously. */
  readonly slots: number;
  /** Jobs that may exist simultaneously. */
  readonly maxJobs: number;
}

export interface Plan {
  /** Jobs to submit. */
  readonly missing: number;
  /** Jobs waiting in Slurm without work waiting for them. */
  readonly surplus: readonly SlurmJob[];
}

/** Seconds within which the worker of a started job joins the database; after that, the job no longer counts. */
const START_SECONDS = 300;

/** Ended, or about to end. */
const ended = new Set(
  'COMPLETED COMPLETING CANCELLED FAILED TIMEOUT NODE_FAIL PREEMPTED BOOT_FAIL DEADLINE OUT_OF_MEMORY REVOKED'.split(
    ' ',
  ),
);
/** Ended by a fault of the job or its node, not by Slurm's rules or a person. */
const faults = new Set(['FAILED', 'NODE_FAIL', 'BOOT_FAIL', 'OUT_OF_MEMORY']);

export const isFault = ({ state }: SlurmJob): boolean => faults.has(state);
export const isWaiting = ({ state }: SlurmJob): boolean => state === 'PENDING';

/** Its worker has not joined yet, so it will take the work that is waiting now. */
function isComing(job: SlurmJob, joined: ReadonlySet<string>): boolean {
  if (isWaiting(job)) return true;
  return !ended.has(job.state) && !joined.has(job.id) && job.ranSeconds < START_SECONDS;
}

/** In addition to chains, a worker runs half as many programs in other languages. */
const programSlots = (slots: number) => Math.max(1, Math.floor(slots / 2));

/** Whether these jobs will take all waiting work. */
function isCovered(demand: Demand, coming: readonly SlurmJob[]): boolean {
  const chains = coming.reduce((sum, { slots }) => sum + slots, 0);
  const programs = coming.reduce((sum, { slots }) => sum + programSlots(slots), 0);
  const hasWorker = demand.workers > 0 || coming.length > 0;
  return (
    chains >= demand.chains && programs >= demand.programs && (demand.tasks === 0 || hasWorker)
  );
}

/** Waiting and starting jobs cover the waiting work, and never more than that. */
export function decide(demand: Demand, jobs: readonly SlurmJob[], size: JobSize): Plan {
  const wanted = demand.state === 'work' ? demand : { ...demand, chains: 0, programs: 0, tasks: 0 };
  const joined = new Set(demand.jobs);
  const coming = jobs.filter((job) => isComing(job, joined));
  const surplus = findSurplus(wanted, coming);
  const room = size.maxJobs - jobs.filter(({ state }) => !ended.has(state)).length;
  const added: SlurmJob[] = [];
  const next = { id: '', name: '', state: 'PENDING', isOwn: true, ranSeconds: 0, reason: '' };
  while (added.length < room && !isCovered(wanted, [...coming, ...added]))
    added.push({ ...next, slots: size.slots });
  return { missing: added.length, surplus };
}

/** The newest first: an older one may have been waiting for hours. */
function findSurplus(demand: Demand, coming: readonly SlurmJob[]): SlurmJob[] {
  let kept = coming;
  const byAge = new Intl.Collator('en', { numeric: true });
  for (const job of [...coming].sort((a, b) => byAge.compare(b.name, a.name))) {
    const rest = kept.filter((one) => one !== job);
    if (isWaiting(job) && job.isOwn && isCovered(demand, rest)) kept = rest;
  }
  return coming.filter((job) => !kept.includes(job));
}

/**
 * Keeps only what the last look found too. A worker with room takes a chain within two seconds, and one that has just
 * joined has yet to take its first, so what a single look finds may be gone a moment later.
 */
export function confirm(now: Plan, before: Plan | null): Plan {
  if (before === null) return { missing: 0, surplus: [] };
  const names = new Set(before.surplus.map(({ name }) => name));
  return {
    missing: Math.min(now.missing, before.missing),
    surplus: now.surplus.filter(({ name }) => names.has(name)),
  };
}
