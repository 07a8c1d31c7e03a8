/** Programs that the formatter and the stricter checks are tried on: samples, and those of posteriordb. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { goodPrograms } from '../sample-programs.ts';

const posteriordb = join(import.meta.dirname, '..', '..', 'engine', 'posteriordb');

export const realPrograms: readonly { readonly name: string; readonly text: string }[] = [
  ...goodPrograms,
  ...readdirSync(posteriordb)
    .filter((name) => name.endsWith('.stan'))
    .sort()
    .map((name) => ({ name, text: readFileSync(join(posteriordb, name), 'utf8') })),
];
