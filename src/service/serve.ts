/** The entire service: database, HTTP, worker, sign-in link; started and stopped in order. */
import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type pg from 'pg';
import { createIdentityProvider, type IdentityProvider } from './auth/identity-provider.ts';
import { builtWebFolder } from './built-file.ts';
import { type ClusterMember, joinCluster } from './cluster-member.ts';
import type { ServiceConfig } from './config.ts';
import { createPgBossQueue } from './jobs/pg-boss-queue.ts';
import { createConfinedRunner } from './language-runtimes/confined-functions.ts';
import { rememberRuntimes } from './language-runtimes/confinement.ts';
import type { Logger } from './logging.ts';
import { isLoopback } from './loopback.ts';
import type { Metrics } from './metrics/metrics.ts';
import { ownVersions } from './migrations/handshake.ts';
import { openMigrated } from './open-store.ts';
import { readVersion } from './read-version.ts';
import { createReadingThreads } from './reading/reading-threads.ts';
import { ensureServerKey } from './repositories/settings.ts';
import { endTokens, insertToken } from './repositories/tokens.ts';
import { ensureOwner } from './repositories/users.ts';
import { prepareSummaryThreads } from './results/summary-threads.ts';
import type { ServiceReady, ServiceSettings } from './service-messages.ts';
import { hasSpareMemory } from './spare-memory.ts';
import { StartError } from './start-error.ts';
import { createDiskReserve } from './storage/disk-reserve.ts';
import { openFileStore } from './storage/open-file-store.ts';
import { startWorkerProcess, type WorkerProcess } from './worker-process.ts';

export interface Service extends ServiceReady {
  stop(): Promise<void>;
}

export interface ServeOptions extends ServiceSettings {
  readonly logger: Logger;
  /** Shows a message to the operator; never the sign-in link. */
  readonly say: (text: string) => void;
}

/** An idle worker prepares at about the same time. */
const PREPARE_AFTER_MS = 2000;

export async function serve(options: ServeOptions): Promise<Service> {
  const { config, connection, logger, say } = options;
  // Loads while the database connects.
  const building = import('./build-service.ts');
  building.catch(() => {});
  const database = await openMigrated(connection, {
    ...config,
    isEmbedded: options.isEmbedded,
    onError: (error) => logger.warn({ err: error }, 'an idle database connection was lost'),
  });
  const { pool } = database;
  const queue = createPgBossQueue({ connection, logger, supervise: false });
  const closers: (() => Promise<void>)[] = [() => database.close(), () => queue.stop()];
  const stop = async () => {
    for (let close = closers.pop(); close !== undefined; close = closers.pop()) {
      await close().catch((error: unknown) => logger.error({ err: error }, 'shutting down failed'));
    }
  };
  try {
    const owner = await ensureOwner(pool);
    const files = await openFileStore(config);
    const version = readVersion();
    const member = await joinCluster({ pool, files, version, logger });
    closers.push(() => member.leave());
    const metrics = await openMetrics(config, pool, version);
    const runtimes = rememberRuntimes({ trust: config.trustRuntimes });
    const reading = createReadingThreads();
    closers.push(() => reading.close());
    const reserve = createDiskReserve(config.dataDir);
    // not immediately: a start has other things to write
    const refilling = setInterval(() => void reserve.refill().catch(() => {}), 30_000);
    closers.push(async () => clearInterval(refilling));
    const deps = {
      reserve,
      pool,
      connection,
      config,
      serverKey: await ensureServerKey(pool),
      now: () => Date.now(),
      files,
      logger,
      queue,
      reading,
      runtimes,
      confined: createConfinedRunner(runtimes),
      webDir: existsSync(path.join(builtWebFolder(), 'index.html')) ? builtWebFolder() : null,
      version,
      provider: config.oidc === null ? undefined : createIdentityProvider(config.oidc, Date.now),
      metrics: metrics ?? undefined,
    };
    const app = await (await building).buildService(deps);
    closers.push(() => app.close());
    await listen(app, config);
    closers.push(prepareSoon(logger));
    void reportProvider(deps.provider, say);
    if (metrics !== null) closers.push(await openMonitor(config, metrics, member));
    const address = app.server.address() as AddressInfo;
    if (config.workers > 0) {
      const worker = startOwnWorker(options, localUrl(config, address));
      closers.push(() => worker.stop());
    }
    const url = urlOf(config, address);
    if (options.isRestart) return { url, port: address.port, signInLink: null, stop };
    warnAboutOpenness(config, say);
    const mayPrint = options.isTerminal || config.printToken || isLoopback(config.host);
    const signInLink = mayPrint ? await makeSignInLink(pool, owner.id, url) : null;
    return { url, port: address.port, signInLink, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Once the first pages have been answered. Returns a function that ends what has been prepared. */
function prepareSoon(logger: Logger): () => Promise<void> {
  let prepared: Promise<() => Promise<void>> | null = null;
  const timer = setTimeout(() => {
    if (hasSpareMemory()) prepared = prepareSummaryThreads();
    prepared?.catch((error: unknown) =>
      logger.warn({ err: error }, 'the service could not prepare for summaries'),
    );
  }, PREPARE_AFTER_MS).unref();
  return async () => {
    clearTimeout(timer);
    const end = await prepared?.catch(() => null);
    await end?.();
  };
}

/** The worker on this machine. */
function startOwnWorker(options: ServeOptions, serviceUrl: string): WorkerProcess {
  const { config, connection, logger, flushMs } = options;
  const { dataDir, files, workers: slots, trustRuntimes, allowFetch, userChains } = config;
  return startWorkerProcess(
    {
      connection,
      dataDir,
      files,
      slots,
      pools: [],
      serviceUrl,
      trustRuntimes,
      allowFetch,
      userChains,
      flushMs,
    },
    logger,
  );
}

/** The service starts anyway, and the sign-in page says so too. */
async function reportProvider(
  provider: IdentityProvider | undefined,
  say: (text: string) => void,
): Promise<void> {
  const problem = (await provider?.check()) ?? null;
  if (problem !== null) say(`Warning: nobody can sign in through single sign-on. ${problem}`);
}

/** Returns a function that closes it. */
async function openMonitor(
  { metricsPort: port, metricsHost: host }: ServiceConfig,
  metrics: Metrics,
  member: ClusterMember,
): Promise<() => Promise<void>> {
  const { startMonitor } = await import('./metrics/monitor.ts');
  const monitor = await startMonitor({ port, host, metrics, notReady: () => member.notReady() });
  return () => monitor.close();
}

/** Null if metrics are off: then their library is not loaded either. */
async function openMetrics(
  { metricsPort }: ServiceConfig,
  pool: pg.Pool,
  version: string,
): Promise<Metrics | null> {
  if (metricsPort < 0) return null;
  const { createMetrics } = await import('./metrics/metrics.ts');
  return createMetrics({ pool, version, ...ownVersions });
}

/** Each start replaces the link of the previous one. */
async function makeSignInLink(pool: pg.Pool, userId: number, url: string): Promise<string> {
  await endTokens(pool, { userId, kinds: ['start'] });
  const token = await insertToken(pool, { userId, kind: 'start', name: 'start' });
  return `${url}/?token=${token.text}`;
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
        `Port ${port} on ${host} is in use by another program (perhaps another Ergodic).\n` +
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

/** Address at which programs on this machine reach the service. */
function localUrl(config: ServiceConfig, address: AddressInfo): string {
  const isEverywhere = config.host === '0.0.0.0' || config.host === '::';
  const host = isEverywhere ? '127.0.0.1' : config.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}

function warnAboutOpenness(config: ServiceConfig, say: (text: string) => void): void {
  if (isLoopback(config.host) || config.publicUrl.startsWith('https://')) return;
  say(
    `Warning: listening on ${config.host} without TLS: passwords and tokens cross the network unencrypted.\n` +
      'Put a TLS proxy in front and give its address: --public-url https://…',
  );
}
