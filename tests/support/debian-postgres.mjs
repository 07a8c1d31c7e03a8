/** A PostgreSQL server that is not ours, of the version Debian brings, on a port and folder of its own for one run. */
import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/** PostgreSQL refuses to run as root; this is the user "nobody". */
const NOBODY = { uid: 65534, gid: 65534 };

/**
 * @param {string} bin the folder of `initdb` and `postgres`
 * @param {{ settings?: string[], files?: Record<string, string> }} [extra] settings as `name=value`, and files of the
 *   data folder, such as pg_hba.conf
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startDebianPostgres(bin, { settings = [], files = {} } = {}) {
  const user = process.getuid?.() === 0 ? NOBODY : {};
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ergodic-postgres-'));
  if ('uid' in user) fs.chownSync(folder, user.uid, user.gid);
  const data = path.join(folder, 'data');
  const remove = () => fs.rmSync(folder, { recursive: true, force: true });
  try {
    const options = [
      '-U',
      'ergodic',
      '--auth=trust',
      '-E',
      'UTF8',
      '--locale=C.UTF-8',
      '--no-sync',
    ];
    await promisify(execFile)(path.join(bin, 'initdb'), ['-D', data, ...options], {
      ...user,
      cwd: folder,
    });
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(data, name);
      fs.writeFileSync(file, text, { mode: 0o600 });
      if ('uid' in user) fs.chownSync(file, user.uid, user.gid);
    }
    const port = await freePort();
    const address = ['-h', '127.0.0.1', '-p', String(port), '-k', folder];
    // It ends with the tests: nothing need be on the disk.
    const quick = ['fsync=off', 'full_page_writes=off', ...settings].flatMap((one) => ['-c', one]);
    const server = spawn(path.join(bin, 'postgres'), ['-D', data, ...address, ...quick], {
      ...user,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const exited = new Promise((resolve) => server.once('exit', resolve));
    // A fast shutdown, which ends connections, should the tests be interrupted.
    const end = () => server.kill('SIGINT');
    process.once('exit', end);
    const stop = async () => {
      process.removeListener('exit', end);
      end();
      await exited;
      remove();
    };
    try {
      await ready(server);
    } catch (error) {
      await stop();
      throw error;
    }
    return { url: `postgresql://ergodic@127.0.0.1:${port}/postgres`, stop };
  } catch (error) {
    remove();
    throw error;
  }
}

function ready(server) {
  return new Promise((resolve, reject) => {
    let said = '';
    server.stderr.on('data', (text) => {
      // Read on after the start too: a full pipe would stop the server.
      said = (said + text).slice(-4000);
      if (said.includes('ready to accept connections')) resolve();
    });
    server.once('error', reject);
    server.once('exit', () => reject(new Error(said.trim().split('\n').at(-1))));
  });
}

export function freePort() {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
