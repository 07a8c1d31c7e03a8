/** Browser tests: the built app in Chromium. Two files at a time: a page waits more than it works. */
import { defineConfig } from 'vitest/config';
import { leftOut } from '../support/long-tests.mjs';
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
    exclude: leftOut,
    environment: 'node',
    testTimeout: 240_000,
    hookTimeout: 120_000,
    // other tests run at the same time
    expect: { poll: { timeout: 30_000 } },
    // An overloaded machine loses a click or a frame now and then; a test that fails twice has found a fault. The
    // runner lists the tests that needed a retry.
    retry: 1,
    pool: 'forks',
    // A process loads Playwright once for all its files; each file has its own instances of our modules.
    isolate: false,
    setupFiles: ['tests/support/fresh-modules.ts'],
    maxWorkers: 2,
    sequence: { sequencer: slowestFirst(slowest) },
  },
});
