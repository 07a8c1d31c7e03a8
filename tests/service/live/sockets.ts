/** WebSocket clients for tests: received messages are stored in order and awaited by their content. */
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { WebSocket } from 'ws';

export interface SocketMessage {
  readonly action: string;
  readonly data?: unknown;
}

export interface TestSocket {
  readonly raw: WebSocket;
  /** Complete frames, as received. */
  readonly frames: Record<string, unknown>[];
  /** `message` of each frame. */
  readonly messages: SocketMessage[];
  send(message: unknown): void;
  /** The first message not yet awaited that fits; earlier ones are skipped. */
  next(fits: string | ((message: SocketMessage) => boolean)): Promise<SocketMessage>;
  /** Code and reason. */
  readonly closed: Promise<{ code: number; reason: string }>;
  close(): Promise<void>;
}

const open = new Set<WebSocket>();

/** Ends what a test left open. */
export function endSockets(): void {
  for (const socket of open) socket.terminate();
  open.clear();
}

export async function listen(app: FastifyInstance): Promise<string> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  const address = app.server.address() as AddressInfo;
  return `ws://127.0.0.1:${address.port}`;
}

export function openSocket(url: string, headers: Record<string, string> = {}): Promise<TestSocket> {
  const raw = new WebSocket(url, { headers });
  open.add(raw);
  const frames: Record<string, unknown>[] = [];
  const messages: SocketMessage[] = [];
  let wake = () => {};
  let at = 0;
  raw.on('message', (data) => {
    const frame = JSON.parse((data as Buffer).toString('utf8')) as Record<string, unknown>;
    frames.push(frame);
    messages.push(frame.message as SocketMessage);
    wake();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    raw.on('close', (code, reason) => {
      open.delete(raw);
      resolve({ code, reason: String(reason) });
      wake();
    });
  });
  const socket: TestSocket = {
    raw,
    frames,
    messages,
    closed,
    send: (message) => raw.send(typeof message === 'string' ? message : JSON.stringify(message)),
    async next(fits) {
      const isFit = typeof fits === 'string' ? (one: SocketMessage) => one.action === fits : fits;
      for (;;) {
        while (at < messages.length) {
          const message = messages[at++];
          if (isFit(message)) return message;
        }
        if (raw.readyState === WebSocket.CLOSED)
          throw new Error(`closed before ${String(fits)} came: ${JSON.stringify(messages)}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    async close() {
      raw.close();
      await closed;
    },
  };
  return new Promise((resolve, reject) => {
    raw.once('open', () => resolve(socket));
    raw.once('error', reject);
  });
}

/** Opened and authorized. */
export async function openAs(
  url: string,
  credentials: { token?: string; share_id?: string; password?: string },
): Promise<TestSocket> {
  const socket = await openSocket(url);
  socket.send({ action: 'authorization', ...credentials });
  await socket.next('authorized');
  return socket;
}
