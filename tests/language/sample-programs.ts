/** The texts of the good sample programs, for tests that run over all of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, 'samples', 'good');

export const goodPrograms: readonly { readonly name: string; readonly text: string }[] =
  readdirSync(root)
    .sort()
    .map((name) => ({ name, text: readFileSync(join(root, name, 'main.stan'), 'utf8') }));
