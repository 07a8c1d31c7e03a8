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
}

export function addWorkerCommand(program: Command): void {
  const command = program
    .command('worker')
    .description('sample for a service: give the database it uses')
    .option('--workers <N>', 'chains at once (the machine’s cores)')
    .option('--pool <NAME...>', 'serve only runs whose run_on is one of these words');
  addStoreOptions(command).action(async (parsed: WorkerArguments & Record<string, unknown>) => {
    const { workers, pool = [], ...rest } = parsed;
    const slots = workers === undefined ? availableParallelism() : Number(workers);
    if (!Number.isInteger(slots) || slots < 1)
      throw new StartError('--workers must be a whole number above 0.');
    const { dataDir } = readConfig(givenOptions(rest));
    await withStore(rest, 'worker', async (store) => {
      const { createLogger } = await import('../service/logging.ts');
      const { startWorkerProcess } = await import('../service/worker-process.ts');
      const settings = { connection: store.database.connection, dataDir, slots, pools: pool };
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
