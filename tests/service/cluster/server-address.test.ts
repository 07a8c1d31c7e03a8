/** The address of a server that is not ours: TLS, certificates, password files, poolers, against Debian's programs. */
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openStore } from '../../../src/service/open-store.ts';
import { clientConfig } from '../../../src/service/repositories/client-config.ts';
import { select, sql } from '../../../src/service/repositories/database.ts';
import { freePort, startDebianPostgres } from '../../support/debian-postgres.mjs';
import { describeWith } from '../../support/needs.ts';
import { findPostgres } from '../../support/parts.mjs';
import { testCertificate, testKey } from '../fetching/test-certificate.ts';

// the users that these servers run as must be able to enter it
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ergodic-address-'));
fs.chmodSync(folder, 0o755);
const keep = (name: string, text: string, mode = 0o644) => {
  const file = path.join(folder, name);
  fs.writeFileSync(file, text, { mode });
  return file;
};
const authority = keep('root.crt', testCertificate);
const key = keep('client.key', testKey, 0o600);
const stops: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function startServer(extra: Parameters<typeof startDebianPostgres>[1]): Promise<URL> {
  const server = await startDebianPostgres(findPostgres() as string, extra);
  stops.push(server.stop);
  return new URL(server.url);
}

const open = (databaseUrl: string, directDatabaseUrl = '') =>
  openStore({ databaseUrl, directDatabaseUrl, dataDir: folder, what: 'a test', say: () => {} });

const withOptions = (url: URL, options: Readonly<Record<string, string>>, host = url.hostname) => {
  const changed = new URL(url);
  changed.hostname = host;
  for (const [name, value] of Object.entries(options)) changed.searchParams.set(name, value);
  return changed.href;
};

/** How the connection that was opened is protected. */
async function protection(databaseUrl: string) {
  const store = await open(databaseUrl);
  try {
    const [row] = await select<{ ssl: boolean; client_dn: string | null }>(
      store.database.pool,
      sql`select ssl, client_dn from pg_stat_ssl where pid = pg_backend_pid()`,
    );
    return row;
  } finally {
    await store.close();
  }
}

describeWith('postgresql', 'a server with TLS', () => {
  let url: URL;
  const start = async () => {
    url ??= await startServer({
      settings: [
        'ssl=on',
        'ssl_cert_file=server.crt',
        'ssl_key_file=server.key',
        'ssl_ca_file=server.crt',
      ],
      files: {
        'server.crt': testCertificate,
        'server.key': testKey,
        'pg_hba.conf':
          'local all all trust\nhostssl all with_cert 127.0.0.1/32 cert map=any\nhostssl all all 127.0.0.1/32 trust\n',
        'pg_ident.conf': 'any files.example.test with_cert\n',
      },
    });
    return url;
  };

  it('is used without TLS only if the server allows it', async () => {
    await expect(open(withOptions(await start(), { sslmode: 'disable' }))).rejects.toThrow(
      /refused the connection: .*no encryption/,
    );
    await expect(open(url.href)).rejects.toThrow('refused the connection');
  });

  it('is trusted with sslmode=require, and verified with verify-ca and verify-full', async () => {
    expect(await protection(withOptions(await start(), { sslmode: 'require' }))).toMatchObject({
      ssl: true,
    });
    const verified = { sslmode: 'verify-full', sslrootcert: authority };
    expect(await protection(withOptions(url, verified))).toMatchObject({ ssl: true });
    await expect(open(withOptions(url, { sslmode: 'verify-full' }))).rejects.toThrow(
      /No TLS connection to the database .*self-signed.*\n.*sslrootcert/,
    );
    // the certificate names 127.0.0.1, not localhost
    await expect(open(withOptions(url, verified, 'localhost'))).rejects.toThrow(
      'No TLS connection',
    );
    const authorityOnly = { ...verified, sslmode: 'verify-ca' };
    expect(await protection(withOptions(url, authorityOnly, 'localhost'))).toMatchObject({
      ssl: true,
    });
  });

  it('accepts a client certificate instead of a password', async () => {
    const admin = await open(withOptions(await start(), { sslmode: 'require' }));
    await admin.database.pool.query('create role with_cert superuser login');
    await admin.close();
    const ours = {
      sslmode: 'verify-full',
      sslrootcert: authority,
      sslcert: authority,
      sslkey: key,
    };
    const mine = new URL(url);
    mine.username = 'with_cert';
    expect(await protection(withOptions(mine, ours))).toMatchObject({
      ssl: true,
      client_dn: '/CN=files.example.test',
    });
    await expect(open(withOptions(mine, { sslmode: 'require' }))).rejects.toThrow('certificate');
  });
});

describeWith('postgresql', 'a server with passwords', () => {
  it('reads them from the named file, unless others can read that file', async () => {
    const url = await startServer({
      settings: ['password_encryption=scram-sha-256'],
      files: {
        'pg_hba.conf':
          'host all late 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 trust\n',
      },
    });
    const admin = await open(url.href);
    await admin.database.pool.query("create role late superuser login password 'a:b\\c'");
    await admin.close();
    const mine = new URL(url);
    mine.username = 'late';
    const kept = process.env.PGPASSFILE;
    const passfile = keep(
      'passwords',
      `*:*:*:other:no\n127.0.0.1:${url.port}:*:late:a\\:b\\\\c\n`,
      0o600,
    );
    const store = await open(withOptions(mine, { passfile }));
    await store.close();
    fs.chmodSync(passfile, 0o644);
    await expect(open(withOptions(mine, { passfile }))).rejects.toThrow('needs a password');
    if (kept === undefined) delete process.env.PGPASSFILE;
    else process.env.PGPASSFILE = kept;
  });
});

describeWith('postgresql', 'a pooler', () => {
  const startPooler = async (server: URL, mode: string) => {
    const port = await freePort();
    const file = keep(
      `pgbouncer-${mode}.ini`,
      `[databases]
* = host=127.0.0.1 port=${server.port} user=ergodic
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
ignore_startup_parameters = extra_float_digits
`,
    );
    const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    const child: ChildProcess = spawn('pgbouncer', [file], {
      ...user,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const exited = new Promise((resolve) => child.once('exit', resolve));
    stops.push(() => {
      child.kill('SIGKILL');
      return exited;
    });
    await new Promise<void>((resolve, reject) => {
      child.stderr?.on('data', (text: Buffer) => {
        if (String(text).includes('process up')) resolve();
      });
      void exited.then(() => reject(new Error('pgbouncer ended')));
    });
    const pooled = new URL(server);
    pooled.port = String(port);
    return pooled.href;
  };

  describeWith('pgbouncer', 'of transactions', () => {
    it('is refused alone and accepted with a direct address; session pooling is accepted', async () => {
      const server = await startServer({});
      const sessions = await open(await startPooler(server, 'session'));
      await sessions.close();
      const pooled = await startPooler(server, 'transaction');
      await expect(open(pooled)).rejects.toThrow(
        /--database-url leads to a pooler .*\n.*--direct-database-url/,
      );
      await expect(open(pooled, pooled)).rejects.toThrow('--direct-database-url leads to a pooler');
      const store = await open(pooled, server.href);
      const rows = await select(store.database.pool, sql`select count(*) from objects`);
      expect(rows).toHaveLength(1);
      await store.close();
    });
  });
});

describe('an address of several servers', () => {
  const read = (connectionString: string) => clientConfig({ connectionString });

  it('lists them as libpq does, each with its port', () => {
    const servers = [
      { host: 'one.test', port: 5433 },
      { host: '::1', port: 5432 },
    ];
    const url = 'postgresql://ada:secret@one.test:5433,[::1]/ergodic';
    expect(read(`${url}?target_session_attrs=read-write`)).toMatchObject({
      servers,
      user: 'ada',
      password: 'secret',
      database: 'ergodic',
    });
    const listed = 'postgresql:///ergodic?host=one.test,%3A%3A1&port=5433,5432';
    expect(read(listed)).toMatchObject({ servers, host: 'one.test', port: 5433 });
    expect(read('postgresql://one.test/ergodic')).not.toHaveProperty('servers');
  });

  it('is refused if it allows a standby, or if a port is invalid', () => {
    for (const session of ['any', 'standby', 'prefer-standby'])
      expect(() => read(`postgresql://a,b/c?target_session_attrs=${session}`)).toThrow(
        `not "${session}": Ergodic writes`,
      );
    expect(() => read('postgresql://ada:secret@a,b:x/c')).toThrow('must look like');
  });
});

describe('an address', () => {
  const read = (query: string) => () =>
    clientConfig({ connectionString: `postgresql://ada:secret@db.test/ergodic?${query}` });

  it('that is invalid is refused with the reason, without its password', () => {
    const wrong: [string, string][] = [
      ['sslmode=prefer', 'without TLS'],
      ['sslmode=full', 'not "full"'],
      [`sslrootcert=${authority}`, 'sslmode'],
      ['sslmode=verify-ca', 'sslrootcert'],
      ['sslmode=verify-full&sslrootcert=/nowhere', 'sslrootcert cannot be read'],
    ];
    for (const [query, message] of wrong) expect(read(query)).toThrow(message);
    const broken = () => clientConfig({ connectionString: 'postgresql://ada:se/cret@:x' });
    expect(broken).toThrow('%40');
    expect(broken).not.toThrow('cret');
    expect(read(`sslmode=verify-full&sslrootcert=${authority}`)).not.toThrow();
  });
});
