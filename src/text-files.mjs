/**
 * SQL and programs in other languages are in separate files, imported as text: `import tasks from './tasks.py?raw'`. Vite
 * and vitest know `?raw`; this does the same for esbuild, which ignores the suffix and uses the name.
 */

/** esbuild's `loader`. `.guest.js` is JavaScript that runs elsewhere, not in the bundle. */
export const textLoader = {
  '.sql': 'text',
  '.py': 'text',
  '.R': 'text',
  '.sh': 'text',
  '.guest.js': 'text',
};
