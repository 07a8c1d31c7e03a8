/** Finds built programs: next to this bundle, or in `dist/server` when run from the sources. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const isBundled = !import.meta.url.endsWith('.ts');
const here = path.dirname(fileURLToPath(import.meta.url));

/** Absolute path of a program in `dist/server`. */
export function builtServerFile(name: string): string {
  return isBundled ? path.join(here, name) : path.join(here, '..', '..', 'dist', 'server', name);
}

/** Absolute path of the built dashboard. */
export function builtWebFolder(): string {
  return isBundled ? path.join(here, '..', 'web') : path.join(here, '..', '..', 'dist', 'web');
}

/** The root of the installation, which contains package.json. */
export function rootFolder(): string {
  return path.join(here, '..', '..');
}
