/**
 * The built service on its own folder, for harnesses that strike it: started, found by its processes, and restarted
 * as an operator would when all of it has ended. Linux only, since processes are found in /proc.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { DATABASE_USER, findRunningPostgres } from '../../src/service/postgres/supervisor.ts';
import { createClient, openDatabase } from '../../src/service/repositories/database.ts';
import { insertToken } from '../../src/service/repositories/tokens.ts';
import { ensureOwner, insertUser } from '../../src/service/repositories/users.ts';
import { findDescendant } from '../support/processes.ts';
import { BreakableProxy } from './breakable-proxy.ts';
import { type Clock, prepareClock } from './shifted-clock.ts';
import type { Person } from './wire.ts';

const cli = path.resolve(import.meta.dirname, '../../dist/server/cli.js');

export interface StruckOptions {
  readonly workers: number;
  /** Size of the data folder's own disk; 0: none. */
  readonly diskMiB?: number;
  readonly env?: Readonly<Record<string, string>>;
}

export class StruckService {
  readonly dataDir: string;
  readonly clock: Clock;
  /** Between people and the service, so that their sockets can be cut. */
  readonly proxy = new BreakableProxy();
  /** Why the disk cannot be filled; null when it can. */
  readonly noDisk: string | null;
  port = 0;
  /** Last lines of what it said. */
  private said = '';
  private child: ChildProcess | null = null;
  private exited: Promise<string> = Promise.resolve('');
  private isEnding = false;
  private isKilled = false;
  private relaunching: Promise<void> = Promise.resolve();
  /** Exits although no one killed the supervisor. */
  readonly gaveUp: string[] = [];

  constructor(private readonly options: StruckOptions) {
    const folder = fs.mkdtempSync('/tmp/ergodic-chaos-');
    fs.chmodSync(folder, 0o711);
    this.dataDir = folder;
    this.noDisk = mountDisk(folder, options.diskMiB ?? 0);
    this.clock = prepareClock(folder);
    process.once('exit', this.leaveNothing);
  }

  /** Runs if this process exits early: the guard of a killed service stops its PostgreSQL. */
  private readonly leaveNothing = () => {
    this.child?.kill('SIGKILL');
    if (this.noDisk === null) execFileSync('umount', ['-l', this.dataDir]);
    this.clock.remove();
  };

  async start(): Promise<void> {
    await this.launch();
    await this.proxy.listen(this.port);
  }

  private launch(): Promise<void> {
    const args = ['serve', '--port', String(this.port), '--data', this.dataDir];
    const child = spawn(
      process.execPath,
      [cli, ...args, '--workers', String(this.options.workers)],
      {
        env: {
          ...process.env,
          DATABASE_URL: '',
          ERGODIC_LOG_LEVEL: 'warn',
          ...this.clock.env,
          ...this.options.env,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    this.child = child;
    this.isKilled = false;
    let out = '';
    this.exited = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        resolve(signal ?? `exit code ${code}`);
        this.onExit(child, signal ?? `exit code ${code}`);
      });
    });
    child.stderr.on('data', (chunk: Buffer) => this.note(chunk.toString('utf8')));
    return new Promise((resolve, reject) => {
      child.stdout.on('data', (chunk: Buffer) => {
        out += chunk.toString('utf8');
        const match = /ready at http:\/\/[^/\s:]+:(\d+)\//.exec(out);
        if (match === null) return;
        this.port = Number(match[1]);
        resolve();
      });
      void this.exited.then((how) =>
        reject(new Error(`ended (${how}) before ready: ${this.said}`)),
      );
    });
  }

  private note(text: string): void {
    this.said = (this.said + text).slice(-20_000);
    fs.appendFileSync(this.logFile, text);
  }

  /** Next to the data folder, so that a full disk does not stop it. */
  get logFile(): string {
    return `${this.dataDir}.log`;
  }

  private onExit(child: ChildProcess, how: string): void {
    if (this.isEnding || child !== this.child) return;
    if (!this.isKilled) this.gaveUp.push(`${how}: ${this.said.trim().split('\n').at(-1)}`);
    this.relaunching = this.relaunch();
  }

  /** Retries as a service manager does; a start may be struck too. */
  private async relaunch(): Promise<void> {
    for (let attempt = 1; attempt <= 10 && !this.isEnding; attempt++) {
      try {
        await this.launch();
        return;
      } catch {
        // Its own onExit does not relaunch: `child` was replaced only here.
      }
      await pause(500);
    }
  }

  /** A signal to the process that runs `program` (`supervisor`: the first of all); false when there is none now. */
  signal(program: string, signal: NodeJS.Signals): boolean {
    const pid = this.pidOf(program);
    if (pid === null) return false;
    if (program === 'supervisor' && signal === 'SIGKILL') this.isKilled = true;
    try {
      process.kill(pid, signal);
      return true;
    } catch {
      return false;
    }
  }

  pidOf(program: string): number | null {
    const own = this.child?.pid;
    if (own === undefined || this.child?.exitCode !== null || this.child.signalCode !== null)
      return null;
    return program === 'supervisor' ? own : findDescendant(own, program);
  }

  postmaster(): number | null {
    return findRunningPostgres(this.dataDir)?.pid ?? null;
  }

  /** A connection to its database that does not pass through the service; null while none is available. */
  async connect(): Promise<pg.Client | null> {
    const place = findRunningPostgres(this.dataDir);
    if (place === null) return null;
    const client = createClient({ ...place, user: DATABASE_USER, database: 'ergodic' });
    client.on('error', () => {});
    try {
      await client.connect();
      return client;
    } catch {
      await client.end().catch(() => {});
      return null;
    }
  }

  /** Rows of one statement; null while the database is unavailable. */
  async query<Row>(text: string): Promise<Row[] | null> {
    const client = await this.connect();
    if (client === null) return null;
    try {
      return (await client.query(text)).rows as Row[];
    } catch {
      return null;
    } finally {
      await client.end().catch(() => {});
    }
  }

  /** The owner and others, each with a token that outlasts every jump of the clock. */
  async addPeople(count: number): Promise<Person[]> {
    const place = findRunningPostgres(this.dataDir);
    if (place === null) throw new Error('there is no database to add people to');
    const database = openDatabase({ ...place, user: DATABASE_USER, database: 'ergodic' });
    const { pool } = database;
    const people: Person[] = [];
    const expiresAt = new Date(Date.now() + 365 * 86_400_000).toISOString();
    for (let i = 0; i < count; i++) {
      const name = i === 0 ? 'owner' : `person-${i}`;
      const user =
        i === 0 ? await ensureOwner(pool) : await insertUser(pool, { name, passwordHash: null });
      if (user === null) throw new Error(`${name} is there already`);
      const made = await insertToken(pool, { userId: user.id, kind: 'api', name, expiresAt });
      people.push({ name, token: made.text });
    }
    await database.close();
    return people;
  }

  /** Shuts down in order and removes everything but the log. */
  async stop(): Promise<string> {
    await this.relaunching.catch(() => {});
    this.isEnding = true;
    this.proxy.close();
    this.child?.kill('SIGTERM');
    const how = await this.exited;
    process.removeListener('exit', this.leaveNothing);
    if (this.noDisk === null) execFileSync('umount', ['-l', this.dataDir]);
    fs.rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    this.clock.remove();
    return how;
  }
}

/** Mounts a disk in memory if root; otherwise returns why not. */
function mountDisk(folder: string, sizeMiB: number): string | null {
  if (sizeMiB === 0) return 'no disk of its own was asked for';
  try {
    const options = `size=${sizeMiB}m,mode=711`;
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'pipe' });
    return null;
  } catch {
    return 'this user may not mount a small disk (be root)';
  }
}

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
