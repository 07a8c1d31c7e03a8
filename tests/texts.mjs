/**
 * `npm run texts`: every text that a user can see, as `file:line<tab>text`, so that all of them can be read the way
 * a newcomer would read them. It prints a few names too many rather than miss a text.
 *
 *   node tests/texts.mjs [folder or file …]
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findTexts } from './support/find-texts.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
/** Programs that others run or draw: their strings are code. */
const CODE = /^src\/language\/emit\/|\.gen\.ts$/;

function filesOf(place) {
  const full = path.join(root, place);
  if (fs.statSync(full).isFile()) return [place];
  return fs
    .readdirSync(full, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|mjs)$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)))
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => !CODE.test(file))
    .sort();
}

const places = process.argv.length > 2 ? process.argv.slice(2) : ['src'];
const lines = places
  .flatMap(filesOf)
  .flatMap((file) =>
    findTexts(fs.readFileSync(path.join(root, file), 'utf8'), file).map(
      ({ line, text }) => `${file}:${line}\t${text}`,
    ),
  );
process.stdout.write(`${lines.join('\n')}\n`);
