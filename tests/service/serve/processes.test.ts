/** Which of the service's processes may die, and what happens to the others. Linux only: they are found in /proc. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DATABASE_USER, findRunningPostgres } from '../../../src/service/postgres/supervisor.ts';
import { createClient } from '../../../src/service/repositories/database.ts';
import { BRIEFLY, createPauses } from '../../support/pauses.ts';
import {
  descendantOf,
  findDescendant,
  processesOf,
  untilNoProcessOf,
} from '../../support/processes.ts';
import { builtCli, launch, makeReadyFolder, type Served } from '../../support/served.ts';

const dataDir = await makeReadyFolder();
// Marks all of its processes.
const env = { ERGODIC_TEST_MARK: dataDir, ERGODIC_LOG_LEVEL: 'fatal' };
const start = (more: Record<string, string> = {}) =>
  launch({ dataDir, options: ['--workers', '1'], env: { ...env, ...more } });

const pidOf = (served: { process: { pid?: number } }) => served.process.pid as number;
const postmaster = () => findRunningPostgres(dataDir)?.pid as number;

/** The worker starts a few moments after the service answers. */
async function untilThere(served: Served, program: string, isNot = 0): Promise<number> {
  const pause = createPauses(BRIEFLY);
  for (;;) {
    const pid = findDescendant(pidOf(served), program);
    if (pid !== null && pid !== isNot) return pid;
    await pause();
  }
}

/** Waits until the worker has joined the database. */
async function untilWorking(pid: number): Promise<void> {
  const { host, port } = findRunningPostgres(dataDir) as { host: string; port: number };
  const client = createClient({ host, port, user: DATABASE_USER, database: 'ergodic' });
  await client.connect();
  while ((await client.query('select 1 from workers where pid = $1', [pid])).rowCount === 0)
    await new Promise((resolve) => setTimeout(resolve, 20));
  await client.end();
}

/** Asks until the service answers again. */
async function untilAnswered(served: Served): Promise<void> {
  for (;;) {
    try {
      if ((await served.call('GET', '/base/user')).status === 'ok') return;
    } catch {
      // Nothing listens yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function stop(served: Served): Promise<void> {
  served.process.kill('SIGTERM');
  expect(await served.exited).toEqual({ code: 0, signal: null });
  expect(findRunningPostgres(dataDir)).toBeNull();
  await untilNoProcessOf(dataDir);
  expect(fs.existsSync(`${dataDir}/lock.json`)).toBe(false);
}

/** Runs `code` at the beginning of each process of the service. */
const atBegin = (code: string) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`,
});

describe.runIf(process.platform === 'linux')(
  'the processes of a service',
  { timeout: 240_000 },
  () => {
    it('whose service is killed restart it at the same address, with its token and PostgreSQL', async () => {
      const served = await start().ready;
      const before = postmaster();
      for (let kill = 1; kill <= 2; kill++) {
        const service = descendantOf(pidOf(served), 'service.js');
        process.kill(service, 'SIGKILL');
        await untilThere(served, 'service.js', service);
        await untilAnswered(served);
      }
      expect(postmaster()).toBe(before);
      expect(served.stdout().match(/ready at/g)).toHaveLength(1);
      expect(
        served.stderr().match(/The service ended \(SIGKILL\); restarting it\.\n/g),
      ).toHaveLength(2);
      await stop(served);
    });

    it('whose supervisor is killed all end, and the next start waits for this', async () => {
      const served = await start().ready;
      await untilThere(served, 'worker.js');
      served.process.kill('SIGKILL');
      const next = await start().ready;
      expect(served.process.signalCode).toBe('SIGKILL');
      expect(next.stderr()).not.toContain('PostgreSQL ended');
      await stop(next);
    });

    it('that are all killed at once leave PostgreSQL to be shut down by its guard', async () => {
      const served = await start().ready;
      const worker = await untilThere(served, 'worker.js');
      const service = descendantOf(pidOf(served), 'service.js');
      for (const pid of [pidOf(served), service, worker]) process.kill(pid, 'SIGKILL');
      await untilNoProcessOf(dataDir);
      // An orderly shutdown removes its own file.
      expect(fs.existsSync(`${dataDir}/postgres/cluster/postmaster.pid`)).toBe(false);
      await stop(await start().ready);
    });

    it('that are killed with the guard leave PostgreSQL to be taken over by the next start', async () => {
      const served = await start().ready;
      const worker = await untilThere(served, 'worker.js');
      const left = postmaster();
      const guard = descendantOf(pidOf(served), 'ergodic-postgres-guard');
      const service = descendantOf(pidOf(served), 'service.js');
      for (const pid of [guard, pidOf(served), service, worker]) process.kill(pid, 'SIGKILL');
      await served.exited;
      const next = await start().ready;
      expect(postmaster()).toBe(left);
      await stop(next);
    });

    it('that are interrupted twice as a group leave nothing behind', async () => {
      const child = spawn(process.execPath, [builtCli, 'serve', '--port', '0', '--data', dataDir], {
        env: { ...process.env, DATABASE_URL: '', ...env },
        stdio: ['ignore', 'pipe', 'ignore'],
        detached: true,
      });
      const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
      await new Promise((resolve) => child.stdout.once('data', resolve));
      const group = -(child.pid as number);
      process.kill(group, 'SIGINT');
      const again = setTimeout(() => {
        try {
          process.kill(group, 'SIGINT');
        } catch {
          // Already gone.
        }
      }, 600);
      expect([0, 130]).toContain(await exited);
      clearTimeout(again);
      await untilNoProcessOf(dataDir);
      expect(findRunningPostgres(dataDir)).toBeNull();
    });

    it.each(['service.js', 'worker.js'])(
      'of which %s has an uncaught error log it and restart it',
      async (program) => {
        const fault = `process.on('SIGUSR2', () => { throw new Error('a fault of ours'); })`;
        const served = await start(atBegin(fault)).ready;
        const pid = await untilThere(served, program);
        if (program === 'worker.js') await untilWorking(pid);
        process.kill(pid, 'SIGUSR2');
        await untilThere(served, program, pid);
        await untilAnswered(served);
        expect(served.stderr()).toContain('a fault of ours');
        expect(served.stderr()).toContain('uncaught error');
        await stop(served);
      },
    );

    it('all shut down in order when one of them gets SIGTERM', async () => {
      const served = await start().ready;
      process.kill(descendantOf(pidOf(served), 'service.js'), 'SIGTERM');
      expect(await served.exited).toEqual({ code: 0, signal: null });
      expect(processesOf(dataDir)).toEqual([]);
    });

    it('whose service ends repeatedly give up with a message, and leave nothing behind', async () => {
      const code = `if (process.argv[1].endsWith('service.js')) process.kill(process.pid, 'SIGKILL')`;
      const launched = start(atBegin(code));
      expect(await launched.exited).toEqual({ code: 1, signal: null });
      expect(launched.stdout()).toBe('');
      expect(launched.stderr()).toMatch(
        /Ergodic cannot continue: the service ended \(SIGKILL\) repeatedly/,
      );
      await untilNoProcessOf(dataDir);
    });
  },
);
