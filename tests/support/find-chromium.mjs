/** Finds the browser for tests: the variable CHROMIUM, or one of the usual names on PATH. */
import fs from 'node:fs';
import path from 'node:path';

/** @returns {string | null} */
export function findChromium() {
  const named = process.env.CHROMIUM;
  if (named) return named;
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
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
