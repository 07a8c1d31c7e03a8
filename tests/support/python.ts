/** The programs in which users open our files: Debian's python3 with its packages, and sqlite3. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PYTHON, SAMPLERS_PYTHON } from './parts.mjs';

const run = promisify(execFile);

/** Runs a script with arguments; what it prints is JSON. */
export async function python(script: string, ...args: string[]): Promise<unknown> {
  const { stdout } = await run(PYTHON, ['-c', script, ...args], { maxBuffer: 2 ** 26 });
  return JSON.parse(stdout) as unknown;
}

/** Like `python`, but with the packages from pip that Debian lacks. */
export async function samplersPython(script: string, ...args: string[]): Promise<unknown> {
  const given = ['-W', 'ignore', '-c', script, ...args];
  const { stdout } = await run(SAMPLERS_PYTHON, given, { maxBuffer: 2 ** 26 });
  return JSON.parse(stdout) as unknown;
}

export async function sqlite(file: string, query: string): Promise<unknown[]> {
  const { stdout } = await run('sqlite3', ['-readonly', '-json', file, query], {
    maxBuffer: 2 ** 26,
  });
  return stdout.trim() === '' ? [] : (JSON.parse(stdout) as unknown[]);
}
