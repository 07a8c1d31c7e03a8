/** The service as a whole: database, HTTP, worker, sign-in link; started in order, ended in order. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { builtWebFolder, rootFolder } from './built-file.ts';
import { isLoopback, type ServiceConfig } from './config.ts';
import { createPgBossQueue } from './jobs/pg-boss-queue.ts';
import { createConfinedRunner } from './language-runtimes/confined-functions.ts';
import { rememberRuntimes } from './language-runtimes/confinement.ts';
import type { Logger } from './logging.ts';
import { openStore } from './open-store.ts';
import { ensureServerKey } from './repositories/settings.ts';
import { endTokens, insertToken } from './repositories/tokens.ts';
import { ensureOwner } from './repositories/users.ts';
import { StartError } from './start-error.ts';
import { createFileStore } from './storage/file-store.ts';
import { startWorkerProcess } from './worker-process.ts';

export interface Service {
  /** Origin that people use. */
  readonly url: string;
  /** Null where none may be printed. */
  readonly signInLink: string | null;
  /** Settles with a reason when the service cannot go on. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

export interface ServeOptions {
  readonly config: ServiceConfig;
  readonly logger: Logger;
  /** Words for the person who starts; never the link. */
  readonly say: (words: string) => void;
  /** Whether a person looks at stdout. */
  readonly isTerminal: boolean;
  readonly flushMs?: number;
}

export async function serve(options: ServeOptions): Promise<Service> {
  const { config, logger, say } = options;
  // Loaded while PostgreSQL starts.
  const building = import('./build-service.ts');
  building.catch(() => {});
  const store = await openStore({
    dataDir: config.dataDir,
    databaseUrl: config.databaseUrl,
    what: 'ergodic serve',
    say,
    onError: (error) => logger.warn({ err: error }, 'an idle database connection broke'),
    onRestart: (reason) => logger.error({ reason }, 'PostgreSQL ended and is started again'),
  });
  const { pool, connection } = store.database;
  const queue = createPgBossQueue({ connection, logger, supervise: false });
  const closers: (() => Promise<void>)[] = [() => store.close(), () => queue.stop()];
  const stop = async () => {
    for (let close = closers.pop(); close !== undefined; close = closers.pop()) {
      await close().catch((error: unknown) =>
        logger.error({ err: error }, 'an orderly end failed'),
      );
    }
  };
  try {
    const owner = await ensureOwner(pool);
    const files = createFileStore(path.join(config.dataDir, 'files'));
    const runtimes = rememberRuntimes({ trust: config.trustRuntimes });
    const deps = {
      pool,
      connection,
      config,
      serverKey: await ensureServerKey(pool),
      now: () => Date.now(),
      files,
      logger,
      queue,
      runtimes,
      confined: createConfinedRunner(runtimes),
      webDir: existsSync(path.join(builtWebFolder(), 'index.html')) ? builtWebFolder() : null,
      version: readVersion(),
    };
    const app = await (await building).buildService(deps);
    closers.push(() => app.close());
    await listen(app, config);
    const url = urlOf(config, app.server.address() as AddressInfo);
    if (config.workers > 0) {
      const worker = startWorkerProcess(
        {
          connection,
          dataDir: config.dataDir,
          slots: config.workers,
          pools: [],
          serviceUrl: localUrl(config, app.server.address() as AddressInfo),
          trustRuntimes: config.trustRuntimes,
          allowFetch: config.allowFetch,
          userChains: config.userChains,
          flushMs: options.flushMs,
        },
        logger,
      );
      closers.push(() => worker.stop());
    }
    warnAboutOpenness(config, say);
    let signInLink: string | null = null;
    if (options.isTerminal || config.printToken || isLoopback(config.host)) {
      await endTokens(pool, { userId: owner.id, kinds: ['start'] });
      const token = await insertToken(pool, { userId: owner.id, kind: 'start', name: 'start' });
      signInLink = `${url}/?token=${token.text}`;
    }
    return { url, signInLink, ended: store.ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Listener {
  listen(options: { port: number; host: string }): Promise<string>;
}

async function listen(app: Listener, { port, host }: ServiceConfig): Promise<void> {
  try {
    await app.listen({ port, host });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new StartError(
        `Port ${port} of ${host} is taken by another program (perhaps another Ergodic).\n` +
          `Choose another one, --port ${port + 1}, or any free one, --port 0.`,
      );
    }
    if (code === 'EACCES') {
      throw new StartError(
        `Port ${port} may not be used by this user. Choose one above 1023, for example --port 8650.`,
      );
    }
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new StartError(`This machine has no address ${host} (--host): ${message}.`);
    }
    throw error;
  }
}

function urlOf(config: ServiceConfig, address: AddressInfo): string {
  return config.publicUrl === '' ? localUrl(config, address) : config.publicUrl;
}

/** Where programs on this machine find the service. */
function localUrl(config: ServiceConfig, address: AddressInfo): string {
  const isEverywhere = config.host === '0.0.0.0' || config.host === '::';
  const host = isEverywhere ? '127.0.0.1' : config.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}

function warnAboutOpenness(config: ServiceConfig, say: (words: string) => void): void {
  if (isLoopback(config.host) || config.publicUrl.startsWith('https://')) return;
  say(
    `Warning: listening on ${config.host} without TLS: passwords and tokens cross the network in clear.\n` +
      'Put a TLS proxy in front and give its address: --public-url https://…',
  );
}

function readVersion(): string {
  try {
    const text = readFileSync(path.join(rootFolder(), 'package.json'), 'utf8');
    return (JSON.parse(text) as { version: string }).version;
  } catch {
    return '0.0.0';
  }
}

/** Opens the link in the browser of the person who started; silently does nothing where there is none. */
export function openInBrowser(link: string): void {
  const commands: Partial<Record<NodeJS.Platform, [string, string[]]>> = {
    darwin: ['open', [link]],
    win32: ['cmd', ['/c', 'start', '', link]],
  };
  const [command, args] = commands[process.platform] ?? ['xdg-open', [link]];
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
