/** What the build writes next to its files: the same bytes, compressed, if that is worthwhile. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { packedBeside } from '../../../src/dashboard/build/packed-beside.ts';

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'ergodic-packed-'));
afterAll(() => fs.rmSync(dir, { recursive: true, force: true }));

it('scripts and style sheets get compressed copies, small files and web fonts do not', () => {
  const script = 'export const x = 1;\n'.repeat(200);
  const files = { 'a.js': script, 'a.css': script, 'small.js': 'export {};', 'a.woff2': script };
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(dir, name), text);
  const write = packedBeside().writeBundle as (options: unknown, bundle: unknown) => void;
  write({ dir }, files);
  const added = fs.readdirSync(dir).filter((name) => !Object.hasOwn(files, name));
  expect(added.sort()).toEqual(['a.css.br', 'a.css.gz', 'a.js.br', 'a.js.gz']);
  const read = (name: string) => fs.readFileSync(path.join(dir, name));
  expect(brotliDecompressSync(read('a.js.br')).toString()).toBe(script);
  expect(gunzipSync(read('a.js.gz')).toString()).toBe(script);
  expect(read('a.js.br').length).toBeLessThan(script.length / 10);
});
