/** `ergodic backup FILE` and `ergodic restore FILE`. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { readConfig } from '../service/config.ts';
import { StartError } from '../service/start-error.ts';
import { say } from './report.ts';
import { addStoreOptions, givenOptions, withNewStore, withStore } from './store-options.ts';

export function addBackupCommand(program: Command): void {
  const backup = program
    .command('backup <file>')
    .description('write a backup of all data to one file; the service can keep running');
  addStoreOptions(backup).action(async (file: string, rest: Record<string, unknown>) => {
    if (existsSync(file)) throw new StartError(`${file} already exists. Choose another name.`);
    await withStore(rest, 'backup', async ({ database }) => {
      const { writeBackup } = await import('../service/storage/backup.ts');
      const rows = await writeBackup(database.pool, file);
      say(`${rows} rows written to ${file}.`);
      if (readConfig(givenOptions(rest)).databaseUrl !== '')
        say(
          'For point-in-time recovery, also archive the server’s log with PostgreSQL’s own tools (pg_basebackup and WAL archiving); see src/deploy/README.md.',
        );
    });
  });
}

export function addRestoreCommand(program: Command): void {
  const restore = program
    .command('restore <file>')
    .description('restore a backup into an empty data folder or database');
  addStoreOptions(restore).action(async (file: string, rest: Record<string, unknown>) => {
    if (!existsSync(file)) throw new StartError(`The file ${file} does not exist.`);
    await withNewStore(rest, 'restore', async ({ database }) => {
      const { readBackup } = await import('../service/storage/backup.ts');
      const rows = await readBackup(database.pool, file);
      say(`${rows} rows read from ${file}.`);
    });
  });
}
