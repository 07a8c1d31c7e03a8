/** The files of the dashboard's tests that need no window and replace no module: they can share a process. */
import fs from 'node:fs';
import path from 'node:path';

/** Paths from `root`. */
export function plainFiles(root: string): string[] {
  return fs
    .readdirSync(path.join(root, 'tests/dashboard'), { recursive: true })
    .map((name) => path.posix.join('tests/dashboard', String(name).split(path.sep).join('/')))
    .filter((file) => /\.test\.tsx?$/.test(file))
    .filter((file) => {
      const text = fs.readFileSync(path.join(root, file), 'utf8');
      return !text.includes('@vitest-environment') && !/\bvi\.(do)?mock\(/i.test(text);
    });
}
