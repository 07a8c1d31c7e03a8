/** Browser tests: the built app in Chromium. Two files at a time: a page waits more than it works. */
import { defineConfig } from 'vitest/config';
import { slowestFirst } from '../support/slowest-first.ts';

const slowest = [
  'accessibility',
  'stories-others',
  'stories-experiment',
  'stories-flow',
  'openings',
  'first-light',
  'rough-weather',
  'stories-models',
  'stories-launch',
  'stories-account',
].map((name) => `tests/e2e/${name}.test.ts`);

export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['tests/e2e/**/*.test.ts'],
    environment: 'node',
    testTimeout: 240_000,
    hookTimeout: 120_000,
    // other tests run beside these
    expect: { poll: { timeout: 30_000 } },
    // A machine with too much to do loses a click or a frame now and then; what fails twice is a fault. The runner names
    // what needed it.
    retry: 1,
    pool: 'forks',
    // A process loads Playwright once for the files it takes; each file has our modules for itself.
    isolate: false,
    setupFiles: ['tests/support/fresh-modules.ts'],
    maxWorkers: 2,
    sequence: { sequencer: slowestFirst(slowest) },
  },
});
