/** The programs in other languages next to the TypeScript: each is valid in its own language. */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { itWith } from '../support/needs.ts';
import { PYTHON } from '../support/parts.mjs';

const src = path.resolve(import.meta.dirname, '../../src');
const filesOf = (suffix: string) =>
  readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(suffix))
    .map((file) => path.join(src, file));

/** Compiles without running and without leaving a file behind. */
const compile = `
import sys
for place in sys.argv[1:]:
    with open(place, encoding="utf-8") as file:
        compile(file.read(), place, "exec")
print(len(sys.argv) - 1)
`;

itWith('python', 'compiles every Python file of the sources', async () => {
  const files = filesOf('.py');
  expect(files.length).toBeGreaterThanOrEqual(5);
  const count = execFileSync(PYTHON, ['-c', compile, ...files], { encoding: 'utf8' });
  expect(Number(count)).toBe(files.length);
});

it('parses every shell script of the sources', async () => {
  const files = filesOf('.sh');
  expect(files.length).toBeGreaterThanOrEqual(2);
  for (const file of files) execFileSync('sh', ['-n', file], { stdio: 'inherit' });
});
