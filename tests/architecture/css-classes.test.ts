/** Every class that a component takes from a CSS module exists there: a renamed one would silently lose its style. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** Classes that the component at `file` names and its module lacks. */
function missingClasses(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const imports = text.matchAll(/import (\w+) from '(\.[^']*\.module\.css)'/g);
  return [...imports].flatMap(([, name, path]) => {
    const css = readFileSync(resolve(file, '..', path), 'utf8').replace(/\/\*.*?\*\//gs, '');
    const defined = new Set([...css.matchAll(/\.([a-zA-Z][\w-]*)/g)].map((match) => match[1]));
    const used = [...text.matchAll(new RegExp(`(?<![./\\w-])${name}\\.(\\w+)`, 'g'))];
    return [...new Set(used.map((match) => match[1]))]
      .filter((className) => !defined.has(className))
      .map((className) => `${relative(root, file)}: ${path} has no class "${className}"`);
  });
}

it('every class that a component names is in its CSS module', () => {
  const components = readdirSync(join(root, 'src/dashboard'), {
    withFileTypes: true,
    recursive: true,
  })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.tsx'))
    .map((entry) => join(entry.parentPath, entry.name));
  expect(components.length).toBeGreaterThan(100);
  expect(components.flatMap(missingClasses)).toEqual([]);
});
