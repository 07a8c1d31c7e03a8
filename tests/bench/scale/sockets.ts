/**
 * Idle WebSockets on one built service, and what an event costs alongside them: memory per socket, and how long one
 * watcher and all of them wait for an event of the run they watch. The watchers are members of the team that owns the run.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { WebSocket } from 'ws';
import { limits } from '../../../src/contract/limits.ts';
import { ACCESS_CHANNEL } from '../../../src/service/repositories/access.ts';
import { LIVE_CHANNEL } from '../../../src/service/repositories/chains.ts';
import { insertExperiment } from '../../../src/service/repositories/experiments.ts';
import { insertNotification } from '../../../src/service/repositories/notifications.ts';
import { insertTeam, replaceMembers } from '../../../src/service/repositories/teams.ts';
import { insertToken } from '../../../src/service/repositories/tokens.ts';
import { insertUser } from '../../../src/service/repositories/users.ts';
import { descendantOf } from '../../support/processes.ts';
import { serveBuilt } from '../serve-built.ts';
import { bytesText, count, msText, printTable, quantiles } from './sizes.ts';

/** How many are opened at a time. */
const atOnce = 20;

interface Person {
  readonly id: number;
  readonly token: string;
}

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { sockets: { type: 'string' } } });
  const number = count(values.sockets, 1e4);
  const service = await serveBuilt(['--workers', '0']);
  try {
    await service.withDatabase(async (pool) => {
      const people = await makePeople(pool, Math.ceil(number / limits.sockets_per_user) + 1);
      const team = await insertTeam(pool, { name: 'watchers' });
      await replaceMembers(
        pool,
        team?.id ?? 0,
        people.map((one) => one.id),
      );
      const run = await insertExperiment(pool, {
        ownerId: team?.id ?? 0,
        name: 'watched',
        status: 'RUN',
      });
      const pid = descendantOf(service.process.pid ?? 0, 'service.js');
      const url = service.access.origin.replace('http', 'ws');
      const place = { url, people, objid: run.short_id };
      const table: string[][] = [['', 'one socket', `${number} sockets`]];
      const few = await measure(pool, pid, { ...place, number: 1 });
      const many = await measure(pool, pid, { ...place, number });
      for (const [i, [what, value]] of many.entries()) table.push([what, few[i]?.[1] ?? '', value]);
      printTable(table);
    });
  } finally {
    await service.stop();
  }
}

async function makePeople(pool: pg.Pool, n: number): Promise<Person[]> {
  const people: Person[] = [];
  for (let i = 0; i < n; i++) {
    const user = await insertUser(pool, { name: `watcher ${i}`, passwordHash: null });
    const id = user?.id ?? 0;
    people.push({ id, token: (await insertToken(pool, { userId: id, kind: 'login' })).text });
  }
  return people;
}

interface Place {
  readonly url: string;
  readonly people: readonly Person[];
  readonly objid: string;
  readonly number: number;
}

async function measure(
  pool: pg.Pool,
  pid: number,
  { url, people, objid, number }: Place,
): Promise<[string, string][]> {
  const before = memoryOf(pid);
  const since = performance.now();
  const clients: Client[] = [];
  const openNext = async (): Promise<void> => {
    while (clients.length < number) {
      const person = people[Math.floor(clients.length / limits.sockets_per_user)] as Person;
      const client = new Client(`${url}/mcmc/ws/sub/object/${objid}`, person.token);
      clients.push(client);
      await client.authorized;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, openNext));
  const opened = performance.now() - since;
  await sleep(5000);
  const idle = memoryOf(pid);
  const processor = await processorOf(pid, 20);
  const [first] = clients;
  if (first === undefined) throw new Error('no socket was opened');
  const notify = (channel: string, payload: object) =>
    pool.query('select pg_notify($1, $2)', [channel, JSON.stringify(payload)]);
  const message = { id: objid, what: 'message', message: { action: 'note', data: 'x' } };
  const toAll = await waitAll(clients, () => notify(LIVE_CHANNEL, message));
  await pool.query(
    'update experiments set n_samples = n_samples + 1 where id = (select id from objects where short_id = $1)',
    [objid],
  );
  const status = await waitAll(clients, () => notify(LIVE_CHANNEL, { id: objid, what: 'status' }));
  const bell = new Client(`${url}/api/notification`, people.at(-1)?.token ?? '');
  await bell.authorized;
  // an unwatched object is deleted: watchers of others are not rechecked
  await notify(ACCESS_CHANNEL, { user_id: null, objects: ['X0000000'] });
  const alone = await waitAll([bell], () =>
    insertNotification(pool, { userId: people.at(-1)?.id ?? 0, event: 'e', title: 't' }),
  );
  for (const client of [...clients, bell]) client.raw.terminate();
  await sleep(2000);
  return [
    ['opened and let in', `${msText(opened / number)} ms each`],
    ['memory of the service', bytesText(idle)],
    ['more than before, a socket', bytesText((idle - before) / number)],
    ['processor while idle, pings and answers', `${(100 * processor).toFixed(1)} %`],
    [
      'a message to every watcher, first and last',
      `${msText(toAll.p50)} ms (p50), ${msText(toAll.last)} ms`,
    ],
    ['a new status to every watcher', `${msText(status.p50)} ms (p50), ${msText(status.last)} ms`],
    ['a notification to one of them', `${msText(alone.last)} ms`],
  ];
}

class Client {
  readonly raw: WebSocket;
  readonly authorized: Promise<void>;
  onText = () => {};

  constructor(url: string, token: string) {
    this.raw = new WebSocket(url, { perMessageDeflate: false });
    this.raw.on('open', () => this.raw.send(JSON.stringify({ action: 'authorization', token })));
    this.authorized = new Promise((resolve, reject) => {
      this.onText = resolve;
      this.raw.on('message', () => this.onText());
      this.raw.on('error', reject);
      this.raw.on('close', (code) => reject(new Error(`a socket was closed: ${code}`)));
    });
    this.authorized.catch(() => {});
  }
}

/** Milliseconds until the next message to each. */
async function waitAll(
  clients: readonly Client[],
  act: () => Promise<unknown>,
): Promise<{ p50: number; last: number }> {
  const times: number[] = [];
  const since = performance.now();
  const all = clients.map(
    (client) =>
      new Promise<void>((resolve) => {
        client.onText = () => {
          times.push(performance.now() - since);
          client.onText = () => {};
          resolve();
        };
      }),
  );
  await act();
  await Promise.all(all);
  return { p50: quantiles(times).p50, last: Math.max(...times) };
}

/** Resident bytes. */
function memoryOf(pid: number): number {
  return (
    Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
  );
}

/** Of one core. */
async function processorOf(pid: number, seconds: number): Promise<number> {
  const ticks = () => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(fields[11]) + Number(fields[12]);
  };
  const before = ticks();
  await sleep(seconds * 1000);
  return (ticks() - before) / 100 / seconds;
}
