/**
 * Keeps as many worker jobs in Slurm as the waiting work needs. Slurm decides where and when they run; this decides
 * only how many there are. It decides again at each look, so a restart continues where the last process stopped.
 */
import { isUnavailable } from '../service/repositories/database.ts';
import type { Demand, DemandWatch } from '../service/worker/demand-watch.ts';
import { type SlurmCommands, SlurmRefusal } from './slurm-commands.ts';
import {
  confirm,
  decide,
  isFault,
  isWaiting,
  type JobSize,
  type Plan,
  type SlurmJob,
} from './slurm-decision.ts';

export interface SlurmLoopDeps extends JobSize {
  readonly watch: DemandWatch;
  readonly commands: SlurmCommands;
  readonly script: string;
  readonly options: readonly string[];
  readonly say: (text: string) => void;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

/** Milliseconds between looks at the database; more than the two seconds in which a worker with room takes a chain. */
export const LOOK_MS = 5000;
/** Milliseconds after which Slurm is asked again although no new work is waiting: each call burdens its controller. */
const LIST_MS = 30_000;
const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 600_000;

/** Waits longer after each failure. */
class Patience {
  private numFailed = 0;
  private until = Number.NEGATIVE_INFINITY;

  isOver(now: number): boolean {
    return now >= this.until;
  }

  fail(now: number): number {
    const wait = Math.min(FIRST_WAIT_MS * 2 ** this.numFailed, LONGEST_WAIT_MS);
    this.numFailed += 1;
    this.until = now + wait;
    return wait / 1000;
  }

  succeed(): void {
    this.numFailed = 0;
    this.until = Number.NEGATIVE_INFINITY;
  }
}

export class SlurmLoop {
  private jobs: readonly SlurmJob[] | null = null;
  private listedAt = Number.NEGATIVE_INFINITY;
  private last: Plan | null = null;
  private lastDemand = '';
  private lastSaid = '';
  private readonly judged = new Set<string>();
  private readonly slurm = new Patience();
  private readonly starts = new Patience();

  constructor(private readonly deps: SlurmLoopDeps) {}

  /** Looks once and returns the state that an administrator wants. Throws `StartError` if it cannot continue. */
  async look(): Promise<Demand['state']> {
    try {
      const demand = await this.deps.watch.look();
      if (demand.state === 'retire') return 'retire';
      if (!this.isSettled(demand))
        await this.deps.watch.alone(async () => this.act(await this.deps.watch.look()));
      return demand.state;
    } catch (error) {
      if (error instanceof SlurmRefusal) this.wait(this.slurm, error.message);
      else if (isUnavailable(error)) this.sayOnce('The database does not answer.');
      else throw error;
      return 'work';
    }
  }

  private now(): number {
    return this.deps.now?.() ?? performance.now();
  }

  /** Nothing to do as far as is known, or not yet. */
  private isSettled(demand: Demand): boolean {
    const now = this.now();
    if (!this.slurm.isOver(now)) return true;
    if (this.jobs === null) return false;
    const hasWork = demand.chains > 0 || demand.programs > 0;
    const needsWorker = demand.tasks > 0 && demand.workers === 0;
    if (!hasWork && !needsWorker && !this.jobs.some(isWaiting)) {
      this.last = null;
      return true;
    }
    const mayStart = this.last?.missing !== 0 && this.starts.isOver(now);
    const isDone = !mayStart && this.last?.surplus.length === 0;
    return isDone && textOf(demand) === this.lastDemand && now - this.listedAt < LIST_MS;
  }

  private async act(demand: Demand): Promise<void> {
    const { commands, slots, maxJobs } = this.deps;
    const jobs = await commands.list();
    this.slurm.succeed();
    this.judge(jobs, demand);
    const plan = decide(demand, jobs, { slots, maxJobs });
    const { missing, surplus } = confirm(plan, this.last);
    this.jobs = jobs;
    this.listedAt = this.now();
    this.last = plan;
    this.lastDemand = textOf(demand);
    if (surplus.length > 0) await this.cancel(surplus);
    if (missing > 0 && this.starts.isOver(this.now())) await this.submit(missing, demand);
    if (missing === 0 && surplus.length === 0) this.sayWaiting(jobs);
  }

  /** A job whose worker exits immediately would be replaced again and again for as long as the chain waits. */
  private judge(jobs: readonly SlurmJob[], demand: Demand): void {
    const isJoined = ({ id, state }: SlurmJob) => state === 'RUNNING' && demand.jobs.includes(id);
    if (jobs.some(isJoined)) this.starts.succeed();
    const failed = jobs.filter((job) => isFault(job) && !this.judged.has(job.name));
    for (const { name } of failed) this.judged.add(name);
    // failures of an earlier submitter's jobs are not new
    if (failed.length === 0 || this.jobs === null) return;
    const [{ name, state }] = failed;
    this.wait(this.starts, `Job ${name} ended as ${state}; its output says why.`);
  }

  private async submit(missing: number, demand: Demand): Promise<void> {
    const { commands, script, options, slots, say } = this.deps;
    let id: string;
    try {
      id = await commands.submit({ count: missing, script, slots, options });
    } catch (error) {
      if (!(error instanceof SlurmRefusal)) throw error;
      return this.wait(this.starts, error.message);
    }
    this.jobs = await commands.list();
    this.last = null;
    const size = `${countOf(missing, 'worker')} of ${countOf(slots, 'chain')}`;
    say(`Submitted array job ${id}: ${size}, with ${countOf(demand.chains, 'chain')} waiting.`);
    this.lastSaid = '';
  }

  private async cancel(surplus: readonly SlurmJob[]): Promise<void> {
    await this.deps.commands.cancel(surplus);
    const names = surplus.map(({ name }) => name).join(', ');
    this.deps.say(`Cancelled jobs that are no longer needed and had not started: ${names}.`);
    this.lastSaid = '';
  }

  private sayWaiting(jobs: readonly SlurmJob[]): void {
    const reasons = new Set(jobs.filter(isWaiting).map(({ reason }) => reason));
    reasons.delete('None');
    if (reasons.size > 0) this.sayOnce(`Jobs wait in Slurm: ${[...reasons].join(', ')}.`);
  }

  private wait(patience: Patience, reason: string): void {
    const seconds = patience.fail(this.now());
    this.sayOnce(`${reason}\nTrying again in ${seconds} seconds.`);
  }

  private sayOnce(text: string): void {
    if (text !== this.lastSaid) this.deps.say(text);
    this.lastSaid = text;
  }
}

const countOf = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;
const textOf = (demand: Demand): string => JSON.stringify(demand);
