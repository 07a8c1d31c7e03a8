/** The dashboard's test files by what they need, which decides whether they share a process. */
import fs from 'node:fs';
import path from 'node:path';

export interface DashboardFiles {
  /** They need no window. */
  readonly plain: string[];
  /** They need a window and all modules as they are. */
  readonly pages: string[];
  /** They need a window and replace modules, so they cannot use those that another file has loaded. */
  readonly replacing: string[];
}

/** Paths relative to `root`. A file that needs a window says so in its first line. */
export function dashboardFiles(root: string): DashboardFiles {
  const files = fs
    .readdirSync(path.join(root, 'tests/dashboard'), { recursive: true })
    .map((name) => path.posix.join('tests/dashboard', String(name).split(path.sep).join('/')))
    .filter((file) => /\.test\.tsx?$/.test(file))
    .map((file) => ({ file, text: fs.readFileSync(path.join(root, file), 'utf8') }));
  const needsWindow = ({ text }: { text: string }) => text.startsWith('// Runs in a window.\n');
  const replaces = ({ text }: { text: string }) => /\bvi\.(do)?mock\(/i.test(text);
  const pathOf = ({ file }: { file: string }) => file;
  return {
    plain: files.filter((one) => !needsWindow(one) && !replaces(one)).map(pathOf),
    pages: files.filter((one) => needsWindow(one) && !replaces(one)).map(pathOf),
    replacing: files.filter(replaces).map(pathOf),
  };
}
