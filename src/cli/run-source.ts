/** The draws that `ergodic run --from` reads: the files of a finished run, or a folder of them. */
import { readFileSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { SourceDraws } from '../engine/chain-state.ts';
import { ImportError, type ImportedDraws } from '../formats/imported-draws.ts';
import { readDrawFiles } from '../formats/read-draw-files.ts';
import { err, ok, type Result } from '../shared/result.ts';

/** The draws of each chain. The error is a message for the terminal. */
export async function readSources(
  paths: readonly string[],
): Promise<Result<readonly SourceDraws[], string>> {
  try {
    const files = (await Promise.all(paths.map(filesOf))).flat();
    if (files.length === 0)
      return err(
        `${paths.join(', ')} has no CSV files from a run (--from): name the folder that --out wrote, or its files.`,
      );
    const { draws } = await readDrawFiles(
      files.map((path) => ({ name: basename(path), bytes: readFileSync(path) })),
    );
    return ok(draws.chains.map((chain) => sourceOf(draws, chain)));
  } catch (error) {
    if (error instanceof ImportError)
      return err(`Cannot read the draws (--from): ${error.message}`);
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return err(`Cannot read the draws ${paths.join(', ')} (--from): ${code}.`);
  }
}

async function filesOf(path: string): Promise<string[]> {
  if (!statSync(path).isDirectory()) return [path];
  const names = (await readdir(path)).filter((name) => name.toLowerCase().endsWith('.csv'));
  return names
    .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .map((name) => join(path, name));
}

function sourceOf(
  { columns }: ImportedDraws,
  { draws }: ImportedDraws['chains'][number],
): SourceDraws {
  const count = draws[0]?.length ?? 0;
  const values = new Float64Array(columns.length * count);
  draws.forEach((column, c) => values.set(column, c * count));
  return { columns: columns.map(({ name }) => name), count, values, isParametersOnly: false };
}
