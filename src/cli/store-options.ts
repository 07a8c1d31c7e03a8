/** Options of commands that need the database, and access to it. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type Command, Option } from 'commander';
import { readConfig, serviceOptions } from '../service/config.ts';
import type { Role } from '../service/migrations/handshake.ts';
import type { OptionRow } from '../service/oidc-config.ts';
import type { Store } from '../service/open-store.ts';
import { say } from './report.ts';

/** Adds rows of the service's options; list options may be repeated. Parsed options keep their kebab-case names. */
export function addOptions(command: Command, rows: readonly OptionRow[]): Command {
  for (const row of rows) {
    const flags = row.kind === 'flag' ? `--${row.name}` : `--${row.name} <${row.value ?? 'VALUE'}>`;
    const option = new Option(flags, row.meaning);
    if (row.kind === 'list') {
      option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
    }
    command.addOption(option);
  }
  return command;
}

const storeNames = new Set(['data', 'database-url', 'direct-database-url', 'files']);
const storeRows = serviceOptions.filter((row) => storeNames.has(row.name));

export function addStoreOptions(command: Command): Command {
  return addOptions(command, storeRows);
}

/** Converts commander's camelCase back to the options' own names. */
export function givenOptions(
  parsed: Readonly<Record<string, unknown>>,
): Record<string, string | boolean | string[]> {
  return Object.fromEntries(
    Object.entries(parsed).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
      value as string | boolean | string[],
    ]),
  );
}

/** Like {@link withStore}, but removes a newly created data folder if `work` fails. */
export async function withNewStore<T>(
  parsed: Readonly<Record<string, unknown>>,
  what: string,
  work: (store: Store, dataDir: string) => Promise<T>,
): Promise<T> {
  const { dataDir, databaseUrl } = readConfig(givenOptions(parsed));
  const isNew = databaseUrl === '' && isAbsentOrEmpty(dataDir);
  const wasThere = existsSync(dataDir);
  try {
    return await withStore(parsed, what, work);
  } catch (error) {
    // PostgreSQL has stopped by now: the store is closed before anything is thrown
    if (isNew) emptyDataFolder(dataDir, { isKept: wasThere });
    throw error;
  }
}

function emptyDataFolder(dataDir: string, { isKept }: { isKept: boolean }): void {
  // if the database could not be placed in the folder, this file says where it is
  const marker = path.join(dataDir, 'postgres-place');
  if (existsSync(marker))
    rmSync(readFileSync(marker, 'utf8').trim(), { recursive: true, force: true });
  for (const name of existsSync(dataDir) ? readdirSync(dataDir) : [])
    rmSync(path.join(dataDir, name), { recursive: true, force: true });
  if (!isKept) rmSync(dataDir, { recursive: true, force: true });
}

const isAbsentOrEmpty = (folder: string) => !existsSync(folder) || readdirSync(folder).length === 0;

/** Opens the store for the duration of `work`, alongside a running service or alone. `role`: see the handshake. */
export async function withStore<T>(
  parsed: Readonly<Record<string, unknown>>,
  what: string,
  work: (store: Store, dataDir: string) => Promise<T>,
  role: Role = 'leader',
): Promise<T> {
  const { joinStore } = await import('../service/open-store.ts');
  const { dataDir, databaseUrl, directDatabaseUrl } = readConfig(givenOptions(parsed));
  const store = await joinStore({
    dataDir,
    databaseUrl,
    directDatabaseUrl,
    role,
    what: `ergodic ${what}`,
    say,
    maxConnections: 4,
  });
  try {
    return await work(store, dataDir);
  } finally {
    await store.close();
  }
}
