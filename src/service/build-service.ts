/** Assembles the service: hooks, the endpoint table's routes, files, the dashboard. It never listens. */
import { constants } from 'node:zlib';
import compress, { type FastifyCompressOptions } from '@fastify/compress';
import websocket from '@fastify/websocket';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
  type RouteOptions,
} from 'fastify';
import { nanoid } from 'nanoid';
import { unknownRouteStatus } from '../contract/errors.ts';
import { limits } from '../contract/limits.ts';
import { buildOpenApi } from '../contract/openapi.ts';
import { registerAnalysis } from './analysis/register-analysis.ts';
import { createIdentityProvider } from './auth/identity-provider.ts';
import { findUserOfToken } from './auth/token-user.ts';
import { type CoreDeps, createCoreContext, type WebContext } from './context.ts';
import { createFetcher, type Fetcher } from './fetching/fetcher.ts';
import { createGuestPool, type GuestPool, noteReadFault } from './guests/guest-pool.ts';
import { createBodyReader } from './http/body-reader.ts';
import type { Handlers } from './http/call.ts';
import { type GuardedReserve, guardDisk } from './http/disk-guard.ts';
import { errorEnvelope } from './http/envelope.ts';
import { handleError } from './http/error-handler.ts';
import { createRefusedRequests } from './http/refused-requests.ts';
import { registerEndpoints } from './http/register-endpoints.ts';
import { addRequestHooks } from './http/request-hooks.ts';
import { waitForHandlers } from './http/running-handlers.ts';
import { addSecurityHeaders, bareHeaders } from './http/security-headers.ts';
import { endSlowSenders, type SlowSenderTimes } from './http/slow-senders.ts';
import { serveDashboard } from './http/static-web.ts';
import { traceRequests } from './http/trace-requests.ts';
import { addObjectType } from './kinds/objects.ts';
import { ChangeFeed } from './live/change-feed.ts';
import { type LiveTimes, liveTimes } from './live/live-times.ts';
import { SocketHub } from './live/socket-hub.ts';
import { addSocketRoutes } from './live/socket-routes.ts';
import type { Metrics } from './metrics/metrics.ts';
import { createReadingThreads, type ReadingThreads } from './reading/reading-threads.ts';
import type { Connection } from './repositories/database.ts';
import { vacuumContent } from './repositories/space.ts';
import { accountHandlers } from './routes/account.ts';
import { downloadHandlers } from './routes/downloads.ts';
import { addFileRoutes } from './routes/files.ts';
import { linkedAccountHandlers } from './routes/linked-accounts.ts';
import { notificationHandlers } from './routes/notifications.ts';
import { objectHandlers } from './routes/objects.ts';
import { queueHandlers } from './routes/queue.ts';
import { resultHandlers } from './routes/results.ts';
import { runProxyHandlers } from './routes/run-proxy.ts';
import { systemHandlers } from './routes/system.ts';
import { uploadHandlers } from './routes/uploads.ts';

/** What the code that starts the service provides: the core's dependencies, and what only the web needs. */
export interface ServiceDeps
  extends Omit<CoreDeps, 'guests' | 'fetcher' | 'reading' | 'workerId'>,
    Pick<WebContext, 'config' | 'version' | 'runtimes' | 'provider'> {
  /** Absent: a pool is created when it is needed. */
  readonly guests?: GuestPool;
  /** Threads that read large bodies; absent: started when they are needed. */
  readonly reading?: ReadingThreads;
  /** Absent: created from `config.allowFetch`. */
  readonly fetcher?: Fetcher;
  /** The same database, for a connection that listens for notifications. */
  readonly connection: Connection;
  /** Folder of the built dashboard; null = only the API. */
  readonly webDir: string | null;
  /** Timeouts of sockets; shorter in tests. */
  readonly liveTimes?: Partial<LiveTimes>;
  /** How long clients may take to send a request; shorter in tests. */
  readonly slowSenders?: Partial<SlowSenderTimes>;
  /** Disk space that is given up when the disk is full; absent: this process does not manage the disk. */
  readonly reserve?: GuardedReserve;
  /** Counts requests; absent: metrics are off. */
  readonly metrics?: Pick<Metrics, 'watch'>;
  /** Receives every route as it is registered. */
  readonly onRoute?: (route: RouteOptions) => void;
}

/** Quality 4, since Brotli's default of 11 is meant for files compressed once. */
const compression: FastifyCompressOptions = {
  global: true,
  // we decompress request bodies ourselves, within our own limits
  globalDecompression: false,
  threshold: 1024,
  encodings: ['br', 'gzip'],
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
};

/** Ready to listen or to be called in-process. Throws when a row of the endpoint table has no handler. */
export async function buildService(deps: ServiceDeps): Promise<FastifyInstance> {
  registerAnalysis();
  const context = createContext(deps);
  const app = createApp(deps);
  if (deps.guests === undefined) app.addHook('onClose', () => context.guests.close());
  if (deps.onRoute !== undefined) app.addHook('onRoute', deps.onRoute);
  if (deps.reading === undefined) app.addHook('onClose', () => context.reading.close());
  deps.metrics?.watch(app);
  waitForHandlers(app);
  await addSecurityHeaders(app, deps.config.connect);
  await app.register(compress, compression);
  const hub = new SocketHub(new ChangeFeed(deps.connection, deps.logger), {
    ...liveTimes,
    ...deps.liveTimes,
  });
  app.addHook('preClose', () => hub.close());
  await app.register(websocket, {
    options: { maxPayload: limits.socket_message_bytes, perMessageDeflate: false },
  });
  traceRequests(app);
  addRequestHooks(app, {
    config: deps.config,
    findUser: (token) => findUserOfToken(context, token),
    readBody: createBodyReader((input, transfer) => context.reading.run('body', input, transfer)),
    refused: createRefusedRequests(deps.now),
  });
  endSlowSenders(app, { isBehindProxy: deps.config.trustProxy, ...deps.slowSenders });
  const sendPage = await serveDashboard(app, deps.webDir);
  const sockets = addSocketRoutes(app, context, hub);
  registerEndpoints(app, {
    handlers: guardHandlers(createHandlers(context), deps),
    sockets: { listNotifications: sockets.notifications },
    baseUrlOf: (request) => baseUrlOf(request, deps),
    adapt: { updateObject: addObjectType },
  });
  addFileRoutes(app, context);
  // built on the first request: it takes longer than all routes
  let openApi: string | null = null;
  app.get('/openapi.json', { config: { policy: 'public' } }, (_, reply) => {
    openApi ??= JSON.stringify(buildOpenApi(deps.version));
    return reply.header('content-type', 'application/json; charset=utf-8').send(openApi);
  });
  app.setNotFoundHandler((request, reply) => {
    if (sendPage(request, reply)) return;
    void reply
      .code(unknownRouteStatus)
      .send(errorEnvelope('NOT_FOUND', 'There is no such endpoint.'));
  });
  return app;
}

function guardHandlers(handlers: Handlers, { reserve, pool }: ServiceDeps): Handlers {
  if (reserve === undefined) return handlers;
  return guardDisk(handlers, { reserve, settle: () => vacuumContent(pool) });
}

function createContext(deps: ServiceDeps): WebContext {
  const { config, version, runtimes, logger } = deps;
  const core = createCoreContext({
    ...deps,
    guests: deps.guests ?? createGuestPool({ onFault: noteReadFault(logger) }),
    reading: deps.reading ?? createReadingThreads(),
    fetcher: deps.fetcher ?? createFetcher({ allowFetch: config.allowFetch ?? [] }),
  });
  const provider =
    deps.provider ?? (config.oidc ? createIdentityProvider(config.oidc, deps.now) : undefined);
  return { ...core, config, provider, version, runtimes, exportsInWork: new Map() };
}

function createHandlers(context: WebContext): Handlers {
  return {
    ...accountHandlers(context),
    ...downloadHandlers(context),
    ...linkedAccountHandlers(context),
    ...notificationHandlers(context),
    ...objectHandlers(context),
    ...queueHandlers(context),
    ...resultHandlers(context),
    ...runProxyHandlers(context),
    ...systemHandlers(context),
    ...uploadHandlers(context),
  };
}

const requestIdPattern = /^[\w-]{1,64}$/;

function createApp({ config, logger }: ServiceDeps): FastifyInstance {
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // trusts the proxy's own entry, not what a client made it pass on
    trustProxy: config.trustProxy ? (_address: string, hop: number) => hop === 0 : false,
    // an endpoint that accepts more says so in its row
    bodyLimit: limits.small_body_bytes,
    requestTimeout: 120_000,
    genReqId: (request) => {
      const sent = request.headers['x-request-id'];
      return typeof sent === 'string' && requestIdPattern.test(sent) ? sent : nanoid(12);
    },
    routerOptions: { maxParamLength: 10_000 },
    frameworkErrors: (error: FastifyError, request, reply) =>
      handleError(error, request as FastifyRequest, reply.headers(bareHeaders)),
  }) as unknown as FastifyInstance;
  app.setErrorHandler(handleError);
  return app;
}

/** The public address if there is one, otherwise the Host header of the request, which was checked. */
function baseUrlOf(request: FastifyRequest, { config }: ServiceDeps): string {
  return config.publicUrl === '' ? `${request.protocol}://${request.host}` : config.publicUrl;
}
