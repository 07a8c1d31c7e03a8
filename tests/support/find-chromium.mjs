/** Finds the browser for tests: the variable CHROMIUM, or one of the usual names on PATH. */
import fs from 'node:fs';
import path from 'node:path';

/** @returns {string | null} */
export function findChromium() {
  const named = process.env.CHROMIUM;
  if (named) return named;
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    // The first draws the same pages with two thirds of the work: it has no window around them.
    for (const name of [
      'chromium-headless-shell',
      'chromium',
      'chromium-browser',
      'google-chrome',
    ]) {
      const file = path.join(folder, name);
      try {
        fs.accessSync(file, fs.constants.X_OK);
        return file;
      } catch {
        // Not here.
      }
    }
  }
  return null;
}
