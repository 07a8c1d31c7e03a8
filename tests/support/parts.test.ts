/** What `npm test` does on a machine without the programs that tests need: it installs them, or skips and counts. */
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { countsLine, readCounts } from './counts.mjs';

const root = path.resolve(import.meta.dirname, '..', '..');
const isRoot = process.getuid?.() === 0;
const folder = mkdtempSync(path.join(os.tmpdir(), 'ergodic-parts-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A folder that replaces PATH, with an apt-get that knows two packages and records its arguments. */
function makeBareMachine({ hasAptGet = true, isReached = true } = {}): string {
  const machine = mkdtempSync(path.join(folder, 'path-'));
  const script = (name: string, text: string) => {
    const file = path.join(machine, name);
    writeFileSync(file, `#!/bin/sh\n${text}`);
    chmodSync(file, 0o755);
  };
  const install = (name: string) =>
    `printf '#!/bin/sh\\n' > ${machine}/${name}; /bin/chmod 755 ${machine}/${name}`;
  if (hasAptGet)
    script(
      'apt-get',
      `echo "$*" >> ${machine}/asked
case "$*" in
  *' update '*) ${isReached ? '' : 'echo "E: Temporary failure resolving" >&2; exit 100'} ;;
  *' chromium') ${install('chromium')} ;;
  *' sqlite3') ${install('sqlite3')} ;;
  *) echo 'Reading package lists...'; echo "E: Unable to locate package" >&2; exit 100 ;;
esac
`,
    );
  return machine;
}

interface Outcome {
  readonly lines: readonly string[];
  readonly left: readonly (readonly [string, string])[];
}

async function installOn(machine: string, env: Record<string, string> = {}): Promise<Outcome> {
  const program = `
    const { installParts } = await import(${JSON.stringify(path.join(root, 'tests/support/install-parts.mjs'))});
    const lines = [];
    const left = await installParts(['bubblewrap', 'sqlite3', 'chromium'], (line) => lines.push(line));
    console.log(JSON.stringify({ lines, left: [...left] }));`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', program],
    { env: { PATH: machine, ...env } },
  );
  return JSON.parse(stdout) as Outcome;
}

const bubblewrap = [
  'bubblewrap',
  'bubblewrap, which confines programs of other languages: not installed (Debian: apt-get install bubblewrap python3)',
];

describe('a machine without programs that tests need', () => {
  it.runIf(isRoot)('gets them, and reports those not installed', async () => {
    const machine = makeBareMachine();
    expect(await installOn(machine)).toEqual({
      lines: [
        'Installing what the tests need, with apt-get: bubblewrap, sqlite3, chromium …',
        'could not install bubblewrap python3: E: Unable to locate package',
        'installed sqlite3',
        'could not install chromium-headless-shell: E: Unable to locate package',
        'installed chromium',
      ],
      left: [bubblewrap],
    });
    const asked = readFileSync(path.join(machine, 'asked'), 'utf8').trim().split('\n');
    expect(asked[0]).toMatch(/ update --error-on=any$/);
    expect(asked.at(-1)).toMatch(/install -y --no-install-recommends chromium$/);
    // installed packages are not requested again
    expect((await installOn(machine)).lines[0]).toMatch(/: bubblewrap …$/);
  });

  it.runIf(isRoot)('gives up after the first program where no package can be fetched', async () => {
    const outcome = await installOn(makeBareMachine({ isReached: false }));
    expect(outcome.lines.slice(1)).toEqual([
      'apt-get update failed: E: Temporary failure resolving',
      'could not install bubblewrap python3: E: Unable to locate package',
    ]);
    expect(outcome.left).toHaveLength(3);
  });

  it('stays unchanged where nothing can be installed; how to install each program is shown', async () => {
    const names = (outcome: Outcome) => outcome.left.map(([name]) => name);
    const all = ['bubblewrap', 'sqlite3', 'chromium'];
    const without = await installOn(makeBareMachine({ hasAptGet: false }));
    expect(without.lines).toEqual([]);
    expect(names(without)).toEqual(all);
    expect(without.left[0]).toEqual(bubblewrap);
    const unwanted = await installOn(makeBareMachine(), { ERGODIC_TEST_INSTALL: 'no' });
    expect(unwanted.lines).toEqual([]);
    expect(names(unwanted)).toEqual(all);
  });

  it('does not reinstall a program that is present but cannot work, such as a sandbox', async () => {
    const machine = makeBareMachine({ hasAptGet: false });
    const refusing =
      '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n';
    writeFileSync(path.join(machine, 'bwrap'), refusing, { mode: 0o755 });
    expect((await installOn(machine)).left[0]).toEqual([
      'bubblewrap',
      'bubblewrap, which confines programs of other languages: it does not work here: bwrap: No permissions to create new namespace',
    ]);
  });

  it('uses the browser that CHROMIUM names', async () => {
    const outcome = await installOn(makeBareMachine({ hasAptGet: false }), {
      CHROMIUM: '/opt/chromium',
    });
    expect(outcome.left.map(([name]) => name)).toEqual(['bubblewrap', 'sqlite3']);
  });
});

describe('tests that need a missing program', { timeout: 120_000 }, () => {
  async function countOf(file: string, env: NodeJS.ProcessEnv) {
    const report = path.join(mkdtempSync(path.join(folder, 'report-')), 'report.json');
    await promisify(execFile)(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', file, '--reporter=json', `--outputFile=${report}`],
      { cwd: root, env },
    );
    return readCounts(report, root);
  }

  it('are skipped and counted by its name, while the others run', async () => {
    const machine = makeBareMachine({ hasAptGet: false });
    const bare = { ...process.env, PATH: machine };
    const without = await countOf('tests/formats/grist.test.ts', bare);
    expect(without.failed).toBe(0);
    expect(without.skipped).toBeGreaterThan(0);
    expect([...without.needs]).toEqual([['sqlite3', without.skipped]]);
    const whole = countsLine(without);
    expect(whole).toBe(`${without.passed} passed, 0 failed, ${without.skipped} skipped`);
  });

  it('that fill a whole file are skipped together with its setup', async () => {
    const machine = makeBareMachine({ hasAptGet: false });
    // only the shell, so that the sandbox cannot be built
    symlinkSync('/bin/false', path.join(machine, 'bwrap'));
    const bare = { ...process.env, PATH: machine };
    const counts = await countOf('tests/service/language-runtimes/run-confined.test.ts', bare);
    expect(counts).toMatchObject({ passed: 0, failed: 0, failures: [] });
    expect([...counts.needs]).toEqual([['bubblewrap', counts.skipped]]);
    expect(counts.skipped).toBeGreaterThan(5);
  });
});

describe('counts of a report', () => {
  it('list failed and retried tests, and files that failed to load', () => {
    const report = path.join(folder, 'report.json');
    const test = (status: string, fullName: string, message?: string) => ({
      status,
      fullName,
      failureMessages: message === undefined ? [] : [message],
    });
    const testResults = [
      {
        name: path.join(root, 'tests/a.test.ts'),
        status: 'failed',
        assertionResults: [
          test('passed', 'good'),
          test('passed', 'good at last', 'waited in vain\n  at line 4'),
          test('failed', 'bad', 'expected 1\n  at line 3'),
          test('skipped', 'none [needs bubblewrap] at all'),
          test('pending', 'on another system'),
        ],
      },
      {
        name: path.join(root, 'tests/b.test.ts'),
        status: 'failed',
        message: 'no such module',
        assertionResults: [],
      },
    ];
    writeFileSync(report, JSON.stringify({ testResults }));
    expect(readCounts(report, root)).toEqual({
      passed: 2,
      failed: 2,
      skipped: 2,
      retried: ['tests/a.test.ts: good at last: waited in vain'],
      failedFiles: ['tests/a.test.ts', 'tests/b.test.ts'],
      failures: ['tests/a.test.ts: bad: expected 1', 'tests/b.test.ts: : no such module'],
      needs: new Map([['bubblewrap', 1]]),
    });
  });
});
