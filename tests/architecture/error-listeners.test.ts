/** Anything that can emit an `error` event (connections, processes, threads, servers) always has a listener. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const folders = ['src/service', 'src/cli', 'src/engine'];

interface SourceText {
  readonly file: string;
  readonly text: string;
}

const sources: readonly SourceText[] = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({
      file: relative(root, file),
      text: readFileSync(file, 'utf8')
        .replace(/\/\*[\s\S]*?\*\//g, '')
        .replace(/^\s*\/\/.*$/gm, ''),
    })),
);

const filesWith = (pattern: RegExp) =>
  sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

describe('connections of the database', () => {
  it('are created in one file, and pooled and checked out in another', () => {
    const home = 'src/service/repositories';
    const clients = filesWith(/new pg\.Client\b|extends pg\.Client\b/);
    expect(clients).toEqual([`${home}/server-client.ts`]);
    expect(filesWith(/new pg\.Pool\b|extends pg\.Pool\b/)).toEqual([`${home}/database.ts`]);
    expect(filesWith(/\b(pool|db)\.connect\(/)).toEqual([`${home}/database.ts`]);
  });

  it('are never made by the job queue itself', () => {
    const [queue] = sources.filter(({ text }) => /new Boss\(/.test(text));
    expect(queue.text).toMatch(/new Boss\(\{\s*db:/);
    expect(filesWith(/new (Pg)?Boss\(/)).toHaveLength(1);
  });
});

describe('a file that starts', () => {
  const kinds = {
    'a process': /(?<![.\w])(spawn|fork|execFile)\(/,
    'a thread': /new Worker\(/,
    'a server': /\b(net|http|https|tls)\.createServer\(/,
    'an outgoing connection': /\b(net|tls)\.connect\(/,
  };
  it.each(Object.entries(kinds))('%s listens for its errors permanently', (_, pattern) => {
    const silent = sources
      .filter(({ text }) => pattern.test(text))
      // `once` leaves a second error without a listener.
      .filter(({ text }) => !/\.on\(\s*'error'/.test(text))
      .map(({ file }) => file);
    expect(silent).toEqual([]);
  });
});
