/**
 * SQL and programs in other languages are files of their own, imported as text: `import tasks from './tasks.py?raw'`. Vite and
 * vitest know `?raw`; this is the same for esbuild, which ignores the suffix and goes by the name.
 */

/** esbuild's `loader`. `.guest.js` is JavaScript that runs elsewhere, not in the bundle. */
export const textLoader = {
  '.sql': 'text',
  '.py': 'text',
  '.R': 'text',
  '.sh': 'text',
  '.guest.js': 'text',
};
