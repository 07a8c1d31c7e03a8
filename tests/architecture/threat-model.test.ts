/** The service's threat model names tests: each of them exists. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..', '..');
const page = readFileSync(path.join(root, 'src/service/README.md'), 'utf8');
const rows = page
  .slice(page.indexOf('## Threat model'))
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| who | may'));
const named = rows.flatMap((row) =>
  Array.from((row.split('|').at(-2) ?? '').matchAll(/`([^`]+)`/g), ([, name]) => name),
);

describe('the threat model', () => {
  it('names a test for each forbidden action', () => {
    expect(rows.length).toBeGreaterThan(15);
    for (const row of rows) expect(row.split('|').at(-2)).toMatch(/`[^`]+`/);
  });

  it.each([...new Set(named)])('%s exists', (name) => {
    const place = path.join(root, 'tests', name);
    const files = existsSync(place) ? readdirOf(place) : [`${place}.test.ts`, `${place}.test.tsx`];
    expect(files.some((file) => existsSync(file))).toBe(true);
  });
});

/** Node 20 does not have glob. */
const readdirOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.test\.tsx?$/.test(file))
    .map((file) => path.join(folder, file));
