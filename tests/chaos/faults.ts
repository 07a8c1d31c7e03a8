/** What strikes a service: each fault begins, lasts, and is over when its promise resolves. */
import fs from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import type { Rng } from '../../src/math/random/rng.ts';
import { limitMemory } from './memory-limit.ts';
import { pause, type StruckService } from './struck-service.ts';

export interface Strike {
  readonly service: StruckService;
  readonly rng: Rng;
}

export interface Fault {
  readonly name: string;
  /** How often it is chosen, relative to the others. */
  readonly weight: number;
  /** What it did, for the log; null: there was nothing to strike. */
  strike(strike: Strike): Promise<string | null>;
  /** Why it cannot strike here; null when it can. */
  missing?(service: StruckService): string | null;
}

const between = (rng: Rng, least: number, most: number) => least + rng.uniform() * (most - least);

const killing = (name: string, weight: number, programs: readonly string[]): Fault => ({
  name: `kill ${name}`,
  weight,
  async strike({ service }) {
    const struck = programs.filter((program) => service.signal(program, 'SIGKILL'));
    return struck.length === 0 ? null : `SIGKILL ${struck.join(', ')}`;
  },
});

/** A process of PostgreSQL, found by how the server describes it. */
const killingBackend = (name: string, weight: number, where: string): Fault => ({
  name: `kill ${name}`,
  weight,
  async strike({ service, rng }) {
    const rows = await service.query<{ pid: number }>(
      `select pid from pg_stat_activity where pid <> pg_backend_pid() and ${where}`,
    );
    const pid = rows?.[Math.floor(rng.uniform() * rows.length)]?.pid;
    if (pid === undefined) return null;
    process.kill(pid, 'SIGKILL');
    return `SIGKILL ${pid}, one of ${rows?.length}`;
  },
});

async function freeze(pid: number | null, ms: number): Promise<string | null> {
  if (pid === null) return null;
  try {
    process.kill(pid, 'SIGSTOP');
    await pause(ms);
  } catch {
    return null;
  } finally {
    try {
      process.kill(pid, 'SIGCONT');
    } catch {
      // It was killed meanwhile.
    }
  }
  return `SIGSTOP for ${(ms / 1000).toFixed(1)} s`;
}

const freezing = (
  name: string,
  find: (service: StruckService) => number | null | Promise<number | null>,
  most = 4000,
): Fault => ({
  name: `freeze ${name}`,
  weight: 2,
  strike: async ({ service, rng }) => freeze(await find(service), between(rng, 300, most)),
});

const someBackend = async (service: StruckService) =>
  (
    await service.query<{ pid: number }>(
      `select pid from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'
       order by state <> 'idle' desc, random() limit 1`,
    )
  )?.[0]?.pid ?? null;

const droppedConnections: Fault = {
  name: 'end all database sessions',
  weight: 2,
  async strike({ service }) {
    const rows = await service.query<{ n: number }>(
      `select count(pg_terminate_backend(pid))::int as n from pg_stat_activity
       where pid <> pg_backend_pid() and backend_type = 'client backend'`,
    );
    return rows === null ? null : `${rows[0].n} sessions`;
  },
};

async function endOthers(held: readonly pg.Client[]): Promise<boolean> {
  const own = held.map((client) => (client as unknown as { processID: number }).processID);
  const others = `select pg_terminate_backend(pid) from pg_stat_activity
    where backend_type = 'client backend' and not pid = any ($1::int[])`;
  await held[0].query(others, [own]).catch(() => {});
  return true;
}

const noConnections: Fault = {
  name: 'no database connections left',
  weight: 2,
  async strike({ service, rng }) {
    const held: pg.Client[] = [];
    const since = performance.now();
    const ms = between(rng, 1500, 4500);
    let ended = false;
    // the service's own connections are ended and taken too, so it cannot reconnect
    while (performance.now() - since < ms) {
      const client = await service.connect();
      if (client !== null) held.push(client);
      else if (ended || held.length === 0) await pause(20);
      else ended = await endOthers(held);
    }
    for (const client of held) await client.end().catch(() => {});
    return held.length === 0 ? null : `${held.length} held for ${(ms / 1000).toFixed(1)} s`;
  },
};

/** Writes ever smaller blocks, so that no space is left. */
function fillDisk(file: string): number {
  const handle = fs.openSync(file, 'w');
  let bytes = 0;
  try {
    for (let size = 2 ** 22; size >= 2 ** 12; size /= 4) {
      const block = Buffer.alloc(size, 1);
      try {
        for (;;) {
          const written = fs.writeSync(handle, block);
          bytes += written;
          if (written < size) break;
        }
      } catch {
        // Full for blocks of this size.
      }
    }
  } finally {
    fs.closeSync(handle);
  }
  return bytes;
}

const fullDisk: Fault = {
  name: 'fill the disk',
  weight: 2,
  missing: (service) => service.noDisk,
  async strike({ service, rng }) {
    const file = path.join(service.dataDir, 'of-others');
    const ms = between(rng, 1000, 5000);
    const until = performance.now() + ms;
    let bytes = fillDisk(file);
    try {
      // space that the service frees is filled too
      for (let i = 0; performance.now() < until; i++) {
        await pause(200);
        bytes += fillDisk(`${file}-${i}`);
      }
    } finally {
      for (const name of fs.readdirSync(service.dataDir))
        if (name.startsWith('of-others')) fs.rmSync(path.join(service.dataDir, name));
    }
    return `${Math.round(bytes / 2 ** 20)} MiB for ${(ms / 1000).toFixed(1)} s`;
  },
};

const clockJump: Fault = {
  name: 'the clock jumps',
  weight: 3,
  async strike({ service, rng }) {
    const days = Math.round(between(rng, -3, 3) * 10) / 10;
    service.clock.set(Math.round(days * 86_400));
    await pause(between(rng, 1500, 4000));
    // in half of the cases the shift lasts until the next jump
    if (rng.uniform() < 0.5) return `${days} days, to stay`;
    service.clock.set(0);
    await pause(1200);
    return `${days} days and back`;
  },
};

const shortMemory = (program: string): Fault => ({
  name: `short memory for ${program}`,
  weight: 1,
  async strike({ service, rng }) {
    const pid = service.pidOf(program);
    if (pid === null) return null;
    const moreMiB = Math.round(between(rng, 1, 24));
    let limit: ReturnType<typeof limitMemory>;
    try {
      limit = limitMemory(pid, moreMiB);
    } catch {
      // It ended while it was being looked up.
      return null;
    }
    const until = performance.now() + between(rng, 1500, 5000);
    while (performance.now() < until && isAlive(pid)) await pause(50);
    const how = isAlive(pid) ? 'it lived' : 'it was killed';
    limit.lift();
    return `${moreMiB} MiB more; ${how}`;
  },
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const cutSockets: Fault = {
  name: 'cut sockets',
  weight: 3,
  strike: async ({ service }) => `${service.proxy.cut()} connections`,
};

const stalledSockets: Fault = {
  name: 'sockets stall',
  weight: 1,
  async strike({ service, rng }) {
    const ms = between(rng, 500, 3000);
    await service.proxy.stall(ms);
    return `for ${(ms / 1000).toFixed(1)} s`;
  },
};

const killPostmaster: Fault = {
  name: 'kill postmaster',
  weight: 2,
  async strike({ service }) {
    const pid = service.postmaster();
    if (pid === null) return null;
    process.kill(pid, 'SIGKILL');
    return `SIGKILL ${pid}`;
  },
};

/** The next start is killed halfway through. */
const killTwice: Fault = {
  name: 'kill service and its next start',
  weight: 1,
  async strike({ service, rng }) {
    if (!service.signal('service.js', 'SIGKILL')) return null;
    const ms = between(rng, 100, 1200);
    await pause(ms);
    const again = service.signal('service.js', 'SIGKILL');
    return `SIGKILL${again ? `, again after ${Math.round(ms)} ms` : ''}`;
  },
};

export const faults: readonly Fault[] = [
  killing('service', 3, ['service.js']),
  killing('supervisor', 1, ['supervisor']),
  // its chains are threads of it: they end with it
  killing('worker and its chains', 4, ['worker.js']),
  killing('a process of functions', 1, ['node-guest-worker.js']),
  killing('supervisor, service and worker', 1, ['supervisor', 'service.js', 'worker.js']),
  killTwice,
  killingBackend('a backend at work', 3, `backend_type = 'client backend' and state <> 'idle'`),
  killingBackend('an idle backend', 1, `backend_type = 'client backend' and state = 'idle'`),
  killingBackend('a listening backend', 2, `query ilike 'listen%'`),
  killingBackend('checkpointer', 1, `backend_type = 'checkpointer'`),
  killingBackend('walwriter', 1, `backend_type = 'walwriter'`),
  killPostmaster,
  freezing('service', (service) => service.pidOf('service.js')),
  freezing('worker', (service) => service.pidOf('worker.js'), 12_000),
  freezing('postmaster', (service) => service.postmaster()),
  freezing('a backend', someBackend, 8000),
  freezing('supervisor', (service) => service.pidOf('supervisor')),
  cutSockets,
  stalledSockets,
  droppedConnections,
  noConnections,
  fullDisk,
  clockJump,
  shortMemory('worker.js'),
  shortMemory('service.js'),
];
