/** Which file of a model is run, and with which runtime. */
import type { ModelTreeMeta } from './model-tree.ts';
import { defaultTreeMeta } from './model-tree.ts';

/** Runtimes by suffix of the entrance file (`env` if a model does not name one). */
const runtimeBySuffix: readonly (readonly [suffix: string, env: string])[] = [
  ['.stan', 'stan'],
  ['.jl', 'julia'],
  ['.py', 'python'],
  ['.r', 'r'],
  ['.js', 'javascript'],
  ['.mjs', 'javascript'],
  ['.bug', 'jags'],
  ['.bugs', 'jags'],
  ['.jags', 'jags'],
];

/** `stan`, `julia`, …; empty if the suffix is unknown. */
export function runtimeOfFile(path: string): string {
  const lower = path.toLowerCase();
  return runtimeBySuffix.find(([suffix]) => lower.endsWith(suffix))?.[1] ?? '';
}

/**
 * Path of the entrance file among `paths`. If `meta.entrance_file` is given, it decides; null if it names a file that
 * does not exist. Without one (or with the documented default, if no such file exists), the file nearest to the root
 * that is called `main` or `model` and has a known suffix, then the only program, then the only file.
 */
export function entranceFile(
  meta: ModelTreeMeta | null | undefined,
  paths: readonly string[],
): string | null {
  const named = meta?.entrance_file ?? '';
  if (paths.includes(named)) return named;
  if (named !== '' && named !== defaultTreeMeta.entrance_file) return null;
  if (paths.includes(defaultTreeMeta.entrance_file)) return defaultTreeMeta.entrance_file;
  const programs = paths.filter((path) => runtimeOfFile(path) !== '');
  const depth = (path: string) => path.split('/').length;
  const usual = programs
    .filter((path) => /(?:^|\/)(?:main|model)\.[^./]+$/i.test(path))
    .toSorted((a, b) => depth(a) - depth(b));
  if (usual.length > 0) return usual[0];
  const stan = programs.filter((path) => runtimeOfFile(path) === 'stan');
  if (stan.length === 1) return stan[0];
  if (programs.length === 1) return programs[0];
  return paths.length === 1 ? paths[0] : null;
}
