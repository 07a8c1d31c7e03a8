/** `ergodic worker --slurm`: submits worker jobs to Slurm as chains arrive, for as long as it runs. */
import { setTimeout } from 'node:timers/promises';
import { readVersion } from '../service/read-version.ts';
import type { Database } from '../service/repositories/database.ts';
import { StartError } from '../service/start-error.ts';
import { say } from './report.ts';
import type { SbatchOptions } from './sbatch.ts';

/** Chains of a job if no number is given: as many as a run has by default. */
export const DEFAULT_JOB_CHAINS = 4;
const DEFAULT_JOBS = 16;
/** Slurm's default for the largest array, 1001, counts from 0. */
const MOST_JOBS = 1000;

export interface SlurmSettings extends SbatchOptions {
  readonly maxJobs: number;
  readonly slurmOptions: readonly string[];
}

/** Options of `sbatch` that we set ourselves. */
const own = 'array job-name comment clusters wrap parsable test-only wait'.split(' ');
const ownLetters = 'aJMW';

export function readMaxJobs(text: string | undefined): number {
  const jobs = text === undefined ? DEFAULT_JOBS : Number(text);
  if (Number.isInteger(jobs) && jobs >= 1 && jobs <= MOST_JOBS) return jobs;
  throw new StartError(`--slurm-max-jobs must be a whole number from 1 to ${MOST_JOBS}.`);
}

/** Throws `StartError` for anything that is not an option, and for options that would make the jobs untraceable. */
export function checkSlurmOptions(options: readonly string[]): void {
  for (const option of options) {
    const name = /^--([a-z][a-z-]*)(=|$)/.exec(option)?.[1];
    const letter = /^-([a-zA-Z])/.exec(option)?.[1];
    if (name === undefined && letter === undefined)
      throw new StartError(
        `--slurm-option takes one option of sbatch, as in --slurm-option=--partition=low, not "${option}".`,
      );
    // sbatch accepts abbreviated names too
    const isOwn =
      name === undefined
        ? ownLetters.includes(letter as string)
        : own.some((one) => one === name || (name.length > 2 && one.startsWith(name)));
    if (isOwn)
      throw new StartError(`--slurm-option=${option} cannot be used: --slurm sets it itself.`);
  }
}

/** Runs until a signal arrives or an administrator retires it. */
export async function submitWorkers(
  { pool }: Pick<Database, 'pool'>,
  settings: SlurmSettings & { readonly script: string },
): Promise<void> {
  const { slots, maxJobs, pools, userChains, serviceUrl, script } = settings;
  const { slurmOptions: options } = settings;
  const { watchDemand } = await import('../service/worker/demand-watch.ts');
  const { slurmCommands } = await import('./slurm-commands.ts');
  const { LOOK_MS, SlurmLoop } = await import('./slurm-loop.ts');
  const runsPrograms = serviceUrl !== undefined;
  const version = readVersion();
  const watch = await watchDemand(pool, { pools, userChains, runsPrograms, version });
  const name = `ergodic-${watch.key}`;
  const loop = new SlurmLoop({
    watch,
    commands: slurmCommands(name, slots),
    script,
    options,
    slots,
    maxJobs,
    say,
  });
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => ending.abort());
  say(`Submitting workers for ${slots} chains each to Slurm as ${name}, up to ${maxJobs} jobs.`);
  try {
    while (!ending.signal.aborted && (await loop.look()) !== 'retire')
      await setTimeout(LOOK_MS, undefined, { signal: ending.signal }).catch(() => {});
  } finally {
    await watch.end();
  }
  say('Stopped submitting. Jobs in Slurm continue, and end when idle; starting again finds them.');
}
