/** Checks of every request before its body is read: size, host, origin, cross-origin rules, caller. */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { bodyLimitOf } from '../../contract/endpoints.ts';
import { limits } from '../../contract/limits.ts';
import {
  type AddressConfig,
  isAllowedHost,
  isAllowedOrigin,
  isOwnOrigin,
  parseHost,
} from './address-checks.ts';
import { addUnpacking, checkEncoding } from './body-bounds.ts';
import type { BodyReader } from './body-reader.ts';
import type { User } from './call.ts';
import { boundDiscarding, DISCARD_BYTES } from './discard-body.ts';
import { bodyTooLarge, translateError } from './error-handler.ts';
import type { RefusedRequests } from './refused-requests.ts';
import {
  invalidParameter,
  notFound,
  permissionDenied,
  ServiceError,
  unauthorized,
} from './service-error.ts';

export interface RequestHookOptions {
  readonly config: AddressConfig;
  /** The user of a bearer token; null when it is unknown or expired. */
  readonly findUser: (token: string) => Promise<User | null>;
  readonly readBody: BodyReader;
  readonly refused: RefusedRequests;
}

const mutating = new Set(['POST', 'PUT', 'DELETE', 'PATCH']);

export function addRequestHooks(
  app: FastifyInstance,
  { config, findUser, readBody, refused }: RequestHookOptions,
): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    const { body, prepared } = await readBody(request, payload);
    request.prepared = prepared;
    return body;
  });
  app.decorateRequest('viewer');
  app.decorateRequest('prepared');
  addUnpacking(app);
  countRefused(app, refused);
  discardRefused(app);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    request.prepared = {};
    request.viewer = { user: null, sharePassword: sharePassword(request), address: request.ip };
    checkDoubles(request);
    checkHost(request, config);
    checkOrigin(request, config);
    if (allowCrossOrigin(request, reply, config) === 'answered') return reply;
    checkSize(request, reply);
    // bodies are read as JSON, whatever content type the client sends
    if (request.raw.headers['content-type'] !== undefined)
      request.raw.headers['content-type'] = 'application/json';
    if (isUpgrade(request)) checkUpgrade(request);
    else await authenticate(request, findUser);
    checkBody(request, reply, refused);
    return undefined;
  });
}

/** If sent twice, a proxy may check the first and we the second. */
const singleHeaders: ReadonlySet<string> = new Set(['host', 'origin', 'authorization']);

function checkDoubles(request: FastifyRequest): void {
  const seen = new Set<string>();
  const { rawHeaders } = request.raw;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? '';
    if (!singleHeaders.has(name)) continue;
    if (seen.has(name)) throw invalidParameter(`The header ${name} was sent more than once.`);
    seen.add(name);
  }
}

function checkHost(request: FastifyRequest, config: AddressConfig): void {
  const sent = request.headers.host;
  for (const header of sent === request.host ? [sent] : [sent, request.host]) {
    const host = parseHost(header);
    if (host !== null && isAllowedHost(host, config)) continue;
    const name = (header ?? '').slice(0, 100);
    throw permissionDenied(
      `This service does not answer to the host name "${name}"; start it with --allowed-host to allow it.`,
    );
  }
}

function checkOrigin(request: FastifyRequest, config: AddressConfig): void {
  const { origin } = request.headers;
  if (origin === undefined || !(mutating.has(request.method) || isUpgrade(request))) return;
  if (isOwnOrigin(origin, request.host, config) || isAllowedOrigin(origin, config)) return;
  throw permissionDenied(
    'Pages of this origin may not make changes; start the service with --allow-origin to allow it.',
  );
}

/** A WebSocket is not just a read: a browser lets any page open one and read its messages. */
const isUpgrade = (request: FastifyRequest) => request.ws === true;

/** The first message of a socket identifies the caller, since browsers let pages send no header with it. */
function checkUpgrade(request: FastifyRequest): void {
  if (request.routeOptions.config.socketPolicy === undefined)
    throw notFound('There is no WebSocket at this address.');
}

/** Only configured origins may read across origins; the browser blocks others, for lack of these headers. */
function allowCrossOrigin(
  request: FastifyRequest,
  reply: FastifyReply,
  config: AddressConfig,
): 'answered' | 'open' {
  const { origin } = request.headers;
  const isPreflight =
    request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
  if (config.allowedOrigins.length > 0) reply.header('vary', 'origin');
  if (origin !== undefined && isAllowedOrigin(origin, config)) {
    reply
      .header('access-control-allow-origin', origin)
      .header('access-control-expose-headers', 'retry-after, x-request-id, content-disposition');
    if (isPreflight) {
      reply
        .header('access-control-allow-methods', 'GET, POST, PUT, DELETE')
        .header(
          'access-control-allow-headers',
          'authorization, x-share-password, content-type, x-request-id',
        )
        .header('access-control-max-age', '600');
    }
  }
  if (!isPreflight) return 'open';
  void reply.code(204).send();
  return 'answered';
}

function checkSize(request: FastifyRequest, reply: FastifyReply): void {
  const size = Number(request.headers['content-length'] ?? 0);
  const limit = bodyLimitOf(request.routeOptions.config.endpoint);
  if (!(size > limits[limit])) return;
  if (size > DISCARD_BYTES) reply.header('connection', 'close');
  throw bodyTooLarge(size, limit);
}

/** Bodies of callers who have not signed in must be small and uncompressed, and refused ones are counted. */
function checkBody(request: FastifyRequest, reply: FastifyReply, refused: RefusedRequests): void {
  if (!mutating.has(request.method)) return;
  try {
    if (request.viewer.user === null) refused.check(request.ip);
    checkEncoding(request);
  } catch (error) {
    reply.header('connection', 'close');
    throw error;
  }
}

function discardRefused(app: FastifyInstance): void {
  app.addHook('onError', async (request, reply, error) => {
    const { code } = error instanceof ServiceError ? error : (translateError(error) ?? error);
    if (code !== 'TOO_LARGE' || Number(request.headers['content-length'] ?? 0) > DISCARD_BYTES)
      return;
    // the framework would close it while the client is still sending
    reply.removeHeader('connection');
    boundDiscarding(request.raw);
  });
}

/** A body that cannot be read, is too large or not of the expected shape. */
function countRefused(app: FastifyInstance, refused: RefusedRequests): void {
  app.addHook('onError', async (request, _reply, error) => {
    if (request.viewer?.user !== null || !mutating.has(request.method)) return;
    const { code } = error instanceof ServiceError ? error : (translateError(error) ?? error);
    if (code === 'INVALID_PARAMETER' || code === 'TOO_LARGE') refused.charge(request.ip);
  });
}

async function authenticate(
  request: FastifyRequest,
  findUser: RequestHookOptions['findUser'],
): Promise<void> {
  const { policy } = request.routeOptions.config;
  if (policy !== 'bearer' && policy !== 'viewer') return;
  const { authorization } = request.headers;
  const token =
    authorization === undefined ? null : (/^bearer +(\S+) *$/i.exec(authorization)?.[1] ?? '');
  if (token === null && policy === 'viewer') return;
  if (token === null) throw unauthorized('Sign in: this request needs a bearer token.');
  const user = await findUser(token);
  if (user === null) throw unauthorized('The token is unknown or has expired; sign in again.');
  if (user.scope !== null) checkScope(request, user.scope, user.sources ?? []);
  request.viewer = { ...request.viewer, user };
}

const scopedEndpoints = ['viewObject', 'updateObject', 'viewDraws', 'viewSummary', 'viewLog'];

/** A runner may view and download the objects that its run uses. */
const sourceEndpoints = ['viewObject', 'download'];

/** A run's own token opens its experiment, shows the objects it uses, and shows its owner; nothing else. */
function checkScope(request: FastifyRequest, scope: string, sources: readonly string[]): void {
  const { endpoint = '' } = request.routeOptions.config;
  const { objid = '' } = request.params as { objid?: string };
  const isAllowed =
    endpoint === 'viewUser' ||
    (objid === scope && scopedEndpoints.includes(endpoint)) ||
    (sources.includes(objid) && sourceEndpoints.includes(endpoint));
  if (!isAllowed) throw permissionDenied('This token gives access to one experiment only.');
}

/** Header values are bytes that Node reads as Latin-1: read as UTF-8 when valid, otherwise unchanged. */
function sharePassword(request: FastifyRequest): string | null {
  const value = request.headers['x-share-password'];
  if (typeof value !== 'string') return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      Buffer.from(value, 'latin1'),
    );
  } catch {
    return value;
  }
}
