/** `ergodic worker`: samples for a service, on this machine or another. */
import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { readConfig } from '../service/config.ts';
import { StartError } from '../service/start-error.ts';
import { say } from './report.ts';
import { addStoreOptions, givenOptions, withStore } from './store-options.ts';

interface WorkerArguments {
  readonly workers?: string;
  readonly pool?: string[];
  readonly serviceUrl?: string;
}

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
    .option('--allow-fetch <HOST...>', 'a host from which files may be fetched');
  addStoreOptions(command).action(async (parsed: WorkerArguments & Record<string, unknown>) => {
    const { workers, pool = [], serviceUrl, ...rest } = parsed;
    const slots = workers === undefined ? availableParallelism() : Number(workers);
    if (!Number.isInteger(slots) || slots < 1)
      throw new StartError('--workers must be a whole number above 0.');
    const { dataDir, userChains, trustRuntimes, allowFetch } = readConfig(givenOptions(rest));
    await withStore(rest, 'worker', async (store) => {
      const { createLogger } = await import('../service/logging.ts');
      const { startWorkerProcess } = await import('../service/worker-process.ts');
      const { connection } = store.database;
      const settings = {
        connection,
        dataDir,
        slots,
        pools: pool,
        userChains,
        trustRuntimes,
        allowFetch,
        serviceUrl,
      };
      const worker = startWorkerProcess(settings, createLogger());
      await worker.ready;
      say(
        `Sampling, ${slots} chains at once${pool.length > 0 ? `, for ${pool.join(', ')}` : ''}. Ctrl-C stops.`,
      );
      await new Promise<void>((resolve) => {
        for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
          process.once(signal, () => resolve());
      });
      await worker.stop();
    });
  });
}
