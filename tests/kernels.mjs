/**
 * Compiles `src/math/kernels/assembly/` to WebAssembly, as text in compiled.gen.ts beside it: `npm run kernels`. The result is
 * committed, so that only those who change a kernel wait for the compiler; a test compares it with the sources.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const program = fileURLToPath(import.meta.url);
const folder = path.join(path.dirname(program), '..', 'src', 'math', 'kernels', 'assembly');
export const compiledFile = path.join(folder, '..', 'compiled.gen.ts');

/** Vector instructions, no run-time library, memory from outside; warning 112 is about pairs of numbers in signatures. */
const options =
  '--enable simd --runtime stub --importMemory --initialMemory 1 -O3 --noAssert --disableWarning 112 --noColors';

/** The text of compiled.gen.ts. */
export async function compiledText() {
  let module = null;
  let messages = '';
  const { error } = await asc.main(
    ['index.ts', '--outFile', 'kernels.wasm', ...options.split(' ')],
    {
      readFile: readSource,
      writeFile: (name, contents) => {
        if (name === 'kernels.wasm') module = contents;
      },
      listFiles: () => [],
      stderr: {
        write: (text) => {
          messages += text;
        },
      },
    },
  );
  if (error !== null || module === null) throw new Error(messages || String(error));
  return (
    '/** Compiled from the folder `assembly` by `npm run kernels`. */\n' +
    `export const compiled =\n  '${Buffer.from(module).toString('base64')}';\n`
  );
}

/** Null for a file that does not exist, as the compiler expects. */
function readSource(name) {
  try {
    return readFileSync(path.join(folder, name), 'utf8');
  } catch {
    return null;
  }
}

if (process.argv[1] === program) writeFileSync(compiledFile, await compiledText());
