import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { readProcessInfo } from '../../../src/service/process-info.ts';
import { lockDataFolder } from '../../../src/service/storage/data-lock.ts';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'ergodic-lock-'));
let dataDir = '';
let count = 0;
beforeEach(() => {
  dataDir = path.join(root, String(++count));
  fs.mkdirSync(dataDir);
});
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

const lock = (touchMs?: number) => lockDataFolder({ dataDir, what: 'ergodic serve', touchMs });
const hold = (holder: object) =>
  fs.writeFileSync(path.join(dataDir, 'lock.json'), JSON.stringify(holder));

describe('the lock of a data folder', () => {
  it('names its holder to a second caller, and is free after release', async () => {
    const first = await lock();
    await expect(lock()).rejects.toThrow(`in use by process ${process.pid} (ergodic serve)`);
    first.release();
    (await lock()).release();
    expect(fs.readdirSync(dataDir)).toEqual([]);
  });

  it('is given to one of several callers', async () => {
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => lock()));
    expect(tries.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  });

  it('is released when its holder no longer exists', async () => {
    const child = spawn('true');
    await new Promise((resolve) => child.once('exit', resolve));
    hold({ pid: child.pid, host: os.hostname(), startedAt: '1', what: 'ergodic serve' });
    (await lock()).release();
  });

  it('is released if the process id of its holder belongs to another process', async () => {
    const child = spawn('sleep', ['30']);
    hold({ pid: child.pid, host: os.hostname(), startedAt: '1', what: 'ergodic serve' });
    (await lock()).release();
    hold({
      pid: child.pid,
      host: os.hostname(),
      startedAt: readProcessInfo(child.pid as number)?.startedAt,
      what: 'ergodic serve',
    });
    await expect(lock()).rejects.toThrow('in use');
    child.kill();
  });

  it('respects a holder on another host only while that touches the file', async () => {
    hold({ pid: 1, host: 'elsewhere', startedAt: '1', what: 'ergodic serve' });
    (await lock(20)).release();
    hold({ pid: 1, host: 'elsewhere', startedAt: '1', what: 'ergodic serve' });
    const file = path.join(dataDir, 'lock.json');
    const alive = setInterval(() => fs.utimesSync(file, new Date(), new Date()), 5);
    await expect(lock(20)).rejects.toThrow('on elsewhere');
    clearInterval(alive);
  });

  it('ignores an invalid lock file', async () => {
    fs.writeFileSync(path.join(dataDir, 'lock.json'), '{"pid":');
    (await lock()).release();
  });
});
