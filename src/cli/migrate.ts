/** `ergodic migrate`: updates a database to this version before its services and workers start. */
import type { Command } from 'commander';
import { say } from './report.ts';
import { addStoreOptions, withStore } from './store-options.ts';

export function addMigrateCommand(program: Command): void {
  const command = program
    .command('migrate')
    .description('migrate a database to this version, before its services and workers start');
  addStoreOptions(command).action(async (rest: Record<string, unknown>) => {
    await withStore(rest, 'migrate', async ({ database }) => {
      const { findVersions } = await import('../service/repositories/versions.ts');
      const { schema, engine } = await findVersions(database.pool);
      say(`The database has schema ${schema} and engine ${engine}.`);
    });
  });
}
