/** Browser tests: the built app in Chromium. Two files at a time: a page waits more than it works. */
import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The longest, longest first: begun last, one of them would run alone for a minute. */
const longest = [
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
];

class LongestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = longest.indexOf(basename(moduleId, '.test.ts'));
      return place < 0 ? longest.length : place;
    };
    return Promise.resolve(files.toSorted((a, b) => placeOf(a) - placeOf(b)));
  }
}

export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['tests/e2e/**/*.test.ts'],
    environment: 'node',
    testTimeout: 240_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
  },
});
