/** The outcome of a test run, read from vitest's report, and the line that reports it. */
import fs from 'node:fs';
import path from 'node:path';

/**
 * @typedef {{ passed: number, failed: number, skipped: number, failures: string[], failedFiles: string[], retried: string[], needs: Map<string, number> }} Counts
 * `failures`: one line each. `retried`: the same for tests that failed and passed when retried. `failedFiles`: the files with failures, each once. `needs`: how many tests were skipped because each
 * part was missing; see needs.ts.
 */

/** @returns {Counts} */
export function noCounts() {
  return {
    passed: 0,
    failed: 0,
    skipped: 0,
    failures: [],
    failedFiles: [],
    retried: [],
    needs: new Map(),
  };
}

/**
 * @param {string} report vitest's JSON report; without it, there are no tests
 * @param {string} root the folder to which file names in failures are relative
 * @returns {Counts}
 */
export function readCounts(report, root) {
  const counts = noCounts();
  for (const file of readFiles(report)) {
    const tests = file.assertionResults;
    const failed = tests.filter(({ status }) => status === 'failed');
    const passed = tests.filter(({ status }) => status === 'passed');
    counts.passed += passed.length;
    counts.retried.push(
      ...passed
        .filter(({ failureMessages }) => failureMessages.length > 0)
        .map((test) => failureLine(file, root, test.fullName, test.failureMessages[0])),
    );
    counts.failed += failed.length;
    counts.failures.push(
      ...failed.map((test) => failureLine(file, root, test.fullName, test.failureMessages[0])),
    );
    // A file that could not be loaded or set up has no tests that failed.
    if (file.status === 'failed' && failed.length === 0) {
      counts.failed += 1;
      counts.failures.push(failureLine(file, root, '', file.message));
    }
    if (file.status === 'failed') counts.failedFiles.push(path.relative(root, file.name));
    const skipped = tests.filter(({ status }) => SKIPPED.includes(status));
    counts.skipped += skipped.length;
    for (const { fullName } of skipped) {
      const part = /\[needs ([\w-]+)\]/.exec(fullName)?.[1];
      if (part !== undefined) counts.needs.set(part, (counts.needs.get(part) ?? 0) + 1);
    }
  }
  return counts;
}

const SKIPPED = ['skipped', 'pending', 'disabled', 'todo'];

function readFiles(report) {
  try {
    return JSON.parse(fs.readFileSync(report, 'utf8')).testResults;
  } catch {
    return [];
  }
}

function failureLine(file, root, test, message = '') {
  const why = message.split('\n')[0].slice(0, 300);
  return `${path.relative(root, file.name)}: ${test}: ${why}`;
}

/** Adds `more` to `sum`. */
export function addCounts(sum, more) {
  sum.passed += more.passed;
  sum.failed += more.failed;
  sum.skipped += more.skipped;
  sum.failures.push(...more.failures);
  sum.failedFiles.push(...more.failedFiles);
  sum.retried.push(...more.retried);
  for (const [part, count] of more.needs) sum.needs.set(part, (sum.needs.get(part) ?? 0) + count);
}

/**
 * The last line of `npm test`; CI adds up the lines of several runs.
 *
 * @param {Pick<Counts, 'passed' | 'failed' | 'skipped'>} counts
 */
export function countsLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
