/** The built files once more, packed: the service would otherwise pack each again for each browser. Used by Vite alone. */
import fs from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Bytes; from here on the service packs what it sends. */
const SMALLEST = 1024;
/** The last steps of Brotli, to 11, take ten times as long for a tenth less. */
const QUALITY = 9;
/** Fonts of the web are packed as they are. */
const isPackable = (name: string) => /\.(?:js|css|svg|ttf)$/.test(name);

/** Writes `<name>.br` and `<name>.gz` beside the scripts, style sheets, pictures and fonts of the build. */
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
