/** Vitest for `npm run mutate`: sources as the instrumenter wrote them, and a runner that tries their mutants. */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const work = process.env.MUTATE_WORK ?? '';
const sources = new Map<string, string>(
  JSON.parse(fs.readFileSync(path.join(work, 'sources.json'), 'utf8')),
);

export default defineConfig({
  root,
  plugins: [
    {
      name: 'mutants',
      enforce: 'pre',
      load: (id) => sources.get(path.relative(root, id).split(path.sep).join('/')),
    },
  ],
  define: { global: 'globalThis' },
  test: {
    include: ['tests/**/*.test.{ts,tsx}'],
    runner: path.join(root, 'tests/mutation/runner.ts'),
    setupFiles: [path.join(root, 'tests/support/fresh-modules.ts')],
    // as in the dashboard's own project
    alias: [
      { find: /^\.\/monaco\.ts$/, replacement: path.join(root, 'tests/support/fake-monaco.ts') },
    ],
    // One reused process, which keeps the packages it has loaded.
    pool: 'forks',
    isolate: false,
    fileParallelism: false,
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 5_000 } },
    reporters: [['default', { summary: false }]],
    silent: true,
  },
});
