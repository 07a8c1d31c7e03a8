/** The full service in process, on its own database: nothing listens, and the test controls the clock. */
import fs from 'node:fs';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse, RouteOptions } from 'fastify';
import { type Client, createClient } from '../../src/client/create-client.ts';
import { buildService, type ServiceDeps } from '../../src/service/build-service.ts';
import { createLogger } from '../../src/service/logging.ts';
import { createReadingThreads } from '../../src/service/reading/reading-threads.ts';
import { insertToken } from '../../src/service/repositories/tokens.ts';
import { ensureOwner, insertUser, type UserRow } from '../../src/service/repositories/users.ts';
import { createDiskStore } from '../../src/service/storage/disk-store.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { testGuests } from './guests.ts';
import { createMemoryQueue, type MemoryQueue } from './memory-queue.ts';

export interface Person {
  readonly row: UserRow;
  /** `name(@id)`. */
  readonly username: string;
  readonly token: string;
  readonly client: Client;
}

export interface TestService {
  readonly app: FastifyInstance;
  readonly database: TestDatabase;
  /** The first user, a superuser without a password. */
  readonly owner: Person;
  /** Not signed in. */
  readonly anonymous: Client;
  /** Lines of the service's log. */
  readonly log: string[];
  readonly filesDir: string;
  /** Waiting jobs; the handlers are those that the test names. */
  readonly queue: MemoryQueue;
  clock: { now: number };
  addPerson(
    name: string,
    options?: { isSuper?: boolean; passwordHash?: string | null },
  ): Promise<Person>;
  clientOf(token: string | null): Client;
  /** Plain HTTP as `token`. */
  inject(options: InjectOptions, token?: string | null): Promise<LightMyRequestResponse>;
  close(): Promise<void>;
}

export interface TestServiceOptions {
  /** Absent: a new one. */
  readonly database?: TestDatabase;
  /** If absent, a separate folder. */
  readonly files?: ServiceDeps['files'];
  readonly config?: Partial<ServiceDeps['config']>;
  readonly webDir?: string | null;
  readonly liveTimes?: ServiceDeps['liveTimes'];
  readonly codeHost?: ServiceDeps['codeHost'];
  readonly reading?: ServiceDeps['reading'];
  readonly reserve?: ServiceDeps['reserve'];
  readonly slowSenders?: ServiceDeps['slowSenders'];
  readonly metrics?: ServiceDeps['metrics'];
  /** Called for every route when it is created. */
  readonly onRoute?: (route: RouteOptions) => void;
  /** Makes users' clients instead of the typed one; the service then listens on the port. */
  readonly makeClient?: (port: () => number, token: string | null) => Client;
}

export async function createTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const database = options.database ?? (await createTestDatabase());
  const { pool } = database;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ergodic-service-'));
  const clock = { now: Date.now() };
  const log: string[] = [];
  const queue = createMemoryQueue();
  const reading = options.reading ?? createReadingThreads();
  const app = await buildService({
    pool,
    connection: database.connection,
    liveTimes: options.liveTimes,
    codeHost: options.codeHost,
    config: {
      host: '127.0.0.1',
      publicUrl: '',
      allowedHosts: [],
      allowedOrigins: [],
      trustProxy: false,
      connect: [],
      ...options.config,
    },
    serverKey: new Uint8Array(32).fill(7),
    now: () => clock.now,
    reading,
    queue,
    guests: testGuests,
    files: options.files ?? createDiskStore(folder),
    logger: createLogger({
      level: 'info',
      destination: { write: (line: string) => log.push(line) },
    }),
    webDir: options.webDir ?? null,
    version: '0.0.1',
    onRoute: options.onRoute,
    reserve: options.reserve,
    slowSenders: options.slowSenders,
    metrics: options.metrics,
  });
  await app.ready();
  const { makeClient } = options;
  if (makeClient !== undefined) await app.listen({ host: '127.0.0.1', port: 0 });
  const port = () => (app.server.address() as AddressInfo).port;

  const clientOf = (token: string | null) =>
    makeClient?.(port, token) ??
    createClient({ baseUrl: 'http://localhost', token, fetch: fetchFrom(app) });
  const personOf = async (row: UserRow): Promise<Person> => {
    const { text } = await insertToken(pool, { userId: row.id, kind: 'login' });
    return { row, username: `${row.name}(@${row.id})`, token: text, client: clientOf(text) };
  };
  return {
    app,
    database,
    owner: await personOf(await ensureOwner(pool)),
    anonymous: clientOf(null),
    log,
    filesDir: folder,
    queue,
    clock,
    clientOf,
    async addPerson(name, { isSuper = false, passwordHash = null } = {}) {
      const row = await insertUser(pool, { name, passwordHash, isSuper });
      if (row === null) throw new Error(`${name} is taken`);
      return personOf(row);
    },
    inject(request, token = null) {
      const headers = token === null ? {} : { authorization: `Bearer ${token}` };
      return app.inject({ ...request, headers: { ...headers, ...request.headers } });
    },
    async close() {
      await app.close();
      await reading.close();
      await database.drop();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The client's `fetch`, answered by the app without a socket. */
export function fetchFrom(app: FastifyInstance): typeof fetch {
  return async (input, init) => {
    const { pathname, search, host } = new URL(input as string);
    const response = await app.inject({
      method: (init?.method ?? 'GET') as 'GET',
      url: pathname + search,
      headers: { host, ...(init?.headers as Record<string, string>) },
      payload:
        init?.body instanceof Blob
          ? Buffer.from(await init.body.arrayBuffer())
          : (init?.body as string | undefined),
    });
    const headers = Object.entries(response.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    return new Response(new Uint8Array(response.rawPayload), {
      status: response.statusCode,
      headers,
    });
  };
}
