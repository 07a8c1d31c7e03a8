/**
 * Leaves in package.json only the packages that the built service contains or names, not those of the dashboard alone.
 * Used for the image, before `npm prune`, which keeps whatever package.json lists.
 */
import fs from 'node:fs';

const manifest = JSON.parse(fs.readFileSync('package.json', 'utf8'));
const folder = 'dist/server';
const text = fs
  .readdirSync(folder)
  .filter((name) => name.endsWith('.cjs'))
  .map((name) => fs.readFileSync(`${folder}/${name}`, 'utf8'))
  .join('\n');
/** By its name alone, or followed by a path; an `@` prefix marks packages for one operating system. */
const isNamed = (name) =>
  ['"', "'", '`'].some((quote) => text.includes(quote + name + quote)) ||
  ['"', "'", '`@', '"@'].some((before) => text.includes(`${before}${name}/`));
const held = new Set(JSON.parse(fs.readFileSync(`${folder}/packages.json`, 'utf8')));
const all = Object.entries(manifest.dependencies);
manifest.dependencies = Object.fromEntries(all.filter(([name]) => held.has(name) || isNamed(name)));
delete manifest.devDependencies;
fs.writeFileSync('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
