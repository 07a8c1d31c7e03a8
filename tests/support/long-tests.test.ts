/** The list of long tests: an entry that matched nothing would look like a test that CI runs. */
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { longTests } from './long-tests.mjs';

const files = fs
  .readdirSync('tests', { recursive: true, encoding: 'utf8' })
  .map((name) => `tests/${name}`)
  .filter((name) => /\.test\.tsx?$/.test(name));

describe('the list of long tests', () => {
  it.each(longTests)('%s begins the path of a test', (start) => {
    expect(files.filter((file) => file.startsWith(start))).not.toEqual([]);
  });

  it('names none twice', () => {
    const inside = longTests.filter((start) =>
      longTests.some((other) => other !== start && start.startsWith(other)),
    );
    expect(inside).toEqual([]);
  });

  it('leaves most files to `npm test`', () => {
    const long = files.filter((file) => longTests.some((start) => file.startsWith(start)));
    expect(long.length).toBeLessThan(files.length / 4);
  });
});
