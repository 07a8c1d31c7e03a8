/** Faults between machines: one file at a time, since each has several services and workers. Needs `npm run build` first. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['tests/faults/**/*.test.ts'],
    environment: 'node',
    // Bounds on hanging, not on speed: the machine may be slow and busy.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    maxWorkers: 1,
  },
});
