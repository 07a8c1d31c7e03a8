/** Compressed copies of the built files: otherwise the service compresses each for each browser. Used by Vite only. */
import fs from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Bytes; the service compresses what it sends from this size on. */
const SMALLEST = 1024;
/** Brotli's highest levels, up to 11, take ten times as long to save another tenth. */
const QUALITY = 9;
/** Web fonts are already compressed. */
const isPackable = (name: string) => /\.(?:js|css|svg|ttf)$/.test(name);

/** Writes `<name>.br` and `<name>.gz` next to the scripts, style sheets, pictures and fonts of the build. */
export function packedBeside(): Plugin {
  return {
    name: 'packed-beside',
    apply: 'build',
    writeBundle({ dir = '' }, bundle) {
      for (const name of Object.keys(bundle).filter(isPackable)) pack(path.join(dir, name));
    },
  };
}

function pack(file: string): void {
  const bytes = fs.readFileSync(file);
  if (bytes.length < SMALLEST) return;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  fs.writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
  fs.writeFileSync(`${file}.gz`, gzipSync(bytes));
}
