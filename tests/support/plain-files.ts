/** The dashboard's test files that need no window and mock no module: they can share a process. */
import fs from 'node:fs';
import path from 'node:path';

/** Paths relative to `root`. */
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
