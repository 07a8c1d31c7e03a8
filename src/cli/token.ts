/** `ergodic token`: creates a bearer token for a user. */
import type { Command } from 'commander';
import { StartError } from '../service/start-error.ts';
import { addStoreOptions, withStore } from './store-options.ts';
import { findNamed } from './user.ts';

interface TokenArguments {
  readonly user: string;
  readonly name: string;
  readonly days: string;
  readonly json?: boolean;
}

export function addTokenCommand(program: Command): void {
  const command = program
    .command('token')
    .description('create an API token and print it; it is shown only once')
    .option('--user <NAME>', 'whose', 'owner')
    .option('--name <NAME>', 'name of the token in the account', 'command line')
    .option('--days <N>', 'days until it expires', '7')
    .option('--json', 'print the token as JSON');
  addStoreOptions(command).action(
    async ({ user, name, days, json, ...rest }: TokenArguments & Record<string, unknown>) => {
      const lifeDays = Number(days);
      if (!(lifeDays > 0 && lifeDays <= 3650))
        throw new StartError('--days must be a number above 0, at most 3650.');
      const text = await withStore(rest, 'token', async ({ database }) => {
        const { insertToken } = await import('../service/repositories/tokens.ts');
        const row = await findNamed(database, user);
        const expiresAt = new Date(Date.now() + lifeDays * 86_400_000).toISOString();
        return (await insertToken(database.pool, { userId: row.id, kind: 'api', name, expiresAt }))
          .text;
      });
      process.stdout.write(json ? `${JSON.stringify({ token: text })}\n` : `${text}\n`);
    },
  );
}
