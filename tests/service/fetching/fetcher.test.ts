/** The fetcher against loopback servers named for the test, and against names that resolve to inside addresses. */
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { createFetcher, type FetcherOptions } from '../../../src/service/fetching/fetcher.ts';
import { ServiceError } from '../../../src/service/http/service-error.ts';
import { type Answerer, type FileServer, startFileServer } from './file-server.ts';
import { testCertificate } from './test-certificate.ts';

const servers: FileServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(answer: Answerer, options?: { isSecure?: boolean }): Promise<FileServer> {
  const server = await startFileServer(answer, options);
  servers.push(server);
  return server;
}

const say =
  (text: string): Answerer =>
  (_, response) =>
    response.end(text);
const redirectTo =
  (location: string): Answerer =>
  (_, response) =>
    response.writeHead(302, { location }).end();

async function faultOf(work: Promise<unknown>): Promise<ServiceError> {
  const error = await work.then(
    () => new Error('it was fetched'),
    (fault: unknown) => fault,
  );
  expect(error).toBeInstanceOf(ServiceError);
  return error as ServiceError;
}

const never: FetcherOptions['lookup'] = async (host) => {
  throw new Error(`nobody may look up ${host}`);
};

describe('a fetched file', () => {
  it('has bytes, a name and a type, and is requested without credentials or cookies', async () => {
    const server = await serve((_, response) =>
      response
        .writeHead(200, { 'content-type': 'Text/CSV; charset=utf-8', 'set-cookie': 'a=b' })
        .end('x,y\n1,2\n'),
    );
    const fetcher = createFetcher({ allowFetch: [server.origin] });
    const got = await fetcher.fetch(`${server.origin}/some%20data.csv?raw=1#part`, {
      accept: 'text/csv',
    });
    expect(Buffer.from(got.bytes).toString()).toBe('x,y\n1,2\n');
    expect(got).toMatchObject({
      fileName: 'some data.csv',
      mediaType: 'text/csv',
      finalAddress: `${server.origin}/some%20data.csv?raw=1`,
    });
    await fetcher.fetch(`${server.origin}/again`);
    expect(server.asked.map(({ path }) => path)).toEqual(['/some%20data.csv?raw=1', '/again']);
    expect(Object.keys(server.asked[1].headers).toSorted()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
  });

  it('has the name given by the response, never with a path', async () => {
    const names = [
      'attachment; filename="model.tar.gz"',
      `attachment; filename*=UTF-8''%CE%B1.stan`,
      'attachment; filename="../../etc/passwd"',
    ];
    const server = await serve((request, response) =>
      response
        .writeHead(200, { 'content-disposition': names[Number(request.url?.slice(1))] })
        .end('.'),
    );
    const fetcher = createFetcher({ allowFetch: [server.origin] });
    const got = await Promise.all(names.map((_, i) => fetcher.fetch(`${server.origin}/${i}`)));
    expect(got.map(({ fileName }) => fileName)).toEqual(['model.tar.gz', 'α.stan', '2']);
  });

  it('comes over TLS from the resolved address, with its name in Host and certificate', async () => {
    const server = await serve(say('sealed'), { isSecure: true });
    const options = {
      allowFetch: [`files.example.test:${server.port}`],
      lookup: async () => ['127.0.0.1'],
    };
    const trusting = createFetcher({ ...options, certificates: [testCertificate] });
    const address = `https://files.example.test:${server.port}/x`;
    expect(Buffer.from((await trusting.fetch(address)).bytes).toString()).toBe('sealed');
    expect(server.asked[0].headers.host).toBe(`files.example.test:${server.port}`);
    expect((await faultOf(createFetcher(options).fetch(address))).message).toMatch(/certificate/);
    const other = createFetcher({
      ...options,
      allowFetch: [`other.example.test:${server.port}`],
      certificates: [testCertificate],
    });
    expect((await faultOf(other.fetch(address.replace('files', 'other')))).message).toMatch(
      /certificate/,
    );
  });

  it('is found through at most five redirects', async () => {
    const server: FileServer = await serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end('there');
      else response.writeHead(left % 2 === 0 ? 301 : 307, { location: `/${left - 1}` }).end();
    });
    const fetcher = createFetcher({ allowFetch: [server.origin] });
    expect((await fetcher.fetch(`${server.origin}/5`)).finalAddress).toBe(`${server.origin}/0`);
    expect((await faultOf(fetcher.fetch(`${server.origin}/6`))).message).toMatch(
      /more than 5 times/,
    );
  });
});

describe('a fetch', () => {
  it('is limited in bytes: announced, streamed and unpacked', async () => {
    const server = await serve((request, response) => {
      if (request.url === '/announced')
        response.writeHead(200, { 'content-length': '1000' }).end('x'.repeat(1000));
      else if (request.url === '/packed')
        response
          .writeHead(200, { 'content-encoding': 'gzip' })
          .end(gzipSync(Buffer.alloc(50_000_000)));
      else {
        const write = () => {
          while (response.write('y'.repeat(4096)));
          response.once('drain', write);
        };
        write();
      }
    });
    const fetcher = createFetcher({ allowFetch: [server.origin] });
    for (const path of ['announced', 'endless', 'packed']) {
      const fault = await faultOf(fetcher.fetch(`${server.origin}/${path}`, { maxBytes: 999 }));
      expect(fault, path).toMatchObject({ code: 'TOO_LARGE', details: { limit: 999 } });
    }
    expect(
      (await fetcher.fetch(`${server.origin}/announced`, { maxBytes: 1000 })).bytes.length,
    ).toBe(1000);
  });

  it('is limited in time when a server never answers or never ends', async () => {
    const server = await serve((request, response) => {
      if (request.url === '/slow') response.writeHead(200).write('a');
    });
    const fetcher = createFetcher({ allowFetch: [server.origin] });
    for (const path of ['never', 'slow']) {
      const fault = await faultOf(fetcher.fetch(`${server.origin}/${path}`, { timeoutMs: 50 }));
      expect(fault.code, path).toBe('LIMIT_EXCEEDED');
    }
    const hanging = createFetcher({ allowFetch: ['*'], lookup: () => new Promise(() => {}) });
    expect((await faultOf(hanging.fetch('https://example.test/', { timeoutMs: 50 }))).code).toBe(
      'LIMIT_EXCEEDED',
    );
  });

  it('that is cut short, damaged or refused is an error that repeats none of the response', async () => {
    const server = await serve((request, response) => {
      if (request.url === '/cut') {
        response.writeHead(200, { 'content-length': '100' }).write('secret');
        setImmediate(() => response.destroy());
      } else if (request.url === '/damaged')
        response.writeHead(200, { 'content-encoding': 'gzip' }).end('secret');
      else if (request.url === '/strange')
        response.writeHead(200, { 'content-encoding': 'rot13' }).end('secret');
      else response.writeHead(403, 'secret').end('secret');
    });
    const fetcher = createFetcher({ allowFetch: [server.origin] });
    for (const path of ['cut', 'damaged', 'strange', 'refused']) {
      const fault = await faultOf(fetcher.fetch(`${server.origin}/${path}`));
      expect(fault.code, path).toBe('INVALID_PARAMETER');
      expect(JSON.stringify([fault.message, fault.details]), path).not.toContain('secret');
    }
  });
});

describe('a fetch is sent', () => {
  it('nowhere when the operator has allowed nothing, and the error names the option', async () => {
    const fault = await faultOf(
      createFetcher({ allowFetch: [], lookup: never }).fetch('https://example.org/a.csv'),
    );
    expect(fault).toMatchObject({ code: 'NOT_SUPPORTED' });
    expect(fault.message).toContain('--allow-fetch example.org');
  });

  it('only to listed hosts, with their ports', async () => {
    const fetcher = createFetcher({
      allowFetch: ['example.org', '*.example.com'],
      lookup: async () => ['10.0.0.1'],
    });
    for (const address of [
      'https://example.net/',
      'https://example.org:8443/',
      'https://a.example.org/',
      'https://example.com/',
    ])
      expect((await faultOf(fetcher.fetch(address))).code, address).toBe('NOT_SUPPORTED');
    for (const address of [
      'https://example.org/',
      'https://EXAMPLE.org./',
      'https://a.b.example.com/',
    ])
      expect((await faultOf(fetcher.fetch(address))).message, address).toMatch(
        /not on the public internet/,
      );
  });

  it('not to other schemes, with a password in the address, or without TLS', async () => {
    const fetcher = createFetcher({ allowFetch: ['*'], lookup: never });
    for (const address of [
      'file:///etc/passwd',
      'ftp://example.org/',
      'data:,x',
      'gopher://x/',
      'no address',
      '',
      'http://example.org/',
      'https://user:pass@example.org/',
      'https://user@example.org/',
    ])
      expect((await faultOf(fetcher.fetch(address))).code, address).toBe('INVALID_PARAMETER');
  });

  const odd = [
    'https://127.0.0.1/',
    'https://127.1/',
    'https://0177.0.0.1/',
    'https://0x7f.0.0.1/',
    'https://0x7f000001/',
    'https://2130706433/',
    'https://017700000001/',
    'https://127.0.0.1./',
    'https://①②⑦.⓪.⓪.①/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://0/',
    'https://0.0.0.0/',
    'https://[::]/',
    'https://169.254.169.254/latest',
    'https://[fe80::1]/',
    'https://100.100.100.200/',
    'https://%31%32%37.0.0.1/',
  ];
  it.each(odd)('not to %s, without a lookup', async (address) => {
    const fault = await faultOf(createFetcher({ allowFetch: ['*'], lookup: never }).fetch(address));
    expect(fault.message).toMatch(/not on the public internet/);
  });

  it('not to an internal address in any notation', async () => {
    const fetcher = createFetcher({ allowFetch: ['*'], lookup: never });
    const part = (value: number, base: number) =>
      base === 8
        ? `0${value.toString(8)}`
        : base === 16
          ? `0x${value.toString(16)}`
          : String(value);
    const base = fc.constantFrom(8, 10, 16);
    const tail = fc.integer({ min: 0, max: 0xffffff });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(0, 10, 127),
        tail,
        base,
        base,
        fc.boolean(),
        async (first, rest, a, b, isOne) => {
          const host = isOne
            ? part(first * 2 ** 24 + rest, a)
            : `${part(first, a)}.${part(rest, b)}`;
          const fault = await faultOf(fetcher.fetch(`https://${host}/`));
          expect(fault.message).toMatch(/not on the public internet/);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('not to a name that resolves to an internal address, even as one of several', async () => {
    for (const addresses of [
      ['127.0.0.1'],
      ['::1'],
      ['93.184.215.14', '10.0.0.1'],
      ['::ffff:10.0.0.1'],
    ]) {
      const fetcher = createFetcher({ allowFetch: ['*'], lookup: async () => addresses });
      expect((await faultOf(fetcher.fetch('https://inside.example.org/'))).message).toMatch(
        /not on the public internet/,
      );
    }
  });

  it('only to the addresses of one lookup, so that DNS rebinding has no effect', async () => {
    const server = await serve(say('inside'), { isSecure: true });
    // nothing listens at the first
    const answers = [['127.0.0.9'], ['127.0.0.1']];
    let asked = 0;
    const rebinding = createFetcher({
      allowFetch: ['*', `https://rebind.example.test:${server.port}`],
      certificates: [testCertificate],
      lookup: async () => answers[Math.min(asked++, 1)],
    });
    await faultOf(rebinding.fetch(`https://rebind.example.test:${server.port}/`));
    expect(asked).toBe(1);
    expect(server.asked).toEqual([]);
  });

  it('not by a redirect to an address that may not be fetched', async () => {
    const inner = await serve(say('inside'));
    const targets = [
      inner.origin,
      'https://169.254.169.254/',
      'https://elsewhere.example.org/',
      'file:///etc/passwd',
      'https://u:p@127.0.0.1/',
      'http://[',
    ];
    const outer = await serve((request, response) =>
      redirectTo(targets[Number(request.url?.slice(1))])(request, response),
    );
    const fetcher = createFetcher({ allowFetch: [outer.origin], lookup: never });
    for (const i of targets.keys()) await faultOf(fetcher.fetch(`${outer.origin}/${i}`));
    expect(inner.asked).toEqual([]);
  });

  it('not by a redirect from TLS to plain http, even if that host is allowed', async () => {
    const plain = await serve(say('plain'));
    const sealed = await serve(redirectTo(plain.origin), { isSecure: true });
    const fetcher = createFetcher({
      allowFetch: [plain.origin, sealed.origin],
      certificates: [testCertificate],
    });
    expect((await faultOf(fetcher.fetch(sealed.origin))).message).toMatch(/without TLS/);
    expect(plain.asked).toEqual([]);
    expect(sealed.asked.length).toBe(1);
  });

  it('to the next address of a host if the first does not answer', async () => {
    const server = await serve(say('found'), { isSecure: true });
    const fetcher = createFetcher({
      allowFetch: [`files.example.test:${server.port}`],
      certificates: [testCertificate],
      lookup: async () => ['127.0.0.9', '127.0.0.1'],
    });
    const { bytes } = await fetcher.fetch(`https://files.example.test:${server.port}/`);
    expect(Buffer.from(bytes).toString()).toBe('found');
  });

  it('at most sixteen times at once', async () => {
    const server = await serve(() => {});
    const fetcher = createFetcher({ allowFetch: [server.origin] });
    const waiting = Array.from({ length: 16 }, () =>
      faultOf(fetcher.fetch(server.origin, { timeoutMs: 100 })),
    );
    expect((await faultOf(fetcher.fetch(server.origin))).code).toBe('UNAVAILABLE');
    await Promise.all(waiting);
    expect((await faultOf(fetcher.fetch(server.origin, { timeoutMs: 20 }))).code).toBe(
      'LIMIT_EXCEEDED',
    );
  });
});
