/** `ergodic purge`: permanently removes deleted objects and their files. */
import type { Command } from 'commander';
import { readConfig } from '../service/config.ts';
import { say } from './report.ts';
import { addStoreOptions, givenOptions, withStore } from './store-options.ts';

export function addPurgeCommand(program: Command): void {
  const command = program
    .command('purge')
    .description('permanently remove what was deleted more than 30 days ago')
    .option('--now', 'include everything deleted, however recently; this cannot be undone');
  addStoreOptions(command).action(async ({ now, ...rest }: Record<string, unknown>) => {
    await withStore(rest, 'purge', async ({ database }, dataDir) => {
      const { purgeRemoved } = await import('../service/repositories/objects.ts');
      const { openFileStore } = await import('../service/storage/open-file-store.ts');
      const purged = await purgeRemoved(database.pool, { now: now === true });
      const { files: place } = readConfig(givenOptions(rest));
      const files = await openFileStore({ files: place, dataDir });
      for (const id of purged.experimentIds) await files.removeFolder(`exports/${id}`);
      say(`Removed ${purged.objects} objects and ${purged.blobs} files that are no longer used.`);
    });
  });
}
