/** What `dashboard/objects` defines once for all features is written nowhere else. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** Matches of `pattern` in the dashboard's sources outside `home`, as `file:line text`. */
function written(pattern: RegExp, home: string): string[] {
  return readdirSync(join(root, 'src/dashboard'), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => file !== home)
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      return [...text.matchAll(pattern)].map(({ 0: found, index }) => {
        const line = text.slice(0, index).split('\n').length;
        return `${file}:${line} ${found.replace(/\s+/g, ' ').trim()}`;
      });
    });
}

describe('the dashboard', () => {
  it('makes every query key in objects/query-keys.ts', () => {
    const home = 'src/dashboard/objects/query-keys.ts';
    const literal = /queryKey\s*[:=]\s*\[|(?:queryKeys|changes)\s*[:=]\s*\[\s*\[/g;
    const begins =
      /\[\s*(?:'(?:(?:model|data|experiment|workflow|share|event|callback|relation|project)s|system|account|notifications)'|`\$\{\w+\}s`)\s*[,\]]/g;
    expect([...written(literal, home), ...written(begins, home)]).toEqual([]);
  });

  it('takes the client from its context, not as a property', () => {
    const property =
      /<(?!QueryClientProvider)\w+[^>]*\sclient=\{|interface \w+Props[^}]*\bclient: Client/g;
    expect(written(property, 'src/dashboard/objects/use-client.ts')).toEqual([]);
  });

  it('lists the statuses of an unfinished run in one file only', () => {
    const all = /'NEW'[^;]{0,80}'RUN'[^;]{0,80}'SAMPLE_FIN'/g;
    expect(written(all, 'src/dashboard/objects/live-status.ts')).toEqual([]);
  });
});
