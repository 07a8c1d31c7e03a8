/** Makes a route from each row of the endpoint table: caller, input, response. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import {
  bodyLimitOf,
  type Endpoint,
  type EndpointName,
  endpoints,
  fullViewType,
} from '../../contract/endpoints.ts';
import { limits } from '../../contract/limits.ts';
import type { AnyHandler, Call, Handlers, Viewer } from './call.ts';
import { okEnvelope } from './envelope.ts';
import { writeJson } from './json-pieces.ts';
import type { Prepared } from './prepared.ts';
import { sendAttachment, type UserBytes } from './user-bytes.ts';
import { validate } from './validate.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call: a row's policy, or `signed` (the address itself is the permission), or `public`. */
    policy?: Endpoint['policy'] | 'signed';
    /** For WebSocket upgrades, which are refused if this is absent: the first message identifies the caller. */
    socketPolicy?: 'first_message';
    endpoint?: EndpointName;
  }
  interface FastifyRequest {
    /** Set before the body is read. */
    viewer: Viewer;
    /** The parts of a large body that were already read. */
    prepared: Prepared;
  }
}

/** A handler of upgrades to a WebSocket. */
export type SocketHandler = (socket: WebSocket, request: FastifyRequest) => void;

export interface RegisterOptions {
  readonly handlers: Handlers;
  /** The service's address as this caller sees it. */
  readonly baseUrlOf: (request: FastifyRequest) => string;
  /** WebSockets that share an endpoint's address. */
  readonly sockets?: Partial<Record<EndpointName, SocketHandler>>;
  /** Converts a body before it is checked, for forms that older clients send. */
  readonly adapt?: Partial<
    Record<EndpointName, (body: unknown, params: Record<string, string>) => unknown>
  >;
}

const wantedType = fullViewType.replaceAll(' ', '');

/** Throws when a row has no handler. */
export function registerEndpoints(app: FastifyInstance, options: RegisterOptions): void {
  for (const name of Object.keys(endpoints) as EndpointName[]) {
    const endpoint: Endpoint = endpoints[name];
    const handler = options.handlers[name] as AnyHandler | undefined;
    if (handler === undefined) throw new Error(`The endpoint ${name} has no handler.`);
    const socket = options.sockets?.[name];
    for (const path of [endpoint.path, ...(endpoint.aliases ?? [])]) {
      app.route({
        method: endpoint.method,
        url: path.replace(/\{(\w+)\}/g, ':$1'),
        bodyLimit: limits[bodyLimitOf(name)],
        config: {
          policy: endpoint.policy,
          endpoint: name,
          ...(socket === undefined ? {} : { socketPolicy: 'first_message' as const }),
        },
        ...(socket === undefined ? {} : { wsHandler: socket }),
        // draws do not compress
        ...(endpoint.response === 'binary' ? { compress: false } : {}),
        handler: async (request, reply) => {
          const call = readCall(name, endpoint, request, options);
          return answer(endpoint, reply, await handler({ ...call, reply }));
        },
      });
    }
  }
}

function readCall(
  name: EndpointName,
  endpoint: Endpoint,
  request: FastifyRequest,
  { adapt, baseUrlOf }: RegisterOptions,
): Omit<Call<EndpointName>, 'reply'> {
  const params = request.params as Record<string, string>;
  const query = endpoint.query && validate(endpoint.query, request.query, 'query');
  const body = endpoint.body && readBody(name, endpoint.body, request, adapt);
  const { viewer, prepared } = request;
  const call = {
    params,
    query,
    body,
    prepared,
    viewer,
    user: viewer.user,
    acceptsFullView: acceptsFullView(request.headers.accept),
    baseUrl: baseUrlOf(request),
  };
  return call as unknown as Omit<Call<EndpointName>, 'reply'>;
}

function readBody(
  name: EndpointName,
  schema: NonNullable<Endpoint['body']>,
  request: FastifyRequest,
  adapt: RegisterOptions['adapt'],
): unknown {
  if (schema === 'binary') return Array.isArray(request.body) ? request.body : [];
  const sent = request.body ?? {};
  const params = request.params as Record<string, string>;
  return validate(schema, adapt?.[name]?.(sent, params) ?? sent, 'body');
}

function acceptsFullView(accept = ''): boolean {
  const types = accept.toLowerCase().split(',');
  return types.some((type) => type.replace(/\s/g, '').startsWith(wantedType));
}

function answer(endpoint: Endpoint, reply: FastifyReply, data: unknown): FastifyReply {
  if (endpoint.response === 'binary') {
    const mediaType = 'application/octet-stream';
    if (!(data instanceof Uint8Array)) return sendAttachment(reply, data as UserBytes);
    return sendAttachment(reply, { body: data, fileName: 'draws.bin', mediaType });
  }
  reply
    .header('cache-control', 'no-store')
    .header('content-type', 'application/json; charset=utf-8');
  return reply.send(writeJson(okEnvelope(data ?? null)));
}
