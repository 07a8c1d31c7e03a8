import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { currentIdentity } from '../../../src/service/postgres/identity.ts';
import {
  DATABASE_USER,
  type EmbeddedPostgres,
  findRunningPostgres,
  startPostgres,
} from '../../../src/service/postgres/supervisor.ts';
import { isProcessAlive } from '../../../src/service/process-info.ts';
import { createClient } from '../../../src/service/repositories/database.ts';

const isRoot = process.getuid?.() === 0;
const folder = fs.mkdtempSync('/tmp/ergodic-postgres-');
fs.chmodSync(folder, 0o711);
const dataDir = path.join(folder, 'data');
const cluster = path.join(dataDir, 'postgres', 'cluster');
const pidFile = path.join(cluster, 'postmaster.pid');
const elsewhere: string[] = [];

afterAll(async () => {
  for (const place of [dataDir, ...elsewhere]) {
    if (findRunningPostgres(place) !== null) await (await startPostgres({ dataDir: place })).stop();
    const marker = path.join(place, 'postgres-place');
    if (fs.existsSync(marker))
      fs.rmSync(fs.readFileSync(marker, 'utf8').trim(), { recursive: true, force: true });
  }
  for (const place of [folder, ...elsewhere]) fs.rmSync(place, { recursive: true, force: true });
});

async function ask(postgres: EmbeddedPostgres, query: string): Promise<unknown> {
  const { host, port } = postgres;
  const client = createClient({ host, port, user: DATABASE_USER, database: 'postgres' });
  await client.connect();
  try {
    const { rows } = await client.query<{ answer: unknown }>(query);
    return rows[0]?.answer;
  } finally {
    await client.end();
  }
}

function killAndWait(pid: number): void {
  process.kill(pid, 'SIGKILL');
  while (isProcessAlive(pid)) execFileSync('sleep', ['0.02']);
}

describe('the embedded PostgreSQL', () => {
  it('is created, answers on a socket only, keeps fsync on, and stops', async () => {
    const output: string[] = [];
    const postgres = await startPostgres({ dataDir, say: (text) => output.push(text) });
    expect(output.join('\n')).toContain('Creating the database');
    expect(await ask(postgres, `select current_setting('listen_addresses') as answer`)).toBe('');
    expect(await ask(postgres, `select current_setting('fsync') as answer`)).toBe('on');
    expect(await ask(postgres, `select current_setting('data_checksums') as answer`)).toBe('on');
    await ask(postgres, 'create table kept (n int)');
    await ask(postgres, 'insert into kept values (7)');
    // a clock that jumps by a day on each read shortens no wait
    let now = Date.now();
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => (now += 86_400_000));
    await postgres.stop();
    expect(isProcessAlive(postgres.pid)).toBe(false);
    expect(fs.existsSync(pidFile)).toBe(false);
    await (await startPostgres({ dataDir })).stop();
    clock.mockRestore();
    expect(fs.existsSync(pidFile)).toBe(false);
  });

  it('accepts settings that override its own', async () => {
    const postgres = await startPostgres({ dataDir, settings: { fsync: 'off' } });
    const shown = `select current_setting('fsync') || current_setting('jit') as answer`;
    expect(await ask(postgres, shown)).toBe('offoff');
    await postgres.stop();
  });

  it.runIf(isRoot)('does not run as root', async () => {
    const postgres = await startPostgres({ dataDir });
    expect(fs.statSync(`/proc/${postgres.pid}`).uid).toBe(currentIdentity().uid);
    expect(currentIdentity().uid).not.toBe(0);
    await postgres.stop();
  });

  it('can be attached to, with its data, while it is running', async () => {
    const first = await startPostgres({ dataDir });
    const second = await startPostgres({ dataDir });
    expect(second.isAttached).toBe(true);
    expect(second.pid).toBe(first.pid);
    expect(await ask(second, 'select n as answer from kept')).toBe(7);
    await second.stop();
    expect(isProcessAlive(first.pid)).toBe(false);
  });

  it('restarts after SIGKILL with its data, and reports that it ended', async () => {
    const postgres = await startPostgres({ dataDir });
    killAndWait(postgres.pid);
    expect(await postgres.ended).toContain('PostgreSQL ended');
    const again = await startPostgres({ dataDir });
    expect(again.isAttached).toBe(false);
    expect(await ask(again, 'select n as answer from kept')).toBe(7);
    await again.stop();
  });

  describe('with a wrong postmaster.pid', () => {
    let stranger: ChildProcess | null = null;
    let template = '';

    beforeEach(async () => {
      const postgres = await startPostgres({ dataDir });
      template = fs.readFileSync(pidFile, 'utf8');
      await postgres.stop();
    });

    const pretend = (pid: number) => {
      fs.writeFileSync(pidFile, template.replace(/^\d+/, String(pid)));
      if (isRoot) fs.chownSync(pidFile, currentIdentity().uid, currentIdentity().gid);
    };

    it('starts if there is no such process', async () => {
      pretend(2 ** 22 - 3);
      const postgres = await startPostgres({ dataDir });
      expect(await ask(postgres, 'select n as answer from kept')).toBe(7);
      await postgres.stop();
    });

    it('starts if the number belongs to another program', async () => {
      stranger = spawn('sleep', ['60'], { stdio: 'ignore' });
      pretend(stranger.pid as number);
      const postgres = await startPostgres({ dataDir });
      expect(postgres.isAttached).toBe(false);
      expect(await ask(postgres, 'select n as answer from kept')).toBe(7);
      await postgres.stop();
      expect(stranger.exitCode).toBeNull();
      stranger.kill();
    });

    it.runIf(process.platform === 'linux')('starts if the number belongs to a zombie', async () => {
      // The shell starts a child, prints its pid, and becomes a program that never waits for it.
      const parent = spawn('sh', ['-c', 'sleep 0.05 & echo $!; exec sleep 60'], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const pid = await new Promise<number>((resolve) => {
        parent.stdout.once('data', (chunk: Buffer) => resolve(Number(chunk.toString())));
      });
      while (!/ Z /.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8')))
        execFileSync('sleep', ['0.02']);
      pretend(pid);
      const postgres = await startPostgres({ dataDir });
      expect(await ask(postgres, 'select n as answer from kept')).toBe(7);
      await postgres.stop();
      parent.kill();
    });
  });

  it('replaces an incomplete cluster', async () => {
    const place = path.join(folder, 'half');
    fs.mkdirSync(path.join(place, 'postgres', 'cluster.new', 'base'), { recursive: true });
    fs.chmodSync(place, 0o711);
    elsewhere.push(place);
    const postgres = await startPostgres({ dataDir: place });
    expect(await ask(postgres, 'select 1 as answer')).toBe(1);
    await postgres.stop();
  });

  it('refuses a cluster of another major version', async () => {
    const version = path.join(cluster, 'PG_VERSION');
    const right = fs.readFileSync(version);
    fs.writeFileSync(version, '15\n');
    await expect(startPostgres({ dataDir })).rejects.toThrow(
      /created by PostgreSQL 15, and this version .* PostgreSQL 18/s,
    );
    fs.writeFileSync(version, right);
  });

  it('reports a damaged cluster', async () => {
    const control = path.join(cluster, 'global', 'pg_control');
    const right = fs.readFileSync(control);
    fs.writeFileSync(control, Buffer.alloc(right.length, 1));
    await expect(startPostgres({ dataDir })).rejects.toThrow(/is damaged[\s\S]*Restore a backup/);
    fs.writeFileSync(control, right);
    fs.renameSync(path.join(cluster, 'PG_VERSION'), path.join(cluster, 'PG_VERSION.away'));
    await expect(startPostgres({ dataDir })).rejects.toThrow(/is damaged: it has no PG_VERSION/);
    fs.renameSync(path.join(cluster, 'PG_VERSION.away'), path.join(cluster, 'PG_VERSION'));
    const postgres = await startPostgres({ dataDir });
    expect(await ask(postgres, 'select n as answer from kept')).toBe(7);
    await postgres.stop();
  });

  it('has a short socket path, however deep the data folder is', async () => {
    const place = path.join(
      folder,
      'a-folder-with-a-long-name'.repeat(3),
      'and-another-one'.repeat(4),
    );
    elsewhere.push(place);
    const postgres = await startPostgres({ dataDir: place });
    expect(Buffer.byteLength(`${postgres.host}/.s.PGSQL.5432`)).toBeLessThan(107);
    expect(await ask(postgres, 'select 1 as answer')).toBe(1);
    expect((await startPostgres({ dataDir: place })).isAttached).toBe(true);
    await postgres.stop();
    fs.rmSync(postgres.host, { recursive: true, force: true });
  });

  it.runIf(isRoot)(
    'uses another folder if its user cannot enter the data folder, and reports it',
    async () => {
      const closed = fs.mkdtempSync('/tmp/ergodic-closed-');
      const place = path.join(closed, 'data');
      elsewhere.push(place, closed);
      const output: string[] = [];
      const postgres = await startPostgres({ dataDir: place, say: (text) => output.push(text) });
      expect(postgres.host.startsWith(closed)).toBe(false);
      const home = fs.readFileSync(path.join(place, 'postgres-place'), 'utf8').trim();
      expect(output.join('\n')).toContain(home);
      expect((await startPostgres({ dataDir: place })).isAttached).toBe(true);
      expect(findRunningPostgres(place)?.pid).toBe(postgres.pid);
      await postgres.stop();
    },
  );

  it('reports a data folder that cannot be written', async () => {
    const file = path.join(folder, 'a-file');
    fs.writeFileSync(file, '');
    await expect(startPostgres({ dataDir: path.join(file, 'data') })).rejects.toThrow(
      /is not writable[\s\S]*--data/,
    );
  });
});
