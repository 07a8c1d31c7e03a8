/** The built service as a separate process, for measurements: its address, its database, and how to stop it. */
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { DATABASE_USER, findRunningPostgres } from '../../src/service/postgres/supervisor.ts';
import { openDatabase } from '../../src/service/repositories/database.ts';
import { accessAs, makeApiToken, type ServedAccess } from '../support/served-runs.ts';

const cli = path.resolve(import.meta.dirname, '../../dist/server/cli.js');

export interface BuiltService {
  readonly access: ServedAccess;
  readonly dataDir: string;
  readonly process: ChildProcess;
  /** The service's own database, for bulk inserts. */
  withDatabase(work: (pool: pg.Pool) => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

export function makeDataDir(): string {
  const dataDir = fs.mkdtempSync('/tmp/ergodic-bench-');
  // PostgreSQL may run as another user
  fs.chmodSync(dataDir, 0o711);
  return dataDir;
}

/** `kept`: the folder of an earlier one, which stays; otherwise a new one, which is removed. */
export async function serveBuilt(
  options: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  kept?: string,
): Promise<BuiltService> {
  const dataDir = kept ?? makeDataDir();
  const child = spawn(
    process.execPath,
    [cli, 'serve', '--port', '0', '--data', dataDir, ...options],
    {
      env: { ...process.env, DATABASE_URL: '', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const [origin, linkToken] = await new Promise<[string, string]>((resolve, reject) => {
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString('utf8');
      const match = /ready at (http:\/\/[^/\s]+)\/\?token=(\S+)\n/.exec(out);
      if (match !== null) resolve([match[1], match[2]]);
    });
    void ended.then(() => reject(new Error('the service ended before it was ready')));
  });
  const token = await makeApiToken(accessAs(origin, linkToken));
  return {
    access: accessAs(origin, token),
    dataDir,
    process: child,
    async withDatabase(work) {
      const place = findRunningPostgres(dataDir);
      if (place === null) throw new Error('no PostgreSQL runs there');
      const { host, port } = place;
      const database = openDatabase({ host, port, user: DATABASE_USER, database: 'ergodic' });
      try {
        await work(database.pool);
      } finally {
        await database.close();
      }
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
      if (kept === undefined) fs.rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Finished experiments of the first user, made in one statement. */
export async function seedExperiments(pool: pg.Pool, count: number): Promise<void> {
  await pool.query(
    `with made as (
       insert into objects (kind, row_number, short_id, owner_id, name, status)
       select 'experiment', nextval('row_number_experiment'), 'X' || lpad(to_hex(n), 7, '0'), 1, 'run ' || n,
         (array['FIN', 'FIN', 'FIN', 'FIN', 'ERR'])[1 + n % 5]
       from generate_series(1, $1::int) n returning id)
     insert into experiments (id, run_on, meta) select id, 'local', '{"verdict": {"state": "good"}}' from made`,
    [count],
  );
  await pool.query('vacuum analyze');
}
