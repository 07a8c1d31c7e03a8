/** What is found on a machine: with a sandbox, without one, with nothing. */
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type Confinement,
  examineRuntimes,
} from '../../../src/service/language-runtimes/confinement.ts';
import {
  type ConfinedLimits,
  runConfined,
} from '../../../src/service/language-runtimes/run-confined.ts';
import { describeWith, itWith } from '../../support/needs.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'ergodic-found-'));
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true }));

/** A folder with these programs: links to real ones, or scripts. */
function place(name: string, programs: Readonly<Record<string, string>>): string {
  const made = mkdtempSync(path.join(folder, `${name}-`));
  chmodSync(made, 0o755);
  for (const [program, what] of Object.entries(programs)) {
    const at = path.join(made, program);
    if (what.startsWith('/')) symlinkSync(what, at);
    else writeFileSync(at, what, { mode: 0o755 });
  }
  return made;
}
const python = { python3: '/usr/bin/python3' };

const limits: ConfinedLimits = {
  milliseconds: 1e4,
  memoryBytes: 2 ** 28,
  processes: 8,
  diskBytes: 2 ** 24,
  outputBytes: 2 ** 16,
  textBytes: 2 ** 16,
};

describe('where nothing is installed', () => {
  it('nothing runs, and every runtime reports what to install first', async () => {
    const { confinement, missing } = await examineRuntimes({ folders: [place('none', {})] });
    expect(confinement).toBeNull();
    for (const missingText of Object.values(missing))
      expect(missingText).toMatch(/Python 3 is not installed/);
  });
});

describeWith('python', 'where no sandbox can be built', () => {
  it('nothing runs, and the message names bubblewrap and the option for operators', async () => {
    const bare = await examineRuntimes({ folders: [place('bare', python)] });
    expect(bare.confinement).toBeNull();
    expect(bare.missing.python).toMatch(/bubblewrap is not installed.*--trust-runtimes/);
    const broken = place('broken', {
      ...python,
      bwrap: '#!/bin/sh\necho "bwrap: no namespaces" >&2\nexit 1\n',
    });
    const refused = await examineRuntimes({ folders: [broken] });
    expect(refused.confinement).toBeNull();
    expect(refused.missing.python).toMatch(/no namespaces/);
  });

  it('trusted programs run, within limits and without our environment variables', async () => {
    const report = await examineRuntimes({ folders: [place('bare', python)], trust: true });
    expect(report).toMatchObject({
      confinement: { isSandboxed: false },
      sandbox: 'trusted, without a sandbox',
    });
    const confinement = report.confinement as Confinement;
    const run = (text: string, time = limits.milliseconds) =>
      runConfined(confinement, {
        files: new Map([['main.py', new TextEncoder().encode(text)]]),
        argv: ['python3', '-u', 'main.py'],
        limits: { ...limits, milliseconds: time },
        service: 'http://127.0.0.1:9',
      });
    const outcome = await run(
      'import os\nprint(os.environ["ERGODIC_SERVER_ENDPOINT"], "VITEST" in os.environ)\nopen(os.path.join(os.environ["ERGODIC_OUTPUT_DIR"], "a"), "w").write("b")',
    );
    expect(outcome).toMatchObject({
      exitCode: 0,
      stdout: 'http://127.0.0.1:9 False\n',
      outputs: [{ path: 'a' }],
    });
    expect((await run('while True: pass', 300)).why).toBe('time');
  });

  itWith('bubblewrap', 'trust does not replace a sandbox that exists', async () => {
    const both = place('both', { ...python, bwrap: '/usr/bin/bwrap' });
    expect((await examineRuntimes({ folders: [both], trust: true })).confinement?.isSandboxed).toBe(
      true,
    );
  });
});

describeWith('bubblewrap', 'an interpreter', () => {
  it('that does not run in the sandbox is reported as missing, with its output', async () => {
    const julia = '#!/bin/sh\necho "cannot load libjulia" >&2\nexit 3\n';
    const { missing } = await examineRuntimes({
      folders: [place('julia', { ...python, julia, bwrap: '/usr/bin/bwrap' })],
    });
    expect(missing.python).toBeNull();
    expect(missing.julia).toMatch(/does not run in the sandbox: /);
    expect(missing.r).toMatch(/R is not installed/);
  });
});
