import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import net from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { maxSlowPerNetwork, type SlowSenderTimes } from '../../../src/service/http/slow-senders.ts';
import { createTestService, type TestService } from '../../support/service.ts';

let service: TestService;
const open: net.Socket[] = [];
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await service.close();
});

async function serve(slowSenders: Partial<SlowSenderTimes>): Promise<number> {
  service = await createTestService({ slowSenders });
  await service.app.listen({ host: '127.0.0.1', port: 0 });
  return (service.app.server.address() as AddressInfo).port;
}

interface Sender {
  readonly socket: net.Socket;
  /** What arrived before it was closed. */
  readonly closed: Promise<string>;
}

function send(port: number, text: string): Sender {
  const socket = net.connect(port, '127.0.0.1');
  open.push(socket);
  let came = '';
  socket.on('data', (chunk) => {
    came += String(chunk);
  });
  socket.on('error', () => {});
  socket.write(text);
  return { socket, closed: new Promise((resolve) => socket.once('close', () => resolve(came))) };
}

const head = (path: string, length: number, token = '') =>
  `POST ${path} HTTP/1.1\r\nhost: localhost\r\n${token && `authorization: Bearer ${token}\r\n`}content-length: ${length}\r\n\r\n`;
const never = 3_600_000;

describe('a sender that does not finish', () => {
  it.each([
    ['its headers', 'GET /sys/config HTTP/1.1\r\nhost: localhost\r\nx-a: b'],
    ['its body', `${head('/base/login', 100)}{"username"`],
    ['anything', ''],
  ])('of %s is closed when its time is over', async (_, text) => {
    const port = await serve({ endMs: 200, checkMs: 50 });
    expect(await send(port, text).closed).toContain('408 Request Timeout');
  });

  it('that is signed in has as long for a small body and longer for a large one', async () => {
    const port = await serve({ endMs: 200, checkMs: 50 });
    const { token } = service.owner;
    const large = send(port, `${head('/api/object', 1000, token)}{"payload"`);
    let isOver = false;
    void large.closed.then(() => {
      isOver = true;
    });
    expect(await send(port, `${head('/invoke', 1000, token)}{`).closed).toContain('408');
    expect(await send(port, `${head('/base/user/tokens', 100, token)}{`).closed).toContain('408');
    expect(isOver).toBe(false);
    large.socket.write(' '.repeat(990));
    const [answer] = await once(large.socket, 'data');
    expect(String(answer)).toContain('INVALID_PARAMETER');
  });

  it('leaves room for others in its network, since only a few may be slow', async () => {
    const port = await serve({ slowMs: 100, endMs: never, checkMs: 20 });
    const crowd = Array.from({ length: 100 }, () => send(port, head('/base/login', 1000)));
    await Promise.all(crowd.slice(0, 100 - maxSlowPerNetwork).map(({ closed }) => closed));
    const left = await new Promise<number>((resolve, reject) =>
      service.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
    expect(left).toBe(maxSlowPerNetwork);
    const answer = await fetch(`http://127.0.0.1:${port}/sys/config`);
    expect(answer.status).toBe(200);
  });

  it('does not include a client that keeps its connection for the next request', async () => {
    const port = await serve({ slowMs: 20, endMs: 60, checkMs: 10 });
    const quiet = send(port, 'GET /sys/config HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await new Promise((resolve) => quiet.socket.once('data', resolve));
    // a sender that owes a request is closed meanwhile
    await send(port, 'GET').closed;
    await send(port, 'GET').closed;
    quiet.socket.write('GET /sys/config HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n');
    const came = await quiet.closed;
    expect(came.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
  });

  it('leaves no listeners on a connection with repeated requests', async () => {
    const port = await serve({});
    const taken: net.Socket[] = [];
    service.app.server.on('connection', (socket: net.Socket) => taken.push(socket));
    const { socket } = send(port, '');
    const ask = async () => {
      socket.write('GET /sys/config HTTP/1.1\r\nhost: localhost\r\n\r\n');
      await once(socket, 'data');
    };
    await ask();
    const before = taken[0]?.listenerCount('close');
    for (let i = 0; i < 20; i++) await ask();
    expect(taken[0]?.listenerCount('close')).toBe(before);
  });

  it('that disconnects in the middle of a body is logged in one line, not as an error', async () => {
    const port = await serve({});
    const { token } = service.owner;
    service.log.length = 0;
    for (const path of ['/api/object', '/base/user/tokens']) {
      const gone = send(port, `${head(path, 1000, token)}{"payload": "a secret of the user`);
      await new Promise((resolve) => service.app.server.once('request', resolve));
      gone.socket.resetAndDestroy();
    }
    const gzip = send(
      port,
      head('/api/object', 1000, token).replace(
        'content-length',
        'content-encoding: gzip\r\ncontent-length',
      ),
    );
    await new Promise((resolve) => service.app.server.once('request', resolve));
    gzip.socket.destroy();
    while (service.log.length < 3) await new Promise((resolve) => setTimeout(resolve, 10));
    const lines = service.log.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toHaveLength(3);
    for (const line of lines) {
      expect(line).toMatchObject({
        level: 'info',
        msg: 'a client went away before its request was complete',
      });
      expect(line).not.toHaveProperty('err');
    }
  });

  it('does not include a client that waits for a response, however long it takes', async () => {
    const port = await serve({ slowMs: 50, endMs: 200, checkMs: 20 });
    const { pool } = service.database;
    const holder = await pool.connect();
    await holder.query('begin');
    await holder.query('lock table objects in access exclusive mode');
    const { token } = service.owner;
    const list = '/api/object?object_type=model';
    const waiting = send(
      port,
      `GET ${list} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\nconnection: close\r\n\r\n`,
    );
    await new Promise((resolve) => service.app.server.once('request', resolve));
    // meanwhile, two senders that really are slow are closed
    await send(port, 'GET').closed;
    await send(port, 'GET').closed;
    await holder.query('commit');
    holder.release();
    expect(await waiting.closed).toMatch(/^HTTP\/1\.1 200/);
  });

  it('that finishes has no more listeners after many requests on one connection', async () => {
    const port = await serve({});
    const counts: number[] = [];
    service.app.server.on('request', ({ socket }) => counts.push(socket.listenerCount('close')));
    const { socket } = send(port, '');
    for (let i = 0; i < 30; i++) {
      socket.write('GET /sys/config HTTP/1.1\r\nhost: localhost\r\n\r\n');
      await once(socket, 'data');
    }
    expect(counts).toHaveLength(30);
    expect(Math.max(...counts)).toBe(counts[0]);
  });
});
