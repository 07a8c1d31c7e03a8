import type { AddressInfo } from 'node:net';
import net from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../../src/contract/limits.ts';
import { type LiveTimes, liveTimes } from '../../../src/service/live/live-times.ts';
import { maxSilentPerNetwork } from '../../../src/service/live/socket-hub.ts';
import { insertNotification } from '../../../src/service/repositories/notifications.ts';
import { addDraws, startExperiment } from '../../support/objects.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { endSockets, listen, openAs, openSocket } from './sockets.ts';

const services: TestService[] = [];
async function serve(liveTimes: Partial<LiveTimes> = {}, allowedOrigins: string[] = []) {
  const service = await createTestService({ liveTimes, config: { allowedOrigins } });
  services.push(service);
  return { service, origin: await listen(service.app) };
}
afterEach(() => endSockets());
afterAll(async () => {
  for (const service of services) await service.close();
});

describe('an upgrade', () => {
  let origin: string;
  beforeAll(async () => {
    ({ origin } = await serve({}, ['https://friend.example']));
  });
  const statusOf = async (path: string, headers: Record<string, string> = {}) =>
    openSocket(`${origin}${path}`, headers).then(
      () => 101,
      (error: Error) => Number(/response: (\d+)/.exec(error.message)?.[1]),
    );

  it('is refused for other origins and unknown host names', async () => {
    const path = '/api/notification';
    expect(await statusOf(path, { origin: 'https://evil.example' })).toBe(400);
    expect(await statusOf(path, { host: 'evil.example' })).toBe(400);
    expect(await statusOf(path, { origin: 'https://friend.example' })).toBe(101);
    expect(await statusOf(path, { origin: origin.replace('ws', 'http') })).toBe(101);
    expect(await statusOf(path)).toBe(101);
  });

  it('is refused at paths without a socket', async () => {
    for (const path of ['/api/object', '/sys/config', '/openapi.json', '/no/such/place'])
      expect([path, await statusOf(path)]).toEqual([path, 400]);
  });

  it('is required: plain requests get an error', async () => {
    const { service } = await serve();
    const url = '/mcmc/ws/sub/object/X1234567';
    expect((await service.inject({ method: 'GET', url })).json().code).toBe('UNAUTHORIZED');
    const answer = await service.inject({ method: 'GET', url }, service.owner.token);
    expect(answer.json()).toMatchObject({ code: 'INVALID_PARAMETER' });
  });
});

describe('the number of sockets', () => {
  it('is limited per address before authorization, and its users can still connect', async () => {
    // nobody gets in by waiting for the silent ones to end
    const { service, origin } = await serve({ authorizeMs: 3_600_000 });
    const ada = await service.addPerson('ada');
    const path = `${origin}/api/notification`;
    const early = await openAs(path, { token: ada.token });
    const silent = [];
    for (let i = 0; i < 1000; i++) silent.push(await openSocket(path));
    const late = await openAs(path, { token: ada.token });
    // the oldest gave way, with a reason
    const first = await silent[0].closed;
    expect([1006, 4429]).toContain(first.code);
    expect(early.raw.readyState).toBe(early.raw.OPEN);
    expect(late.raw.readyState).toBe(late.raw.OPEN);
    expect(service.app.websocketServer.clients.size).toBeLessThanOrEqual(maxSilentPerNetwork + 2);
  });

  it('without authorization falls to zero after at most three seconds', async () => {
    expect(liveTimes.authorizeMs).toBeLessThanOrEqual(3000);
    const { origin } = await serve();
    const silent = await openSocket(`${origin}/api/notification`);
    expect((await silent.closed).code).toBe(4401);
  });

  it('is limited per user', async () => {
    const { service, origin } = await serve();
    const path = `${origin}/api/notification`;
    const most = limits.sockets_per_user;
    const ada = await service.addPerson('ada');
    const open = [];
    for (let i = 0; i < most; i++) open.push(await openAs(path, { token: ada.token }));
    const refused = await openSocket(path);
    refused.send({ action: 'authorization', token: ada.token });
    expect(await refused.next('error')).toMatchObject({
      data: { code: 'LIMIT_EXCEEDED', details: { limit: 'sockets_per_user' } },
    });
    expect((await refused.closed).code).toBe(4429);
    await open[0].close();
    await openAs(path, { token: ada.token });
    await openAs(path, { token: service.owner.token });
  });
});

describe('a socket that', () => {
  it('does not answer pings is closed', async () => {
    // long enough for a busy machine to answer
    const { service, origin } = await serve({ pingMs: 1500 });
    const good = await openAs(`${origin}/api/notification`, { token: service.owner.token });
    const bad = await openAs(`${origin}/api/notification`, { token: service.owner.token });
    // answers for a client that is gone
    bad.raw.pong = () => {};
    const pings: unknown[] = [];
    good.raw.on('ping', () => pings.push(1));
    expect((await bad.closed).code).toBe(1006);
    expect(pings.length).toBeGreaterThan(0);
    expect(good.raw.readyState).toBe(good.raw.OPEN);
  });

  it('does not read is sent nothing more, and closed with its own code', async () => {
    const { service, origin } = await serve({ slowMs: 300, roundMs: 1 });
    const { client, token } = service.owner;
    const { short_id: id } = await startExperiment(client);
    await addDraws(service, id, { chains: 2, draws: 150_000 });
    const socket = await openAs(`${origin}/mcmc/ws/sub/object/${id}`, { token });
    await socket.next('names');
    const variables = ['mu', 'lp__', 'divergent__'];
    const heap = process.memoryUsage().arrayBuffers;
    socket.send({
      action: 'subscribe',
      data: ['chain#1', 'chain#2'].map((chain) => ({ chain, variables })),
    });
    await socket.next('experiment:event');
    socket.raw.pause();
    await new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        if (service.app.websocketServer.clients.size > 0) return;
        clearInterval(timer);
        resolve();
      }, 20);
    });
    expect(process.memoryUsage().arrayBuffers - heap).toBeLessThan(32 * 2 ** 20);
    socket.raw.resume();
    const { code } = await socket.closed;
    expect([4408, 1006]).toContain(code);
    // a fraction of what was asked for
    expect(socket.messages.length).toBeLessThan(100);
  });

  it('is open when the service stops is closed with a reason, even if it never answers', async () => {
    const { service, origin } = await serve();
    services.splice(services.indexOf(service), 1);
    const socket = await openAs(`${origin}/api/notification`, { token: service.owner.token });
    const { port } = service.app.server.address() as AddressInfo;
    const rude = net.connect(port, '127.0.0.1');
    rude.on('error', () => {});
    rude.write(
      `GET /api/notification HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${'A'.repeat(22)}==\r\n\r\n`,
    );
    await new Promise((resolve) => rude.once('data', resolve));
    const gone = new Promise((resolve) => rude.once('close', resolve));
    await insertNotification(service.database.pool, {
      userId: service.owner.row.id,
      event: 'test',
      title: 'last',
    });
    await service.close();
    expect((await socket.closed).code).toBe(1001);
    rude.resume();
    await gone;
  });
});
