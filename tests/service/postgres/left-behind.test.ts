/** However a start is interrupted, no PostgreSQL stays behind. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { holdDataFolder } from '../../../src/service/hold-data-folder.ts';
import { startGuard } from '../../../src/service/postgres/guard.ts';
import { currentIdentity } from '../../../src/service/postgres/identity.ts';
import { findPlace } from '../../../src/service/postgres/place.ts';
import { findRunningPostgres } from '../../../src/service/postgres/supervisor.ts';

const folders: string[] = [];
function makeFolder(): string {
  const folder = fs.mkdtempSync('/tmp/ergodic-left-');
  fs.chmodSync(folder, 0o711);
  folders.push(folder);
  return folder;
}
afterAll(() => {
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
});
const say = () => {};

describe('the embedded PostgreSQL', { timeout: 120_000 }, () => {
  it('is stopped if its folder is released while it starts', async () => {
    const dataDir = makeFolder();
    const hold = await holdDataFolder({ dataDir, what: 'a test', say });
    const starting = hold.startPostgres();
    await hold.release();
    await starting;
    expect(findRunningPostgres(dataDir)).toBeNull();
    expect(fs.existsSync(path.join(dataDir, 'lock.json'))).toBe(false);
  });

  it('is stopped by its guard even if it writes its pid file late', async () => {
    const dataDir = makeFolder();
    const place = findPlace(dataDir, currentIdentity(), say);
    fs.mkdirSync(place.cluster, { recursive: true });
    fs.chmodSync(place.home, 0o777);
    fs.chmodSync(place.cluster, 0o777);
    const guard = startGuard(place, currentIdentity());
    if (guard === null) throw new Error('there is a shell here');
    guard.noteStart();
    // a server that writes its pid file after three seconds; the guard runs as the user of servers
    const script = `sleep 3; echo $$ > "$1/postmaster.pid"; while :; do sleep 1; done`;
    const late = spawn('/bin/sh', ['-c', script, 'postgres', place.cluster], {
      stdio: 'ignore',
      ...currentIdentity().drop,
    });
    const ended = once(late, 'exit');
    // all who held the folder are gone
    guard.lifeline.end();
    expect(await ended).toEqual([null, 'SIGINT']);
  });

  it('from a later start is left running by the guard of an earlier one', async () => {
    const dataDir = makeFolder();
    const place = findPlace(dataDir, currentIdentity(), say);
    fs.mkdirSync(place.cluster, { recursive: true });
    fs.chmodSync(place.home, 0o777);
    fs.chmodSync(place.cluster, 0o777);
    const guard = startGuard(place, currentIdentity());
    if (guard === null) throw new Error('there is a shell here');
    const server = (script: string) =>
      spawn('/bin/sh', ['-c', `${script} while :; do sleep 1; done`, 'postgres', place.cluster], {
        stdio: 'ignore',
        ...currentIdentity().drop,
      });
    const own = server('');
    const ended = once(own, 'exit');
    guard.noteStart();
    guard.noteProcess(own.pid as number);
    // the next server starts before the guard looks
    const later = server('echo $$ > "$1/postmaster.pid";');
    while (!fs.existsSync(path.join(place.cluster, 'postmaster.pid')))
      await new Promise((resolve) => setTimeout(resolve, 20));
    guard.lifeline.end();
    expect(await ended).toEqual([null, 'SIGINT']);
    while (isThere(guard.pid)) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(later.exitCode ?? later.signalCode).toBeNull();
    later.kill('SIGKILL');
  });

  it('that has ended does not keep its guard waiting', async () => {
    const dataDir = makeFolder();
    const place = findPlace(dataDir, currentIdentity(), say);
    fs.mkdirSync(place.cluster, { recursive: true });
    fs.chmodSync(place.home, 0o777);
    const guard = startGuard(place, currentIdentity());
    if (guard === null) throw new Error('there is a shell here');
    guard.noteStart();
    guard.noteStarted();
    guard.lifeline.end();
    const since = performance.now();
    while (isThere(guard.pid)) await new Promise((resolve) => setTimeout(resolve, 20));
    // two seconds; a server that is starting is given thirty
    expect(performance.now() - since).toBeLessThan(25_000);
  });
});

const isThere = (pid: number) => fs.existsSync(`/proc/${pid}/cmdline`) && !isZombie(pid);

const isZombie = (pid: number) => {
  try {
    return /\) Z /.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
};
