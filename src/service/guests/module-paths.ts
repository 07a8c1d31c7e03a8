/** Resolves names in a guest's `import` statements: only paths between its own files are allowed. */

const segmentPattern = /^[^\\:\0]+$/;

/**
 * Path of the module that the file `from` imports as `name`. `name` must begin with `./` or `../` and stay inside the
 * tree; anything else (packages, `node:`, addresses, absolute paths) is refused with a message.
 */
export function resolveModule(
  from: string,
  name: string,
): { ok: true; path: string } | { ok: false; error: string } {
  const refuse = (why: string) => ({
    ok: false as const,
    error: `${JSON.stringify(name.slice(0, 200))} cannot be imported: ${why}`,
  });
  if (!/^\.\.?\//.test(name))
    return refuse('a function can import only files of its own tree, as in "./lib.js".');
  const path = from.split('/').slice(0, -1);
  for (const segment of name.split('/')) {
    if (segment === '.') continue;
    if (segment === '..') {
      if (path.pop() === undefined) return refuse('it leaves the tree.');
    } else if (!segmentPattern.test(segment)) return refuse('it is not a path of the tree.');
    else path.push(segment);
  }
  return { ok: true, path: path.join('/') };
}
