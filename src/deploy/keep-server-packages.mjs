/**
 * Leaves in package.json the packages that the built service holds or names, not those of the dashboard alone. For the
 * image, before `npm prune`: what stays is what its list of packages says.
 */
import fs from 'node:fs';

const manifest = JSON.parse(fs.readFileSync('package.json', 'utf8'));
const folder = 'dist/server';
const text = fs
  .readdirSync(folder)
  .filter((name) => name.endsWith('.cjs'))
  .map((name) => fs.readFileSync(`${folder}/${name}`, 'utf8'))
  .join('\n');
/** As a whole, or with a path behind it; `@` stands before those of an operating system. */
const isNamed = (name) =>
  ['"', "'", '`'].some((quote) => text.includes(quote + name + quote)) ||
  ['"', "'", '`@', '"@'].some((before) => text.includes(`${before}${name}/`));
const held = new Set(JSON.parse(fs.readFileSync(`${folder}/packages.json`, 'utf8')));
const all = Object.entries(manifest.dependencies);
manifest.dependencies = Object.fromEntries(all.filter(([name]) => held.has(name) || isNamed(name)));
delete manifest.devDependencies;
fs.writeFileSync('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
