import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestService, type TestService } from '../support/service.ts';

const dashboard = 'https://dashboard.example.org';
let service: TestService;
beforeAll(async () => {
  service = await createTestService({
    config: { allowedOrigins: [dashboard], connect: ['https://other.example.org'] },
  });
});
afterAll(() => service.close());

/** Starts listening unless it does already. */
async function portOf({ app }: TestService): Promise<number> {
  if (app.server.address() === null) await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}

const login = (headers: Record<string, string>) =>
  service.inject({
    method: 'POST',
    url: '/base/login',
    payload: '{"username":"x","password":"y"}',
    headers,
  });

describe('the Host header', () => {
  it.each(['localhost', '127.0.0.1:8650', '[::1]:8650', 'LOCALHOST.'])(
    'may be %s',
    async (host) => {
      expect(
        (await service.inject({ method: 'GET', url: '/sys/config', headers: { host } })).statusCode,
      ).toBe(200);
    },
  );
  it.each(['evil.example.org', '127.0.0.1.evil.org', 'localhost@evil.org', 'a b', '192.168.1.2'])(
    'may not be %s',
    async (host) => {
      const response = await service.inject({
        method: 'GET',
        url: '/sys/config',
        headers: { host },
      });
      expect([response.statusCode, response.json().code]).toEqual([400, 'PERMISSION_DENIED']);
    },
  );
});

describe('a header that may occur once', () => {
  it.each([
    'host: localhost\r\nhost: localhost',
    'host: localhost\r\nHOST: evil.example.org',
    'host: localhost\r\norigin: http://localhost\r\norigin: http://localhost',
    'host: localhost\r\nauthorization: Bearer a\r\nauthorization: Bearer b',
  ])('is refused when it occurs twice: %j', async (headers) => {
    const port = await portOf(service);
    const socket = connect(port, '127.0.0.1');
    socket.end(`GET /sys/config HTTP/1.1\r\n${headers}\r\nconnection: close\r\n\r\n`);
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('INVALID_PARAMETER');
  });
});

describe('the Origin of a POST request', () => {
  it.each([
    {},
    { origin: 'http://localhost' },
    { origin: 'http://localhost:80' },
    { origin: dashboard },
  ])('may be absent, own or allowed: %j', async (headers) =>
    expect((await login(headers as Record<string, string>)).json().message).toBe(
      'User name or password is wrong.',
    ),
  );
  it.each(['https://evil.org', 'null', 'http://localhost:5173', 'http://localhost.evil.org'])(
    'may not be %s',
    async (origin) => {
      const response = await login({ origin });
      expect([response.statusCode, response.json().message]).toEqual([
        400,
        expect.stringContaining('origin'),
      ]);
    },
  );
});

describe('other origins', () => {
  const preflight = (origin: string) =>
    service.inject({
      method: 'OPTIONS',
      url: '/api/object',
      headers: { origin, 'access-control-request-method': 'POST' },
    });

  it('may read responses when they are configured', async () => {
    const { headers, statusCode } = await preflight(dashboard);
    expect(statusCode).toBe(204);
    expect(headers).toMatchObject({
      'access-control-allow-origin': dashboard,
      'access-control-allow-headers': 'authorization, x-share-password, content-type, x-request-id',
      vary: expect.stringContaining('origin'),
    });
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    for (const url of ['/sys/config', '/files/a.b/c', '/nothing'])
      expect(
        (await service.inject({ method: 'GET', url, headers: { origin: dashboard } })).headers[
          'access-control-allow-origin'
        ],
      ).toBe(dashboard);
  });

  it('may not read responses when they are not configured', async () => {
    for (const origin of ['https://evil.org', 'null', `${dashboard}.evil.org`]) {
      expect((await preflight(origin)).headers['access-control-allow-origin']).toBeUndefined();
      const read = await service.inject({ method: 'GET', url: '/sys/config', headers: { origin } });
      expect(read.headers['access-control-allow-origin']).toBeUndefined();
    }
  });
});

describe('every response', () => {
  it('forbids MIME sniffing, referrers and foreign scripts', async () => {
    for (const url of [
      '/sys/config',
      '/nothing',
      '/api/object/M1234567',
      '/%',
      '/files/a.b/c',
      '/openapi.json',
    ]) {
      const { headers } = await service.inject({ method: 'GET', url });
      expect([url, headers['x-content-type-options'], headers['referrer-policy']]).toEqual([
        url,
        'nosniff',
        'no-referrer',
      ]);
      expect(headers['content-security-policy']).toMatch(/default-src '(self|none)'/);
      expect(headers['x-powered-by']).toBeUndefined();
    }
  });

  it('lets the dashboard connect only to its own server and the configured ones', async () => {
    const policy = String(
      (await service.inject({ method: 'GET', url: '/sys/config' })).headers[
        'content-security-policy'
      ],
    );
    expect(policy).toContain(
      "connect-src 'self' https://other.example.org wss://other.example.org;",
    );
  });
});

describe('large and broken requests', () => {
  let port = 0;
  beforeAll(async () => {
    port = await portOf(service);
  });

  /** Sends raw text and returns the complete response. */
  const raw = (text: string) =>
    new Promise<string>((resolve, reject) => {
      let answer = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(text));
      socket.on('data', (chunk) => {
        answer += chunk.toString('latin1');
      });
      socket.on('close', () => resolve(answer));
      socket.on('error', reject);
    });

  it('a body of 1 GB is refused by its Content-Length, before it is read', async () => {
    const answer = await raw(
      `POST /api/object HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${service.owner.token}\r\nContent-Length: 1073741824\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toMatch(/connection: close/i);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))).toMatchObject({
      code: 'TOO_LARGE',
      details: { limit: 'body_bytes', allowed: 67_108_864, size: 1_073_741_824 },
    });
  });

  it('a body without Content-Length is cut off at the limit', async () => {
    const chunk = Buffer.from('x'.repeat(2 ** 20));
    // A quarter more than the limit, not endless: a client may continue to read its stream after being cut off.
    let left = 80;
    const response = await fetch(`http://127.0.0.1:${port}/api/object`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.owner.token}` },
      body: new ReadableStream({
        pull(controller) {
          if (left-- > 0) controller.enqueue(chunk);
          else controller.close();
        },
      }),
      duplex: 'half',
    } as RequestInit);
    expect([response.status, await response.json()]).toEqual([
      413,
      expect.objectContaining({ code: 'TOO_LARGE' }),
    ]);
  });

  /** Writes everything before it reads anything, as most clients do; null: the connection broke. */
  const writeFirst = (head: string, blocks: number, block: Buffer) =>
    new Promise<string | null>((resolve) => {
      let answer = '';
      const socket = connect(port, '127.0.0.1', () => {
        socket.pause();
        socket.write(head);
        write(blocks);
      });
      const write = (left: number) => {
        if (left === 0) socket.resume();
        else socket.write(block, () => write(left - 1));
      };
      socket.on('data', (chunk) => {
        answer += chunk.toString('latin1');
        if (answer.includes('"TOO_LARGE"')) socket.end();
      });
      socket.on('close', () => resolve(answer === '' ? null : answer));
      socket.on('error', () => resolve(null));
    });

  it.each([
    ['/api/object', 'body_bytes'],
    ['/base/login', 'small_body_bytes'],
    ['/nothing', 'small_body_bytes'],
  ])(
    'a body of 65 MiB to %s is answered with 413, even if the client writes it all first',
    async (path, limit) => {
      const block = Buffer.alloc(2 ** 20, 'x');
      const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${service.owner.token}\r\n`;
      const sized = await writeFirst(`${head}Content-Length: ${65 * 2 ** 20}\r\n\r\n`, 65, block);
      expect(sized).toMatch(/^HTTP\/1\.1 413 /);
      expect(sized).toContain(limit);
      const chunk = Buffer.concat([Buffer.from('100000\r\n'), block, Buffer.from('\r\n')]);
      const chunked = await writeFirst(`${head}Transfer-Encoding: chunked\r\n\r\n`, 65, chunk);
      expect(chunked).toMatch(/^HTTP\/1\.1 413 /);
    },
  );

  it('a connection that keeps sending after a refusal is closed', async () => {
    const block = Buffer.alloc(2 ** 20, 'x');
    const chunk = Buffer.concat([Buffer.from('100000\r\n'), block, Buffer.from('\r\n')]);
    let sent = 0;
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(
          `POST /base/login HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nTransfer-Encoding: chunked\r\n\r\n`,
        );
        write();
      });
      const write = () =>
        socket.write(chunk, (error) => {
          if (error || socket.destroyed) return;
          sent++;
          write();
        });
      socket.resume();
      socket.on('error', () => {});
      socket.on('close', () => resolve());
    });
    expect(sent).toBeGreaterThan(100);
  });

  it('a large body without a token is refused without being read', async () => {
    const answer = await raw(
      `POST /api/object HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\nContent-Length: 60000000\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('a request that is not valid HTTP is answered with 400', async () => {
    expect(await raw('nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
    expect(await raw('GET /sys/config HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
  });
});
