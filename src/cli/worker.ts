/** `ergodic worker`: samples for a service, on this machine or another. */
import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { readConfig, type ServiceConfig, serviceOptions } from '../service/config.ts';
import type { Store } from '../service/open-store.ts';
import type { Database } from '../service/repositories/database.ts';
import { StartError } from '../service/start-error.ts';
import type { WorkerSettings } from '../service/worker-messages.ts';
import { say } from './report.ts';
import { writeJobScript, writeSbatch } from './sbatch.ts';
import { checkSlurmOptions, DEFAULT_JOB_CHAINS, readMaxJobs, submitWorkers } from './slurm.ts';
import { addOptions, addStoreOptions, givenOptions, withStore } from './store-options.ts';

interface WorkerArguments {
  readonly workers?: string;
  readonly pool?: string[];
  readonly serviceUrl?: string;
  readonly exitWhenIdle?: string | true;
  readonly sbatch?: boolean;
  readonly slurm?: boolean;
  readonly slurmMaxJobs?: string;
  readonly slurmOption?: string[];
}

/** If no number is given: long enough for the next run of somebody looking at the last one. */
const IDLE_SECONDS = 300;

const metricsRows = serviceOptions.filter((row) => row.name.startsWith('metrics-'));

export function addWorkerCommand(program: Command): void {
  const command = program
    .command('worker')
    .description('run chains for a service, with the database that it uses')
    .option('--workers <N>', 'chains that run in parallel (default: number of cores)')
    .option(
      '--user-chains <N>',
      'chains of one user that run in parallel, on all machines (default: no limit)',
    )
    .option('--pool <NAME...>', 'serve only runs whose run_on is one of these names')
    .option('--service-url <URL>', 'address of the service, for Python, Julia and R programs')
    .option('--trust-runtimes', 'run these programs even without a sandbox')
    .option('--allow-fetch <HOST...>', 'a host from which files may be fetched')
    .option('--exit-when-idle [SECONDS]', 'exit after this long without work (default 300)')
    .option('--sbatch', 'print a script for Slurm with these options, and start nothing')
    .option(
      '--slurm',
      'submit such workers to Slurm as jobs when chains are waiting (--workers: 4)',
    )
    .option('--slurm-max-jobs <N>', 'jobs that may be in Slurm at once (default 16)')
    .option(
      '--slurm-option <OPTION>',
      'an option for sbatch, as in --slurm-option=--partition=low; may be repeated',
      (option: string, before: string[] | undefined) => [...(before ?? []), option],
    );
  addOptions(command, metricsRows);
  addStoreOptions(command).action(async (parsed: WorkerArguments & Record<string, unknown>) => {
    const { workers, pool = [], serviceUrl, exitWhenIdle, sbatch, ...others } = parsed;
    const { slurm, slurmMaxJobs, slurmOption: slurmOptions = [], ...rest } = others;
    const usual = slurm === true ? DEFAULT_JOB_CHAINS : availableParallelism();
    const slots = workers === undefined ? usual : Number(workers);
    if (!Number.isInteger(slots) || slots < 1)
      throw new StartError('--workers must be a whole number above 0.');
    const idleSeconds = readIdle(exitWhenIdle);
    const config = readConfig(givenOptions(rest));
    if (sbatch === true) {
      const script = writeSbatch({ ...config, slots, pools: pool, serviceUrl, idleSeconds });
      process.stdout.write(script);
      return;
    }
    if (slurm === true) {
      checkSlurmOptions(slurmOptions);
      const maxJobs = readMaxJobs(slurmMaxJobs);
      const jobs = {
        ...config,
        slots,
        pools: pool,
        serviceUrl,
        idleSeconds,
        maxJobs,
        slurmOptions,
      };
      const script = writeJobScript(jobs);
      const submit = (store: Store) => submitWorkers(store.database, { ...jobs, script });
      await withStore(rest, 'worker', submit, 'follower');
      return;
    }
    const { metricsPort: port, metricsHost: host } = config;
    const wanted = {
      slots,
      pools: pool,
      serviceUrl,
      idleSeconds,
      metrics: port < 0 ? undefined : { port, host },
    };
    await withStore(rest, 'worker', (store) => run(store.database, config, wanted), 'follower');
  });
}

function readIdle(text: string | true | undefined): number | undefined {
  if (text === undefined || text === true) return text && IDLE_SECONDS;
  const seconds = Number(text);
  if (seconds > 0) return seconds;
  throw new StartError(`--exit-when-idle must be a number of seconds above 0, not "${text}".`);
}

type Wanted = Pick<WorkerSettings, 'slots' | 'pools' | 'serviceUrl' | 'idleSeconds' | 'metrics'>;

/** Runs until it is stopped or ends by itself. */
async function run(
  { connection }: Pick<Database, 'connection'>,
  { dataDir, files, userChains, trustRuntimes, allowFetch }: ServiceConfig,
  wanted: Wanted,
): Promise<void> {
  const { createLogger } = await import('../service/logging.ts');
  const { startWorkerProcess } = await import('../service/worker-process.ts');
  const settings = {
    ...wanted,
    isOwnProcess: true,
    job: process.env.SLURM_JOB_ID,
    connection,
    dataDir,
    files,
    userChains,
    trustRuntimes,
    allowFetch,
  };
  const worker = startWorkerProcess(settings, createLogger());
  // a signal during startup counts too
  const signalled = new Promise<null>((resolve) => {
    // Slurm sends SIGTERM more than once, and the second must not cut short what the first began; Ctrl-C may
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process[signal === 'SIGINT' ? 'once' : 'on'](signal, () => resolve(null));
  });
  const { slots, pools } = wanted;
  void worker.ready.then(() =>
    say(
      `Sampling, ${slots} chains at once${pools.length > 0 ? `, for ${pools.join(', ')}` : ''}. Press Ctrl-C to stop.`,
    ),
  );
  const end = await Promise.race([worker.over, signalled]);
  if (end === null) await worker.stop();
  else if (end.isFault) throw new StartError(end.reason);
  else say(end.reason);
}
