/**
 * Closes connections whose request does not arrive: each has half a minute to send one, and only a few per network may
 * be slow. Users who have signed in may take longer over large bodies.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { bodyLimitOf } from '../../contract/endpoints.ts';
import { networkOf } from './caller-network.ts';

export interface SlowSenderTimes {
  /** When a sender counts as slow, and when its connection is closed, in milliseconds. */
  readonly slowMs: number;
  readonly endMs: number;
  readonly checkMs: number;
}

export interface SlowSenderOptions extends Partial<SlowSenderTimes> {
  /** A proxy has one address for all clients, and waits for slow senders itself. */
  readonly isBehindProxy: boolean;
}

const defaultTimes: SlowSenderTimes = { slowMs: 5000, endMs: 30_000, checkMs: 1000 };

/** Slow senders per network at a time. */
export const maxSlowPerNetwork = 16;

interface Sender {
  readonly network: string;
  readonly since: number;
  /** Signed in: closed only when the time is over, not for others. */
  isKnown: boolean;
  /** Null until its headers have arrived. */
  request: IncomingMessage | null;
}

export function endSlowSenders(app: FastifyInstance, options: SlowSenderOptions): void {
  const { slowMs, endMs, checkMs } = { ...defaultTimes, ...options };
  /** Connections whose request is not complete; oldest first. */
  const senders = new Map<Socket, Sender>();
  const server = app.server as Server;
  const expect = (socket: Socket) => {
    if (senders.has(socket)) return;
    const network = networkOf(socket.remoteAddress ?? '');
    senders.set(socket, { network, since: performance.now(), isKnown: false, request: null });
  };
  server.on('connection', (socket: Socket) => {
    // once per connection: it may carry any number of requests
    socket.once('close', () => senders.delete(socket));
    expect(socket);
  });
  server.on('upgrade', (request: IncomingMessage) => senders.delete(request.socket));
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    expect(socket);
    const sender = senders.get(socket);
    if (sender !== undefined) sender.request = request;
    const isDone = () => senders.delete(socket);
    request.once('end', isDone);
    response.once('close', isDone);
  });
  app.addHook('onRequest', async (request) => {
    const sender = senders.get(request.raw.socket);
    if (sender === undefined || request.viewer.user === null) return;
    sender.isKnown = true;
    const limit = bodyLimitOf(request.routeOptions.config.endpoint);
    if (limit === 'body_bytes' || limit === 'upload_piece_bytes')
      senders.delete(request.raw.socket);
  });
  const check = () => {
    const now = performance.now();
    const slow = new Map<string, Socket[]>();
    for (const [socket, { network, since, isKnown, request }] of senders) {
      // A request without a body is never read, so it emits no `end`: its response may take its time.
      if (request?.complete === true) senders.delete(socket);
      else if (now - since >= endMs) end(socket);
      else if (now - since >= slowMs && !isKnown && !options.isBehindProxy) {
        const sockets = slow.get(network) ?? [];
        sockets.push(socket);
        slow.set(network, sockets);
      }
    }
    for (const sockets of slow.values())
      for (const socket of sockets.slice(0, -maxSlowPerNetwork)) end(socket);
  };
  const end = (socket: Socket) => {
    senders.delete(socket);
    if (socket.writable) socket.write('HTTP/1.1 408 Request Timeout\r\nconnection: close\r\n\r\n');
    socket.destroy();
  };
  const timer = setInterval(check, checkMs);
  timer.unref();
  app.addHook('onClose', async () => clearInterval(timer));
}
