/** `npm run bench -- NAME …`: runs one measurement of this folder; without a name, lists them. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = import.meta.dirname;
/** The parts that measurements use. */
const parts = [
  'event-loop.ts',
  'gradient-cases.ts',
  'lay-draws.ts',
  'main-thread.ts',
  'posterior-options.ts',
  'run.ts',
  'serve-built.ts',
  'service-ingest.ts',
];
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.ts') && !parts.includes(file))
  .map((file) => path.basename(file, '.ts'))
  .sort();

const [name = '', ...rest] = process.argv.slice(2);
if (!names.includes(name)) {
  process.stderr.write(`npm run bench -- NAME, where NAME is one of: ${names.join(', ')}\n`);
  process.exit(name === '' ? 0 : 2);
}
const file = path.join(folder, `${name}.ts`);
// The measurement sees only its own arguments.
process.argv = [process.execPath, file, ...rest];
await import(pathToFileURL(file).href);
