/**
 * Back to a moment in the past, with PostgreSQL's own tools as `src/deploy/README.md` describes: a base backup and the log
 * since, while runs are written. That moment's state is restored, bit for bit, with nothing that came later.
 * For comparison, `ergodic backup` of the same database.
 */
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import type pg from 'pg';
import { migrate } from '../../../src/service/migrations/migrate.ts';
import { openDatabase } from '../../../src/service/repositories/database.ts';
import { readDraws } from '../../../src/service/repositories/draws.ts';
import { purgeRemoved, removeObjects } from '../../../src/service/repositories/objects.ts';
import { ensureOwner } from '../../../src/service/repositories/users.ts';
import { writeBackup } from '../../../src/service/storage/backup.ts';
import { freePort, startDebianPostgres } from '../../support/debian-postgres.mjs';
import { valuesOfRun, writeRuns } from './draws.ts';
import { debianBin } from './server.ts';
import { bytesText, count, msText, printTable, timed } from './sizes.ts';

/** PostgreSQL refuses to run as root. */
const nobody = 65534;
const user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
const call = promisify(execFile);

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { draws: { type: 'string' } } });
  const runs = Math.ceil(count(values.draws, 4e7) / valuesOfRun);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ergodic-recovery-'));
  if ('uid' in user) fs.chownSync(folder, nobody, nobody);
  const archive = path.join(folder, 'archive');
  await call('mkdir', [archive], user);
  const settings = ['wal_level=replica', 'archive_mode=on', `archive_command=cp %p ${archive}/%f`];
  const primary = await startDebianPostgres(debianBin(), { settings });
  const table: string[][] = [];
  try {
    const database = openDatabase({ connectionString: primary.url });
    const { pool } = database;
    await migrate(pool);
    const ownerId = (await ensureOwner(pool)).id;
    await writeRuns(pool, ownerId, runs);
    const dump = await timed(() => writeBackup(pool, path.join(folder, 'backup.gz')));
    table.push([
      'ergodic backup',
      `${msText(dump.ms / 1000)} s`,
      bytesText(fs.statSync(path.join(folder, 'backup.gz')).size),
    ]);
    const base = path.join(folder, 'base');
    const taken = await timed(() =>
      call(
        path.join(debianBin(), 'pg_basebackup'),
        ['-d', primary.url, '-D', base, '-c', 'fast', '-X', 'none'],
        user,
      ),
    );
    table.push(['pg_basebackup', `${msText(taken.ms / 1000)} s`, bytesText(sizeOf(base))]);
    await writeRuns(pool, ownerId, Math.ceil(runs / 10));
    const before = await fingerprint(pool);
    const { rows } = await pool.query<{ at: string }>('select clock_timestamp()::text as at');
    await sleep(1000);
    await ruin(pool, ownerId);
    await pool.query('select pg_switch_wal()');
    await untilArchived(pool);
    await database.close();
    const since = performance.now();
    const after = await recover({ base, archive, at: rows[0]?.at ?? '' });
    table.push([
      'recovered',
      `${msText((performance.now() - since) / 1000)} s`,
      `${bytesText(sizeOf(archive))} of log`,
    ]);
    table.push(['as it was at that moment', after === before ? 'yes' : 'NO', '']);
    printTable(table);
    if (after !== before) process.exitCode = 1;
  } finally {
    await primary.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** The accident: half of the runs deleted for good, the rest renamed. */
async function ruin(pool: pg.Pool, ownerId: number): Promise<void> {
  const { rows } = await pool.query<{ id: number }>(
    "select id from objects where kind = 'experiment' and id % 2 = 0",
  );
  await removeObjects(
    pool,
    ownerId,
    rows.map((row) => row.id),
  );
  await purgeRemoved(pool, { now: true, userId: ownerId });
  await pool.query("update objects set name = 'ruined'");
}

async function untilArchived(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ file: string }>(
    'select pg_walfile_name(pg_current_wal_lsn()) as file',
  );
  for (;;) {
    const { rows: archived } = await pool.query<{ last: string | null }>(
      'select last_archived_wal as last from pg_stat_archiver',
    );
    // the file before the one that is being written
    if ((archived[0]?.last ?? '') >= previous(rows[0]?.file ?? '')) return;
    await sleep(200);
  }
}

const previous = (file: string): string =>
  (BigInt(`0x${file}`) - 1n).toString(16).toUpperCase().padStart(24, '0');

async function recover({
  base,
  archive,
  at,
}: {
  base: string;
  archive: string;
  at: string;
}): Promise<string> {
  fs.writeFileSync(path.join(base, 'recovery.signal'), '');
  const port = await freePort();
  const settings = [
    `restore_command=cp ${archive}/%f %p`,
    `recovery_target_time=${at}`,
    'recovery_target_action=promote',
    'archive_mode=off',
  ];
  const options = ['-D', base, '-h', '127.0.0.1', '-p', String(port), '-k', base];
  const server = spawn(
    path.join(debianBin(), 'postgres'),
    [...options, ...settings.flatMap((one) => ['-c', one])],
    { ...user, cwd: base, stdio: 'ignore' },
  );
  const ended = new Promise((resolve) => server.once('exit', resolve));
  try {
    const database = openDatabase({
      connectionString: `postgresql://ergodic@127.0.0.1:${port}/postgres`,
    });
    const { pool } = database;
    for (;;) {
      const answer = await pool
        .query<{ is: boolean }>('select pg_is_in_recovery() as is')
        .catch(() => null);
      if (answer?.rows[0]?.is === false) break;
      if (server.exitCode !== null) throw new Error('the recovered server ended');
      await sleep(100);
    }
    const print = await fingerprint(pool);
    await database.close();
    return print;
  } finally {
    server.kill('SIGINT');
    await ended;
  }
}

/** Covers every object and every draw. */
async function fingerprint(pool: pg.Pool): Promise<string> {
  const hash = createHash('sha256');
  const { rows } = await pool.query<{ id: number; name: string; kind: string }>(
    'select id, kind, short_id, name, updated_at from objects order by id',
  );
  hash.update(JSON.stringify(rows));
  for (const { id } of rows.filter((row) => row.kind === 'experiment'))
    for (const { values } of await readDraws(pool, { experimentId: id, variables: ['theta[1]'] }))
      hash.update(values);
  return hash.digest('hex');
}

function sizeOf(folder: string): number {
  return fs
    .readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, entry) => sum + fs.statSync(path.join(entry.parentPath ?? entry.path, entry.name)).size,
      0,
    );
}
