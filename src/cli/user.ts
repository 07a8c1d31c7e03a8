/** `ergodic user add | passwd | sign-out | list`. */
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import type { Store } from '../service/open-store.ts';
import { StartError } from '../service/start-error.ts';
import { say } from './report.ts';
import { addStoreOptions, withStore } from './store-options.ts';

type Parsed = Record<string, unknown>;

export function addUserCommands(program: Command): void {
  const user = program.command('user').description('manage user accounts');
  const add = user
    .command('add <name>')
    .description('create a user; asks for the password (or reads it from the first line of stdin)')
    .option('--super', 'can see and change everything');
  addStoreOptions(add).action(async (name: string, { super: isSuper, ...rest }: Parsed) => {
    if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u.test(name)) {
      throw new StartError(
        'A user name may contain letters, digits, dots, dashes and underscores, at most 64 in all.',
      );
    }
    const passwordHash = await hashNewPassword();
    await withStore(rest, 'user add', async ({ database }) => {
      const { ensureOwner, insertUser } = await import('../service/repositories/users.ts');
      await ensureOwner(database.pool);
      const row = await insertUser(database.pool, {
        name,
        passwordHash,
        isSuper: isSuper === true,
      });
      if (row === null)
        throw new StartError(
          `The user ${name} already exists (ergodic user passwd ${name} changes the password).`,
        );
      say(`Created user ${name}(@${row.id}).`);
    });
  });
  const passwd = user
    .command('passwd <name>')
    .description('set a new password and end the sessions that used the old one');
  addStoreOptions(passwd).action(async (name: string, rest: Parsed) => {
    const passwordHash = await hashNewPassword();
    await withStore(rest, 'user passwd', (store) => setPassword(store, name, passwordHash));
  });
  const signOut = user
    .command('sign-out <name>')
    .description('end all sessions and API tokens of a user');
  addStoreOptions(signOut).action(async (name: string, rest: Parsed) => {
    await withStore(rest, 'user sign-out', async ({ database }) => {
      const { endTokens } = await import('../service/repositories/tokens.ts');
      const row = await findNamed(database, name);
      await endTokens(database.pool, { userId: row.id });
      say(`All sessions and tokens of ${name} have ended.`);
    });
  });
  const list = user
    .command('list')
    .description('list the users')
    .option('--json', 'print the list as JSON');
  addStoreOptions(list).action(async ({ json, ...rest }: Parsed) => {
    const rows = await withStore(rest, 'user list', async ({ database }) => {
      const { listUsers } = await import('../service/repositories/users.ts');
      return (await listUsers(database.pool)).map((row) => ({
        id: row.id,
        name: row.name,
        super: row.super,
        has_password: row.password_hash !== null,
        created_at: row.created_at,
      }));
    });
    const line = (row: (typeof rows)[number]) =>
      `${row.name}(@${row.id})${row.super ? ' super' : ''}${row.has_password ? '' : ' no password yet'}`;
    process.stdout.write(json ? `${JSON.stringify(rows)}\n` : `${rows.map(line).join('\n')}\n`);
  });
}

async function setPassword({ database }: Store, name: string, passwordHash: string): Promise<void> {
  const { updatePassword } = await import('../service/repositories/users.ts');
  const { endTokens } = await import('../service/repositories/tokens.ts');
  const row = await findNamed(database, name);
  if (row.password_hash === null && (await hasProvidedAccount(database, row.id)))
    throw new StartError(`${name} signs in with the identity provider and has no password here.`);
  await updatePassword(database.pool, row.id, passwordHash);
  await endTokens(database.pool, { userId: row.id, kinds: ['login', 'start'] });
  say(`The password of ${name} has been set.`);
}

/** Throws `StartError` if there is none. */
export async function findNamed({ pool }: Store['database'], name: string) {
  const { ensureOwner, findUserByName } = await import('../service/repositories/users.ts');
  await ensureOwner(pool);
  const row = await findUserByName(pool, name.replace(/\(@\d+\)$/, ''));
  if (row === null)
    throw new StartError(`There is no user ${name} (ergodic user list shows all users).`);
  return row;
}

async function hasProvidedAccount({ pool }: Store['database'], id: number): Promise<boolean> {
  const { listIdentities } = await import('../service/repositories/identities.ts');
  return (await listIdentities(pool, id)).some((one) => one.is_account_made);
}

async function hashNewPassword(): Promise<string> {
  const password = process.stdin.isTTY ? await askTwice() : await readFirstLine();
  const { minPasswordLength } = await import('../contract/account.ts');
  if (password.length < minPasswordLength) {
    throw new StartError(`A password must have at least ${minPasswordLength} characters.`);
  }
  const { hashPassword } = await import('../service/auth/passwords.ts');
  return hashPassword(password);
}

async function readFirstLine(): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) return line;
  return '';
}

async function askTwice(): Promise<string> {
  const first = await askHidden('New password: ');
  const second = await askHidden('Again: ');
  if (first !== second) throw new StartError('The two passwords differ; nothing was changed.');
  return first;
}

/** Reads a line from a terminal without echoing it. */
function askHidden(question: string): Promise<string> {
  process.stderr.write(question);
  const { stdin } = process;
  return new Promise((resolve, reject) => {
    let text = '';
    const onData = (chunk: Buffer) => {
      for (const character of chunk.toString('utf8')) {
        if (character === '\r' || character === '\n') {
          finish();
          resolve(text);
          return;
        }
        if (character === '\u0003') {
          finish();
          reject(new StartError('Nothing was changed.'));
          return;
        }
        text = character === '\u007f' ? text.slice(0, -1) : text + character;
      }
    };
    const finish = () => {
      stdin.off('data', onData);
      stdin.setRawMode(false);
      stdin.pause();
      process.stderr.write('\n');
    };
    stdin.setRawMode(true);
    stdin.resume();
    stdin.on('data', onData);
  });
}
