/**
 * The programs in which other people open our files: Debian's python3 with h5py, netCDF4 and xarray, sqlite3, and pyinvoke. A
 * test that needs one which is not there says so; with CI=true it fails.
 */
import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { it } from 'vitest';

const run = promisify(execFile);

/** Debian's, which has the packages, whatever comes first on PATH. */
export const PYTHON = '/usr/bin/python3';

/** Runs a script with arguments; what it prints is JSON. */
export async function python(script: string, ...args: string[]): Promise<unknown> {
  const { stdout } = await run(PYTHON, ['-c', script, ...args], { maxBuffer: 2 ** 26 });
  return JSON.parse(stdout) as unknown;
}

export async function sqlite(file: string, query: string): Promise<unknown[]> {
  const { stdout } = await run('sqlite3', ['-readonly', '-json', file, query], {
    maxBuffer: 2 ** 26,
  });
  return stdout.trim() === '' ? [] : (JSON.parse(stdout) as unknown[]);
}

function isThere(file: string, args: readonly string[]): boolean {
  try {
    execFileSync(file, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const hasPlainPython = isThere(PYTHON, ['--version']);
const hasShell = isThere('sh', ['-c', 'true']);
const hasRuff = isThere('ruff', ['--version']);
const hasPython = isThere(PYTHON, ['-c', 'import h5py, netCDF4, xarray']);
const hasInvoke = isThere(PYTHON, ['-c', 'import invoke']);
const hasSqlite = isThere('sqlite3', ['-version']);

function itWith(isHere: boolean, requirement: string) {
  return (name: string, test: () => Promise<void>): void => {
    it(name, async () => {
      if (isHere) return test();
      if (process.env.CI === 'true') throw new Error(requirement);
      process.stdout.write(`not run: ${name}: ${requirement}\n`);
    });
  };
}

export const itWithPlainPython = itWith(hasPlainPython, 'needs /usr/bin/python3');
export const itWithShell = itWith(hasShell, 'needs sh on PATH');
/** Not part of Debian before 13, so its absence fails nothing. */
export const itWithRuff = (name: string, test: () => Promise<void>) =>
  it.runIf(hasRuff)(name, test);
export const itWithPython = itWith(
  hasPython,
  'needs /usr/bin/python3 with h5py, netCDF4 and xarray (Debian: python3-h5py python3-netcdf4 python3-xarray)',
);
export const itWithSqlite = itWith(hasSqlite, 'needs sqlite3 on PATH (Debian: sqlite3)');
export const itWithInvoke = itWith(
  hasInvoke,
  'needs /usr/bin/python3 with pyinvoke (Debian: python3-invoke)',
);
