import { describe, expect, it } from 'vitest';
import { dataFileOf, treeFilesOf } from '../../../src/dashboard/features/launching/tree-data.ts';

const dump = 'N <- 3\ny <- c(1, 2, 3)\n';

/** Path of the data of `entrance` among files with these paths. */
function found(entrance: string | null, ...paths: string[]): string | undefined {
  const texts = new Map(paths.map((path) => [path, path.endsWith('.json') ? '{}' : dump]));
  return dataFileOf(treeFilesOf(texts), entrance)?.path;
}

describe('the data stored beside a program', () => {
  it.each([
    ['cjs.stan', ['cjs.data.json', 'inits.json']],
    ['cjs.stan', ['cjs.json']],
    ['models/CJS.stan', ['data/cjs.data.R']],
    ['line.bug', ['line-data.R', 'line-inits.R']],
    ['main.stan', ['data.json', 'settings.json']],
    ['main.stan', ['main.data.json', 'data.json']],
  ])('of %s are the first of %j', (entrance, paths) => {
    expect(found(entrance, entrance, ...paths)).toBe(paths[0]);
  });

  it.each([
    ['two files may be meant', 'cjs.stan', ['cjs.data.json', 'cjs.data.R']],
    ['two folders have one', 'main.stan', ['a/data.json', 'b/data.json']],
    ['a file has another name', 'cjs.stan', ['other.json']],
    ['columns have to be mapped first', 'cjs.stan', ['cjs.csv']],
    ['the runtime reads its own files', 'main.py', ['main.json', 'data.json']],
    ['there is no program', null, ['data.json']],
  ])('are not chosen if %s', (_reason, entrance, paths) => {
    expect(found(entrance, ...paths)).toBeUndefined();
  });
});
