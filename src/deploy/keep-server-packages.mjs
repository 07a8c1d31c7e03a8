/**
 * Leaves in package.json the packages that the built service names; those of the dashboard are in its bundle. For the
 * image, before `npm prune`.
 */
import fs from 'node:fs';

const manifest = JSON.parse(fs.readFileSync('package.json', 'utf8'));
const folder = 'dist/server';
const text = fs
  .readdirSync(folder)
  .filter((name) => name.endsWith('.js'))
  .map((name) => fs.readFileSync(`${folder}/${name}`, 'utf8'))
  .join('\n');
/** As a whole, or with a path behind it; `@` stands before those of an operating system. */
const isNamed = (name) =>
  ['"', "'", '`'].some((quote) => text.includes(quote + name + quote)) ||
  ['"', "'", '`@', '"@'].some((before) => text.includes(`${before}${name}/`));
const all = Object.entries(manifest.dependencies);
manifest.dependencies = Object.fromEntries(all.filter(([name]) => isNamed(name)));
delete manifest.devDependencies;
fs.writeFileSync('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
