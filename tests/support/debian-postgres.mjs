/** PostgreSQL servers that are not ours, in Debian's version, each with its own port and folder for one run. */
import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/** PostgreSQL refuses to run as root; this is the user "nobody". */
const NOBODY = { uid: 65534, gid: 65534 };
const user = () => (process.getuid?.() === 0 ? NOBODY : {});
const runAs = promisify(execFile);

/**
 * @typedef {object} DebianPostgres
 * @property {string} url
 * @property {number} port
 * @property {(signal: NodeJS.Signals) => Promise<void>} end by SIGINT (fast), SIGQUIT (immediate) or SIGKILL; resolves
 *   when it is gone
 * @property {() => Promise<void>} start again, with what `end` left
 * @property {() => Promise<DebianPostgres>} addStandby one that follows it
 * @property {() => Promise<void>} stop removes its folder too
 */

/**
 * @param {string} bin the folder of `initdb` and `postgres`
 * @param {{ settings?: string[], files?: Record<string, string> }} [extra] settings as `name=value`, and files of the
 *   data folder, such as pg_hba.conf
 * @returns {Promise<DebianPostgres>}
 */
export async function startDebianPostgres(bin, { settings = [], files = {} } = {}) {
  const fill = async (data, cwd) => {
    const options = ['--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'];
    const initdb = path.join(bin, 'initdb');
    await runAs(initdb, ['-D', data, '-U', 'ergodic', ...options], { ...user(), cwd });
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(data, name);
      fs.writeFileSync(file, text, { mode: 0o600 });
      own(file);
    }
  };
  return startServer(bin, settings, fill);
}

function own(file) {
  const as = user();
  if ('uid' in as) fs.chownSync(file, as.uid, as.gid);
}

/**
 * @param {string} bin
 * @param {string[]} settings
 * @param {(data: string, cwd: string) => Promise<void>} fill makes the data folder
 * @returns {Promise<DebianPostgres>}
 */
async function startServer(bin, settings, fill) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ergodic-postgres-'));
  own(folder);
  const data = path.join(folder, 'data');
  const remove = () => fs.rmSync(folder, { recursive: true, force: true });
  try {
    await fill(data, folder);
    const port = await freePort();
    const address = ['-h', '127.0.0.1', '-p', String(port), '-k', folder];
    // It stops after the tests, so nothing need be on disk.
    const quick = ['fsync=off', 'full_page_writes=off', ...settings].flatMap((one) => ['-c', one]);
    let running = null;
    const end = async (signal) => {
      if (running === null) return;
      const { server, exited } = running;
      running = null;
      server.kill(signal);
      await exited;
    };
    // A fast shutdown, which closes connections, in case the tests are interrupted.
    const endNow = () => running?.server.kill('SIGINT');
    process.once('exit', endNow);
    const stop = async () => {
      process.removeListener('exit', endNow);
      await end('SIGINT');
      remove();
    };
    const start = async () => {
      const server = spawn(path.join(bin, 'postgres'), ['-D', data, ...address, ...quick], {
        ...user(),
        cwd: folder,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      running = { server, exited: new Promise((resolve) => server.once('exit', resolve)) };
      await ready(server);
    };
    try {
      await start();
    } catch (error) {
      await stop();
      throw error;
    }
    const addStandby = () => startServer(bin, settings, (at, cwd) => copy(bin, port, at, cwd));
    const url = `postgresql://ergodic@127.0.0.1:${port}/postgres`;
    return { url, port, end, start, addStandby, stop };
  } catch (error) {
    remove();
    throw error;
  }
}

/** A standby's data folder: what the server at `port` has now, and how to keep following it. */
async function copy(bin, port, data, cwd) {
  const from = ['-h', '127.0.0.1', '-p', String(port), '-U', 'ergodic'];
  const options = ['-D', data, '--write-recovery-conf', '--checkpoint=fast', '--no-sync'];
  await runAs(path.join(bin, 'pg_basebackup'), [...from, ...options], { ...user(), cwd });
}

function ready(server) {
  return new Promise((resolve, reject) => {
    let said = '';
    server.stderr.on('data', (text) => {
      // Keep reading after the start: a full pipe would block the server.
      said = (said + text).slice(-4000);
      // a standby rejects writes, and says so
      if (/ready to accept (read-only )?connections/.test(said)) resolve();
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
