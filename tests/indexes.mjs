/**
 * Checks that the service and the dashboard never assume an index is in range: reruns the compiler with
 * `noUncheckedIndexedAccess`, ignoring errors in other rooms.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { indexErrors, isBroken } from './support/index-errors.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
const options = ['-p', '.', '--noUncheckedIndexedAccess', '--pretty', 'false'];
const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, ...options], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 2 ** 28,
});
const errors = indexErrors(stdout);
for (const error of errors) process.stdout.write(`${error}\n`);
if (errors.length > 0)
  process.stdout.write('Check the item, give a fallback, or use itemAt of src/shared/items.ts.\n');
if (isBroken(stdout, status))
  process.stdout.write(`The compiler did not run: ${stdout}${stderr}\n`);
process.exitCode = errors.length > 0 || isBroken(stdout, status) ? 1 : 0;
